package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;

/// The layers above a leg's socket, lowest first; none of them when the leg is bare. Owned by one
/// loop.
final class LayerStack {

    private final Leg leg;
    private @Nullable Layer bottom;
    private @Nullable Layer top;

    LayerStack(Leg leg) {
        this.leg = leg;
    }

    boolean isEmpty() {
        return bottom == null;
    }

    @Nullable Layer bottom() {
        return bottom;
    }

    @Nullable Layer top() {
        return top;
    }

    /// Puts a machine above the layers that are there. It is not started.
    void push(StreamMachine machine) {
        Layer layer = new Layer(leg, machine);
        Layer present = top;
        if (present == null) {
            bottom = layer;
        } else {
            present.above = layer;
            layer.below = present;
        }
        top = layer;
    }

    /// Starts the lowest layer; each further one starts when the one below is ready or has retired,
    /// so that nobody acts on a stream whose beginning is not understood yet.
    void start() {
        ready(bottom);
    }

    /// Starts the highest layer alone; it was pushed onto a stream that is under way.
    void startTop() {
        Layer highest = top;
        if (highest != null) {
            highest.start();
        }
    }

    /// The layer below `next` is ready: starts `next`, or tells the owner when there is none.
    void ready(@Nullable Layer next) {
        if (next != null) {
            next.start();
        } else if (leg.isDialled()) {
            leg.owner().onReady(leg);
        }
    }

    /// Takes a layer out of the stack; what it left unconsumed goes to the one above.
    void retire(Layer layer, boolean becomesReady) {
        Layer below = layer.below;
        Layer above = layer.above;
        if (below == null) {
            bottom = above;
        } else {
            below.above = above;
        }
        if (above == null) {
            top = below;
        } else {
            above.below = below;
        }
        if (becomesReady) {
            ready(above);
        }
        if (!leg.isOpen()) {
            return;
        }
        Buf rest = below == null ? leg.takeInput() : layer.takePending();
        if (rest != null && rest.isEmpty()) {
            rest.release();
            rest = null;
        }
        boolean sawEnd = below == null ? leg.isInputEnded() : layer.isInputEnded();
        if (below == null && above != null) {
            becomeLowest(above, rest, sawEnd);
        } else {
            passOn(above, rest, sawEnd);
        }
    }

    private void passOn(@Nullable Layer above, @Nullable Buf rest, boolean sawEnd) {
        if (above != null) {
            if (rest != null) {
                above.receive(rest);
            }
            if (sawEnd && leg.isOpen()) {
                above.inputEnd();
            }
            return;
        }
        if (rest != null) {
            leg.owner().onPayload(leg, rest);
        }
        if (sawEnd && leg.isOpen()) {
            leg.payloadEnded();
        }
    }

    /// The lowest layer has gone: the next one is fed from the socket from here on, first with what
    /// it has waiting and what the other left.
    private void becomeLowest(Layer layer, @Nullable Buf rest, boolean sawEnd) {
        Buf waiting = layer.takePending();
        Buf all = waiting == null ? rest : rest == null ? waiting : layer.joined(waiting, rest);
        leg.giveInput(all);
        if (all != null) {
            layer.receiveBorrowed(all);
        }
        if (sawEnd && leg.isOpen() && bottom == layer) {
            layer.inputEnd();
        }
    }

    /// Bytes that waited for the highest layer. Takes `owned`.
    void offerToTop(Buf owned) {
        Layer highest = top;
        if (highest != null && leg.isOpen()) {
            highest.receive(owned);
            leg.afterCall();
        } else {
            owned.release();
        }
    }

    /// The end of the bytes that waited for the highest layer.
    void endToTop() {
        Layer highest = top;
        if (highest != null && leg.isOpen()) {
            highest.inputEnd();
            leg.afterCall();
        }
    }

    /// Tells the highest layer how its wish to open went.
    void opened(OpenOutcome outcome) {
        Layer highest = top;
        if (highest != null && leg.isOpen()) {
            highest.opened(outcome);
            leg.afterCall();
        }
    }

    /// Tells the highest layer where its datagram socket is.
    void associated(Endpoint bound) {
        Layer highest = top;
        if (highest != null && leg.isOpen()) {
            highest.associated(bound);
            leg.afterCall();
        }
    }

    /// A datagram for the highest layer. Takes `owned`. Returns whether it went there.
    boolean datagram(Destination remote, Buf owned) {
        Layer highest = top;
        if (highest == null || !leg.isOpen()) {
            owned.release();
            return false;
        }
        highest.datagram(remote, owned);
        leg.afterCall();
        return true;
    }

    /// Lets go of all layers.
    void discard() {
        for (Layer layer = bottom; layer != null; layer = layer.above) {
            layer.discard();
        }
        bottom = null;
        top = null;
    }
}
