package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.time.Deadline;
import sluice.engine.loop.Timer;

/// One machine's place in a [Leg]: hands it what comes from below and above, and carries out what it asks
/// for. Owned by the loop.
final class Layer implements Effects {

    final Leg leg;
    private StreamMachine machine;
    @Nullable Layer below;
    @Nullable Layer above;
    private @Nullable Buf pending;
    private @Nullable DeadlineTimer timer;
    private @Nullable StreamMachine successor;
    private boolean retiring;
    private boolean readyAsked;
    private boolean ready;
    private boolean inputEnded;
    private boolean offering;
    private boolean moreArrived;

    Layer(Leg leg, StreamMachine machine) {
        this.leg = leg;
        this.machine = machine;
    }

    // What comes in

    void start() {
        machine.onStart(leg.now(), this);
        settle();
    }

    /// Bytes from the layer below. Takes `owned`.
    void receive(Buf owned) {
        Buf waiting = pending;
        pending = waiting == null ? owned : joined(waiting, owned);
        if (offering) {
            moreArrived = true;
            return;
        }
        offer();
    }

    private Buf joined(Buf first, Buf second) {
        Buf target = first;
        if (first.tailroom() < second.length()) {
            target = acquire(first.length() + second.length());
            target.put(first.array(), first.start(), first.length());
            first.release();
        }
        target.put(second.array(), second.start(), second.length());
        second.release();
        return target;
    }

    private void offer() {
        do {
            moreArrived = false;
            Buf offered = pending;
            if (offered == null || !leg.isOpen()) {
                return;
            }
            offering = true;
            machine.onBytes(offered, leg.now(), this);
            offering = false;
            settle();
            dropEmptyPending();
        } while (moreArrived);
    }

    /// Bytes at the lowest layer; the leg keeps what is left. Borrows `in`.
    void receiveBorrowed(Buf in) {
        machine.onBytes(in, leg.now(), this);
        settle();
    }

    void inputEnd() {
        if (inputEnded) {
            return;
        }
        inputEnded = true;
        machine.onEnd(leg.now(), this);
        settle();
    }

    void payload(Buf owned) {
        machine.onPayload(owned, leg.now(), this);
        settle();
    }

    void payloadEnd() {
        machine.onPayloadEnd(leg.now(), this);
        settle();
    }

    boolean payloadBroken() {
        boolean handled = machine.onPayloadBroken(leg.now(), this);
        settle();
        return handled;
    }

    void opened(OpenOutcome outcome) {
        machine.onOpened(outcome, leg.now(), this);
        settle();
    }

    void associated(Endpoint bound) {
        machine.onAssociated(bound, leg.now(), this);
        settle();
    }

    void datagram(Destination remote, Buf owned) {
        machine.onDatagram(remote, owned, leg.now(), this);
        settle();
    }

    /// After each call into the machine: replaces or retires it where it asked for that, and sets its timer.
    private void settle() {
        if (!leg.isOpen()) {
            return;
        }
        StreamMachine next = successor;
        if (next != null) {
            successor = null;
            machine = next;
            machine.onStart(leg.now(), this);
            settle();
            leg.offerAgain(this);
            return;
        }
        boolean becomesReady = readyAsked && !ready;
        ready |= becomesReady;
        if (retiring) {
            retiring = false;
            setTimer(Deadline.NONE);
            leg.retire(this, becomesReady);
            return;
        }
        setTimer(machine.deadlineNanos());
        if (becomesReady) {
            leg.layerReady(above);
        }
    }

    private void setTimer(long deadlineNanos) {
        DeadlineTimer present = timer;
        if (present == null) {
            if (deadlineNanos == Deadline.NONE) {
                return;
            }
            present = new DeadlineTimer(this);
            timer = present;
        }
        if (present.deadlineNanos() != deadlineNanos) {
            leg.loop().timers().set(present, deadlineNanos);
        }
    }

    private static final class DeadlineTimer extends Timer {
        private final Layer layer;

        DeadlineTimer(Layer layer) {
            this.layer = layer;
        }

        @Override
        protected void onTimer(long nowNanos) {
            if (layer.leg.isOpen()) {
                layer.machine.onDeadline(nowNanos, layer);
                layer.settle();
                layer.leg.afterCall();
            }
        }
    }

    /// Offers unconsumed bytes once more, to a machine that took this one's place.
    void offerPending() {
        if (pending != null && !pending.isEmpty()) {
            offer();
        }
    }

    @Nullable Buf takePending() {
        Buf rest = pending;
        pending = null;
        return rest;
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    private void dropEmptyPending() {
        Buf rest = pending;
        if (rest != null && rest.isEmpty()) {
            pending = null;
            rest.release();
        }
    }

    /// The leg is over: gives back what is held.
    void discard() {
        setTimer(Deadline.NONE);
        Buf rest = pending;
        pending = null;
        if (rest != null) {
            rest.release();
        }
    }

    // What goes out

    @Override
    public Buf acquire(int bytes) {
        return leg.loop().buffers().acquire(bytes);
    }

    @Override
    public void send(Buf owned) {
        Layer lower = below;
        if (!leg.isOpen()) {
            owned.release();
        } else if (lower != null) {
            lower.payload(owned);
        } else {
            leg.transmit(owned);
        }
    }

    @Override
    public void end() {
        Layer lower = below;
        if (!leg.isOpen()) {
            return;
        }
        if (lower != null) {
            lower.payloadEnd();
        } else {
            leg.endOutput();
        }
    }

    @Override
    public void deliver(Buf owned) {
        if (owned.isEmpty() || !leg.isOpen()) {
            owned.release();
            return;
        }
        Layer upper = above;
        if (upper != null) {
            upper.receive(owned);
        } else {
            leg.owner().onPayload(leg, owned);
        }
    }

    @Override
    public void deliverEnd() {
        if (!leg.isOpen()) {
            return;
        }
        Layer upper = above;
        if (upper != null) {
            upper.inputEnd();
        } else {
            leg.payloadEnded();
        }
    }

    @Override
    public void deliverDatagram(Destination remote, Buf owned) {
        if (leg.isOpen()) {
            leg.owner().onDatagram(leg, remote, owned);
        } else {
            owned.release();
        }
    }

    @Override
    public void open(Destination destination, @Nullable String user) {
        leg.owner().onOpen(leg, destination, user);
    }

    @Override
    public void openDatagrams(Destination first, @Nullable String user) {
        leg.owner().onOpenDatagrams(leg, first, user);
    }

    @Override
    public void associate(DatagramServer server, @Nullable String user) {
        leg.owner().onAssociate(leg, server, user);
    }

    @Override
    public void detach() {
        leg.owner().onDetach(leg);
    }

    @Override
    public void ready() {
        readyAsked = true;
    }

    @Override
    public void refuse(OpenOutcome outcome, String reason) {
        leg.refused(outcome, reason);
    }

    @Override
    public void becomeTransparent() {
        retiring = true;
        readyAsked = leg.isDialled();
    }

    @Override
    public void become(StreamMachine next) {
        successor = next;
    }

    @Override
    public void sourceIs(Endpoint source) {
        leg.owner().onSource(leg, source);
    }

    @Override
    public void close() {
        leg.closeInOrder();
    }

    @Override
    public void fail(PeerFault fault, Farewell farewell) {
        leg.failed(fault, farewell);
    }
}
