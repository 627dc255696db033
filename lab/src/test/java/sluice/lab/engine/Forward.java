package sluice.lab.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;

/// A way in that opens the same target for every client, and remembers how that went.
///
/// @param target what is opened
/// @param user as if authenticated
/// @param stays whether its machine remains a layer that passes bytes on, instead of retiring
/// @param outcomes what the engine answered, in order
record Forward(Destination target, @Nullable String user, boolean stays, List<OpenOutcome> outcomes)
        implements Inbound {

    /// A target for everybody, reached without a layer in between.
    static Forward to(Destination target) {
        return new Forward(target, null, false, new CopyOnWriteArrayList<>());
    }

    /// The same with a layer that stays.
    Forward staying() {
        return new Forward(target, user, true, outcomes);
    }

    /// The same for a named user.
    Forward as(String name) {
        return new Forward(target, name, stays, outcomes);
    }

    @Override
    public boolean acceptsStreams() {
        return true;
    }

    @Override
    public boolean acceptsDatagrams() {
        return false;
    }

    @Override
    public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
        return new Machine();
    }

    private final class Machine implements StreamMachine {

        private boolean isRefused;

        @Override
        public void onStart(long nowNanos, Effects out) {
            out.open(target, user);
        }

        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {
            int bytes = in.length();
            if (bytes > 0 && !isRefused) {
                Buf payload = out.acquire(bytes);
                payload.put(in.array(), in.start(), bytes);
                out.deliver(payload);
            }
            in.consume(bytes);
        }

        @Override
        public void onEnd(long nowNanos, Effects out) {
            if (!isRefused) {
                out.deliverEnd();
            }
        }

        @Override
        public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
            outcomes.add(outcome);
            if (outcome != OpenOutcome.OK) {
                isRefused = true;
                out.fail(
                        new PeerFault(PeerFault.Kind.REFUSED, "forward: " + outcome),
                        Farewell.RESET);
            } else if (!stays) {
                out.becomeTransparent();
            }
        }

        @Override
        public void onPayload(Buf owned, long nowNanos, Effects out) {
            out.send(owned);
        }

        @Override
        public void onPayloadEnd(long nowNanos, Effects out) {
            out.end();
        }
    }
}
