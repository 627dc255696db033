package sluice.linux.pipe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import sluice.base.os.Errno;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.PipeCalls;
import sluice.linux.ffi.SocketCalls;

/// The pipes of one loop. A pipe is taken when a socket turns readable and given back when it is
/// empty, so that an idle flow holds none; the one given back last is taken next. Owned by one loop
/// thread.
///
/// Budget: at most [#OPEN_MAX] pipes in the process. The kernel counts what they could hold, per
/// user, and allows 16,384 pages to users without privilege (`fs.pipe-user-pages-soft`); beyond it
/// pipes shrink to two pages in silence. So the first 32 have 256 pages, the next 64 have 64 and
/// all others 16, and one that is smaller is not used: 8,192 and 4,096 pages, and 4,096 for 256
/// more.
public final class PipePool {

    /// Pipes open in the process, full ones included: 2,048 descriptors. A flow that gets none
    /// copies.
    public static final int OPEN_MAX = 1024;

    /// A pipe holds as many fragments as it has pages, whatever their size; 256 of them let a relay
    /// of small segments move some kilobytes per call.
    private static final int LARGE_BYTES = 1 << 20;

    private static final int LARGE_MAX = 32;
    private static final int MEDIUM_BYTES = 1 << 18;
    private static final int MEDIUM_MAX = LARGE_MAX + 64;

    /// What the kernel gives unasked, and the least that is worth the calls: a relay of large
    /// pieces costs 0.33 processor seconds per GiB with it, 0.21 to 0.25 with 128 KiB or more, 0.42
    /// to 0.59 copied (lab.micro, RelayCost, on loopback).
    private static final int SMALL_BYTES = 1 << 16;

    /// Empty pipes that a loop keeps. A turn of the loop rarely holds more than one at a time.
    private static final int IDLE_MAX = 8;

    private static final AtomicInteger OPEN = new AtomicInteger();

    /// Received in front of an urgent byte; fits into the smallest pipe.
    private static final int STEP_BYTES = 4096;

    private final SocketCalls sockets;
    private final PipeCalls calls;
    private int[] readEnds = new int[IDLE_MAX];
    private int[] writeEnds = new int[IDLE_MAX];
    private int[] freeIndexes = new int[IDLE_MAX];
    private int freeCount;
    private int indexCount;
    private final int[] idle = new int[IDLE_MAX];
    private int idleCount;
    private final MemorySegment step;

    /// @param arena lives as long as the loop
    public PipePool(CallState state, SocketCalls sockets, Arena arena) {
        this.sockets = sockets;
        calls = new PipeCalls(state, arena);
        step = arena.allocate(STEP_BYTES, 8);
    }

    /// Takes an empty pipe. Returns its index, or a negated error number.
    public int take() {
        return idleCount > 0 ? idle[--idleCount] : open();
    }

    /// Gives an empty pipe back.
    public void give(int pipe) {
        if (idleCount < IDLE_MAX) {
            idle[idleCount++] = pipe;
        } else {
            drop(pipe);
        }
    }

    /// Closes a pipe that may still hold bytes.
    public void drop(int pipe) {
        int _ = sockets.close(readEnds[pipe]);
        int _ = sockets.close(writeEnds[pipe]);
        OPEN.getAndDecrement();
        readEnds[pipe] = -1;
        freeIndexes[freeCount++] = pipe;
    }

    /// Moves bytes from the socket into the pipe, which is empty. Returns bytes, 0 at the end of
    /// the stream, or a negated error number.
    ///
    /// @param urgentSeen whether there may be urgent data, in front of which the kernel's splice
    ///   says "not ready" for ever; then bytes behind it are received and written instead. The
    ///   urgent byte itself is lost, as in a relay that copies.
    public long in(int fd, int pipe, long bytesMax, boolean urgentSeen) {
        long moved = calls.splice(fd, writeEnds[pipe], bytesMax, Abi.SPLICE_F_NONBLOCK);
        return moved == -Errno.EAGAIN && urgentSeen ? step(fd, pipe, bytesMax) : moved;
    }

    /// Moves bytes from the pipe to the socket. Returns bytes or a negated error number.
    public long out(int pipe, int fd, long bytesMax, boolean more) {
        int flags = more ? Abi.SPLICE_F_NONBLOCK | Abi.SPLICE_F_MORE : Abi.SPLICE_F_NONBLOCK;
        return calls.splice(readEnds[pipe], fd, bytesMax, flags);
    }

    /// Bytes the pipe can hold at most, in fragments of a page.
    public int capacityBytes(int pipe) {
        return calls.fcntl(readEnds[pipe], Abi.F_GETPIPE_SZ, 0);
    }

    /// Closes all pipes.
    public void close() {
        for (int pipe = 0; pipe < indexCount; pipe++) {
            if (readEnds[pipe] >= 0) {
                drop(pipe);
            }
        }
        idleCount = 0;
    }

    private int open() {
        int open = OPEN.incrementAndGet();
        int result = open > OPEN_MAX ? -Errno.ENOBUFS : calls.pipe();
        if (result < 0) {
            OPEN.getAndDecrement();
            return result;
        }
        int pipe = freeCount > 0 ? freeIndexes[--freeCount] : nextIndex();
        readEnds[pipe] = calls.readEnd();
        writeEnds[pipe] = calls.writeEnd();
        if (grow(readEnds[pipe], open) < SMALL_BYTES) {
            drop(pipe);
            return -Errno.ENOBUFS;
        }
        return pipe;
    }

    /// Enlarges the pipe as far as the kernel agrees. Returns its bytes, or a negated error number.
    private int grow(int fd, int open) {
        int bytes = open <= LARGE_MAX ? calls.fcntl(fd, Abi.F_SETPIPE_SZ, LARGE_BYTES) : -1;
        if (bytes < 0 && open <= MEDIUM_MAX) {
            bytes = calls.fcntl(fd, Abi.F_SETPIPE_SZ, MEDIUM_BYTES);
        }
        return bytes >= 0 ? bytes : calls.fcntl(fd, Abi.F_GETPIPE_SZ, 0);
    }

    private int nextIndex() {
        if (indexCount == readEnds.length) {
            readEnds = Arrays.copyOf(readEnds, indexCount * 2);
            writeEnds = Arrays.copyOf(writeEnds, indexCount * 2);
            freeIndexes = Arrays.copyOf(freeIndexes, indexCount * 2);
        }
        return indexCount++;
    }

    private long step(int fd, int pipe, long bytesMax) {
        int got = calls.recv(fd, step, (int) Math.min(STEP_BYTES, bytesMax));
        if (got <= 0) {
            return got;
        }
        int written = calls.write(writeEnds[pipe], step, got);
        assert written == got : "the pipe was not empty";
        return written;
    }
}
