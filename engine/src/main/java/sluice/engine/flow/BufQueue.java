package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;

/// Buffers in a row, linked by themselves. It owns them. Owned by one loop.
final class BufQueue {

    private @Nullable Buf head;
    private @Nullable Buf tail;

    /// Takes `owned`.
    void add(Buf owned) {
        Buf last = tail;
        if (last == null) {
            head = owned;
        } else {
            last.next(owned);
        }
        tail = owned;
    }

    /// Returns the first buffer, which the caller owns, or null when there is none.
    @Nullable Buf poll() {
        Buf first = head;
        if (first != null) {
            head = first.next();
            first.next(null);
            if (head == null) {
                tail = null;
            }
        }
        return first;
    }

    /// Releases all.
    void release() {
        Buf each;
        while ((each = poll()) != null) {
            each.release();
        }
    }
}
