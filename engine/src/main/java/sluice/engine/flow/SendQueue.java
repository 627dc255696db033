package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.buf.BufPool;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;

/// What a socket did not take yet, in order. It owns the buffers. How long it gets is up to whoever
/// feeds it, who is told to stop with the first buffer. Owned by one loop.
final class SendQueue {

    /// Up to this many bytes are moved into the last buffer, where they fit.
    private static final int SMALL_BYTES = 4096;

    private @Nullable Buf head;
    private @Nullable Buf tail;
    private boolean moved;

    boolean isEmpty() {
        return head == null;
    }

    /// Takes `owned`.
    void add(Buf owned) {
        Buf last = tail;
        if (last == null) {
            head = owned;
        } else if (owned.length() <= SMALL_BYTES && last.tailroom() >= owned.length()) {
            last.put(owned.array(), owned.start(), owned.length());
            owned.release();
            return;
        } else {
            last.next(owned);
        }
        tail = owned;
    }

    /// Sends as much as the socket takes. Returns 0 when all is sent, EAGAIN when some is left, and
    /// another errno when the socket has failed.
    int flush(LoopDriver driver, int socket) {
        moved = false;
        Buf first;
        while ((first = head) != null) {
            Buf next = first.next();
            int length = first.length();
            int sent = driver.send(socket, first.array(), first.start(), length, next != null);
            if (sent < length) {
                if (sent < 0 && sent != -Errno.EAGAIN) {
                    return -sent;
                }
                first.consume(Math.max(0, sent));
                moved |= sent > 0;
                return Errno.EAGAIN;
            }
            moved = true;
            removeFirst(first, next);
        }
        return 0;
    }

    /// Whether the last [#flush] sent anything.
    boolean hasMoved() {
        return moved;
    }

    private void removeFirst(Buf first, @Nullable Buf next) {
        head = next;
        if (next == null) {
            tail = null;
        }
        first.next(null);
        first.release();
    }

    void release() {
        Buf first;
        while ((first = head) != null) {
            removeFirst(first, first.next());
        }
    }

    /// Whether all that waits is one array that may be larger than its content.
    boolean isOneLarge() {
        Buf first = head;
        return first != null && first == tail && first.array().length > SMALL_BYTES;
    }

    /// Moves what waits to the smallest array that fits, when it is one array.
    void shrink(BufPool pool) {
        Buf first = head;
        if (first != null && first == tail) {
            Buf small = pool.shrink(first);
            head = small;
            tail = small;
        }
    }
}
