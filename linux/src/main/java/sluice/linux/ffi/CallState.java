package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/// Where C calls of one thread leave their error number. There is one per loop: the JVM itself
/// makes system calls between ours, and another thread would read a foreign number.
public final class CallState {

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = LAYOUT.byteOffset(PathElement.groupElement("errno"));

    private final MemorySegment segment;

    /// @param arena lives as long as the loop
    public CallState(Arena arena) {
        segment = arena.allocate(LAYOUT);
    }

    /// What to pass as the first argument of a bound function.
    MemorySegment segment() {
        return segment;
    }

    /// The error number of the call that failed last.
    int errno() {
        return segment.get(JAVA_INT, ERRNO_OFFSET);
    }

    /// A C function that captures its error number; the first parameter of the handle is
    /// [#segment].
    @SuppressWarnings("restricted")
    static MethodHandle function(
            String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 0, options.length);
        all[options.length] = Linker.Option.captureCallState("errno");
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, all);
    }

    /// A C function whose error does not matter.
    @SuppressWarnings("restricted")
    static MethodHandle plainFunction(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }

    /// What a failure of the binding itself is: a bug of ours.
    static AssertionError unexpected(Throwable cause) {
        if (cause instanceof Error error && !(error instanceof AssertionError)) {
            throw error;
        }
        return new AssertionError(cause);
    }
}
