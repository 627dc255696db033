package sluice.engine.flow;

import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;

/// A leg's share of the kernel's pipes: borrowed while bytes are on their way through it, given
/// back when it is empty. Owned by one loop.
final class PipedBytes {

    private static final long FILL_BYTES = 1 << 20;

    /// Below this many bytes, so many times in a row, copying costs less.
    private static final int SMALL_BYTES = 4096;

    private static final int SMALL_IN_A_ROW = 16;

    private final LoopDriver driver;
    private int pipe = -1;
    private long waiting;
    private boolean progress;
    private byte smallInARow;

    PipedBytes(LoopDriver driver) {
        this.driver = driver;
    }

    boolean isEmpty() {
        return waiting == 0;
    }

    /// Whether there is a pipe; borrows one where there is none.
    boolean borrow() {
        if (pipe < 0) {
            pipe = driver.takePipe();
        }
        return pipe >= 0;
    }

    /// Moves bytes from `socket` into the empty pipe. Returns how many, 0 at the end, or a negated
    /// errno.
    long fill(int socket) {
        long got = driver.spliceIn(socket, pipe, FILL_BYTES);
        waiting = Math.max(0, got);
        if (got > 0) {
            progress = true;
            smallInARow = got >= SMALL_BYTES ? 0 : (byte) (smallInARow + 1);
        }
        return got;
    }

    /// Whether so little came so often that copying costs less.
    boolean isTooLittle() {
        if (smallInARow < SMALL_IN_A_ROW) {
            return false;
        }
        smallInARow = 0;
        return true;
    }

    /// Nothing came: whether that only means that the socket is drained. Otherwise it has ended, or
    /// an urgent byte stands in the way, which only a receive gets past; a receive tells them
    /// apart.
    boolean isDrained(long got) {
        boolean drained = got == -Errno.EAGAIN && progress;
        progress = false;
        return drained;
    }

    /// Moves what waits into `socket`. Returns how much went, or a negated errno.
    long drain(int socket) {
        long put = driver.spliceOut(pipe, socket, waiting, false);
        waiting -= Math.max(0, put);
        return put;
    }

    /// Whom the bytes were for is gone.
    void drop() {
        if (pipe >= 0 && waiting > 0) {
            driver.dropPipe(pipe);
            pipe = -1;
            waiting = 0;
        }
    }

    /// Gives an empty pipe back.
    void settle() {
        if (pipe >= 0 && waiting == 0) {
            driver.givePipe(pipe);
            pipe = -1;
        }
    }
}
