package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// getrlimit(2) and setrlimit(2).
public final class LimitCalls {

    private static final FunctionDescriptor SHAPE =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle GETRLIMIT = CallState.plainFunction("getrlimit", SHAPE);
    private static final MethodHandle SETRLIMIT = CallState.plainFunction("setrlimit", SHAPE);

    /// `struct rlimit`: soft limit, hard limit, 8 bytes each.
    private static final int LIMIT_BYTES = 16;

    private LimitCalls() {}

    /// Raises the soft limit on open files to the hard one. Returns the soft limit in force, or -1.
    public static long raiseOpenFiles() {
        long hard = openFiles(Long.BYTES);
        return hard >= 0 && limitOpenFiles(hard) ? hard : openFiles(0);
    }

    /// Sets the soft limit on open files. Returns whether the kernel agreed.
    public static boolean limitOpenFiles(long soft) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(LIMIT_BYTES, 8);
            if ((int) GETRLIMIT.invokeExact(Abi.RLIMIT_NOFILE, limit) != 0) {
                return false;
            }
            limit.set(JAVA_LONG, 0, soft);
            return (int) SETRLIMIT.invokeExact(Abi.RLIMIT_NOFILE, limit) == 0;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    private static long openFiles(long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(LIMIT_BYTES, 8);
            int result = (int) GETRLIMIT.invokeExact(Abi.RLIMIT_NOFILE, limit);
            return result == 0 ? limit.get(JAVA_LONG, offset) : -1;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }
}
