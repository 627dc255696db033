package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import sluice.base.os.Errno;

/// pipe(7) and splice(2) for one thread. Results below 0 are negated error numbers; interrupted
/// calls are repeated.
public final class PipeCalls {

    private static final MethodHandle PIPE2 =
            CallState.function("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FCNTL =
            CallState.function(
                    "fcntl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SPLICE =
            CallState.function(
                    "splice",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle WRITE =
            CallState.function(
                    "write",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
                    Linker.Option.critical(true));

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
            int result = (int) PIPE2.invokeExact(errno, ends, Abi.O_NONBLOCK | Abi.O_CLOEXEC);
            return result >= 0 ? result : -state.errno();
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
            int result = (int) FCNTL.invokeExact(errno, fd, command, argument);
            return result >= 0 ? result : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// splice(2) between descriptors that have no offset; 0 is the end of the stream. An ordinary
    /// call: a megabyte takes long enough to delay a safepoint.
    public long splice(int from, int to, long bytesMax, int flags) {
        try {
            while (true) {
                long moved =
                        (long)
                                SPLICE.invokeExact(
                                        errno,
                                        from,
                                        MemorySegment.NULL,
                                        to,
                                        MemorySegment.NULL,
                                        bytesMax,
                                        flags);
                if (moved >= 0) {
                    return moved;
                }
                int error = state.errno();
                if (error != Errno.EINTR) {
                    return -error;
                }
            }
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// write(2) from the front of a heap array.
    public int write(int fd, byte[] from, int bytes) {
        try {
            MemorySegment source = MemorySegment.ofArray(from).asSlice(0, bytes);
            long written = (long) WRITE.invokeExact(errno, fd, source, (long) bytes);
            return written >= 0 ? (int) written : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }
}
