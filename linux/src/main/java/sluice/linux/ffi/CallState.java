package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/// Where C calls of one thread leave their error number. There is one per loop: the JVM itself
/// makes system calls between ours, and another thread would read a foreign number.
///
/// Functions are bound in two shapes only, because each further shape costs about 15 ms of
/// processor time at start: the linker writes code for it. [#function] passes six longs; a function
/// takes as many as it has parameters, from the registers that hold integers and pointers alike in
/// the calling conventions of Linux on x86-64 and arm64. [#transfer] is for `recv` and `send`,
/// which take heap arrays.
public final class CallState {

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = LAYOUT.byteOffset(PathElement.groupElement("errno"));
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final FunctionDescriptor SIX_LONGS =
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor TRANSFER =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

    /// For calls whose error does not matter, from any thread: all write here, nobody reads.
    static final MemorySegment IGNORED = new CallState(Arena.global()).segment();

    private final MemorySegment segment;

    /// @param arena lives as long as the loop
    public CallState(Arena arena) {
        segment = arena.allocate(LAYOUT);
    }

    /// What to pass as the first argument of a bound function.
    MemorySegment segment() {
        return segment;
    }

    /// The error number of the call that failed last, negated.
    int error() {
        return -segment.get(JAVA_INT, ERRNO_OFFSET);
    }

    /// A C function of up to six integers and pointers. The result is a long of which a function
    /// that returns an int defines the lower half: cast it.
    @SuppressWarnings("restricted")
    static MethodHandle function(String name) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), SIX_LONGS, CAPTURE);
    }

    /// A C function of the shape of `recv`: descriptor, array, length, flags. The array may be on
    /// the heap and is not copied; the thread reaches no safepoint meanwhile, so the descriptor
    /// must not block.
    @SuppressWarnings("restricted")
    static MethodHandle transfer(String name) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                TRANSFER,
                CAPTURE,
                Linker.Option.critical(true));
    }

    /// What a failure of the binding itself is: a bug of ours.
    static AssertionError unexpected(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return new AssertionError(cause);
    }
}
