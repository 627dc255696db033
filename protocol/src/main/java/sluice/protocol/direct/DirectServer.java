package sluice.protocol.direct;

import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.protocol.access.EarlyPayload;

/// A forwarded stream: opens its target at once and retires when that is reached.
final class DirectServer implements StreamMachine {

    private final Destination target;
    private boolean isOver;

    DirectServer(Destination target) {
        this.target = target;
    }

    @Override
    public void onStart(long nowNanos, Effects out) {
        out.open(target, null);
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (isOver) {
            in.consume(in.length());
        } else {
            EarlyPayload.deliver(in, out);
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (!isOver) {
            out.deliverEnd();
        }
    }

    @Override
    public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
        isOver = true;
        if (outcome == OpenOutcome.OK) {
            out.becomeTransparent();
        } else {
            // As the target itself would have looked: no clean end of an empty stream.
            out.fail(
                    new PeerFault(PeerFault.Kind.REFUSED, "direct: target not reached: " + outcome),
                    Farewell.RESET);
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
