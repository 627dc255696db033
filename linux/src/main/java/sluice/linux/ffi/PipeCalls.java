package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import sluice.base.os.Errno;

/// pipe(7) and splice(2) for one thread. Results below 0 are negated error numbers; interrupted
/// calls are repeated. Ordinary calls: moving a megabyte takes long enough to delay a safepoint.
public final class PipeCalls {

    private static final MethodHandle PIPE2 = CallState.function("pipe2");
    private static final MethodHandle FCNTL = CallState.function("fcntl");
    private static final MethodHandle SPLICE = CallState.function("splice");
    private static final MethodHandle RECV = CallState.function("recv");
    private static final MethodHandle WRITE = CallState.function("write");

    private static final long NO_OFFSET = 0;

    private final CallState state;
    private final MemorySegment errno;
    private final MemorySegment ends;

    /// @param arena lives as long as the loop
    public PipeCalls(CallState state, Arena arena) {
        this.state = state;
        errno = state.segment();
        ends = arena.allocate(2 * JAVA_INT.byteSize(), 8);
    }

    /// pipe2(2), non-blocking and close-on-exec; see [#readEnd] and [#writeEnd].
    public int pipe() {
        try {
            long flags = Abi.O_NONBLOCK | Abi.O_CLOEXEC;
            long result = (long) PIPE2.invokeExact(errno, ends.address(), flags, 0L, 0L, 0L, 0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// The end to read from of the pipe made last.
    public int readEnd() {
        return ends.get(JAVA_INT, 0);
    }

    /// The end to write to of the pipe made last.
    public int writeEnd() {
        return ends.get(JAVA_INT, Integer.BYTES);
    }

    /// fcntl(2) with an int argument.
    public int fcntl(int fd, int command, int argument) {
        try {
            long result =
                    (long)
                            FCNTL.invokeExact(
                                    errno, (long) fd, (long) command, (long) argument, 0L, 0L, 0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// splice(2) between descriptors that have no offset; 0 is the end of the stream.
    public long splice(int from, int to, long bytesMax, int flags) {
        try {
            int error;
            do {
                long moved =
                        (long)
                                SPLICE.invokeExact(
                                        errno,
                                        (long) from,
                                        NO_OFFSET,
                                        (long) to,
                                        NO_OFFSET,
                                        bytesMax,
                                        (long) flags);
                if (moved >= 0) {
                    return moved;
                }
                error = state.error();
            } while (error == -Errno.EINTR);
            return error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// recv(2) into native memory.
    public int recv(int fd, MemorySegment into, int bytes) {
        try {
            long got =
                    (long)
                            RECV.invokeExact(
                                    errno, (long) fd, into.address(), (long) bytes, 0L, 0L, 0L);
            return got >= 0 ? (int) got : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// write(2) from native memory.
    public int write(int fd, MemorySegment from, int bytes) {
        try {
            long written =
                    (long)
                            WRITE.invokeExact(
                                    errno, (long) fd, from.address(), (long) bytes, 0L, 0L, 0L);
            return written >= 0 ? (int) written : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }
}
