package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// getrlimit(2) and setrlimit(2).
public final class LimitCalls {

    private static final MethodHandle GETRLIMIT = CallState.function("getrlimit");
    private static final MethodHandle SETRLIMIT = CallState.function("setrlimit");

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
            if (!call(GETRLIMIT, arena, limit)) {
                return false;
            }
            limit.set(JAVA_LONG, 0, soft);
            return call(SETRLIMIT, arena, limit);
        }
    }

    private static long openFiles(long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(LIMIT_BYTES, 8);
            return call(GETRLIMIT, arena, limit) ? limit.get(JAVA_LONG, offset) : -1;
        }
    }

    private static boolean call(MethodHandle function, Arena arena, MemorySegment limit) {
        try {
            MemorySegment errno = new CallState(arena).segment();
            long files = Abi.RLIMIT_NOFILE;
            long result =
                    (long) function.invokeExact(errno, files, limit.address(), 0L, 0L, 0L, 0L);
            return (int) result == 0;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }
}
