package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.net.Destination;
import sluice.base.time.Deadline;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;

/// What the dialling sides share: the first flight waits up to [Wire#FIRST_PAYLOAD_NANOS] for the
/// application's first bytes and leaves in a single send, with or without them.
abstract class DiallingStream extends SealedStream {

    final Dialling dialling;
    final Destination target;
    private long deadlineNanos = Deadline.NONE;

    DiallingStream(LoopServices loop, Dialling dialling, Destination target) {
        super(loop, dialling.method());
        this.dialling = dialling;
        this.target = target;
    }

    /// Sends everything up to the end of `owned`, and sets [#sealKey]. Takes `owned`.
    abstract void sendFirstFlight(@Nullable Buf owned, Effects out);

    /// Takes the response's beginning and sets [#openKey]; false while it is incomplete, and after
    /// a fault.
    abstract boolean takeResponse(Buf in, Effects out);

    @Override
    public void onStart(long nowNanos, Effects out) {
        deadlineNanos = nowNanos + Wire.FIRST_PAYLOAD_NANOS;
        out.ready();
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void onDeadline(long nowNanos, Effects out) {
        beginWithout(out);
    }

    private void beginWithout(Effects out) {
        if (sealKey == null) {
            deadlineNanos = Deadline.NONE;
            sendFirstFlight(null, out);
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        AeadKey key = sealKey;
        if (key != null) {
            sendChunks(key, owned, out);
        } else if (owned.isEmpty()) {
            owned.release();
        } else {
            deadlineNanos = Deadline.NONE;
            sendFirstFlight(owned, out);
        }
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        beginWithout(out);
        out.end();
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (openKey == null && !takeResponse(in, out)) {
            noteMidway(in);
            return;
        }
        openChunks(in, nowNanos, out);
    }

    /// An end before the response began is a target that closed without a word.
    @Override
    public void onEnd(long nowNanos, Effects out) {
        endPayload(out);
    }
}
