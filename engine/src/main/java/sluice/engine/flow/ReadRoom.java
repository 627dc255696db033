package sluice.engine.flow;

import sluice.base.buf.Buf;
import sluice.base.buf.BufPool;
import sluice.base.fault.PeerFault;

/// Room for reads that go on from where a record begins.
final class ReadRoom {

    /// The least room for the rest of a record that does not fit a medium array.
    private static final int MORE_BYTES = 16 * 1024;

    private ReadRoom() {}

    /// The beginning of a record stands in `buf`: makes room for the rest of it, and for more.
    static Buf more(BufPool pool, Buf buf) {
        int wanted = buf.length() + pool.readBytes();
        if (buf.array().length >= Math.min(wanted, pool.sizeFor(pool.readBytes()))) {
            buf.compact();
            if (buf.tailroom() > 0 || buf.length() > BufPool.READ_BYTES) {
                return buf;
            }
        }
        Buf larger = pool.acquire(Math.max(pool.readBytes(), buf.length() + MORE_BYTES));
        larger.put(buf.array(), buf.start(), buf.length());
        buf.release();
        return larger;
    }

    /// A record does not fit.
    static PeerFault tooLarge() {
        return new PeerFault(PeerFault.Kind.TOO_LARGE, "a message is larger than any buffer");
    }
}
