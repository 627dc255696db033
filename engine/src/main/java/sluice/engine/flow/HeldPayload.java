package sluice.engine.flow;

import sluice.base.buf.Buf;

/// Payload that came before its receiver was ready, and whether that was all. It owns the buffers.
/// Owned by one loop.
final class HeldPayload {

    private final BufQueue queue = new BufQueue();
    private boolean ended;

    /// Takes `owned`.
    void add(Buf owned) {
        queue.add(owned);
    }

    /// No more comes.
    void end() {
        ended = true;
    }

    /// Hands everything to a leg, as payload from the other side.
    void passTo(Leg leg) {
        Buf buf;
        while ((buf = queue.poll()) != null) {
            leg.writePayload(buf);
        }
        if (ended) {
            leg.writePayloadEnd();
        }
    }

    /// Offers everything to the highest layer, as bytes from below.
    void offerTo(LayerStack layers) {
        Buf buf;
        while ((buf = queue.poll()) != null) {
            layers.offerToTop(buf);
        }
        if (ended) {
            layers.endToTop();
        }
    }

    void release() {
        queue.release();
    }
}
