package sluice.linux.pipe;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sluice.base.os.Errno;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.SocketCalls;

@Timeout(60)
final class PipePoolTest {

    /// Nobody has this number.
    private static final long STRANGER = 54_321;

    @Test
    void pipesGetSmallerAsThereAreMore() {
        List<Integer> sizes = takeAll(200);

        assertThat(sizes.subList(0, 32)).allMatch(bytes -> bytes == 1 << 20);
        assertThat(sizes.subList(32, 96)).allMatch(bytes -> bytes == 1 << 18);
        assertThat(sizes.subList(96, 200)).allMatch(bytes -> bytes == 1 << 16);
    }

    @Test
    void theProcessHasALimit() {
        List<Integer> sizes = takeAll(PipePool.OPEN_MAX + 5);

        assertThat(sizes.subList(PipePool.OPEN_MAX - 200, PipePool.OPEN_MAX))
                .allMatch(bytes -> bytes >= 1 << 16 || bytes == -Errno.ENOBUFS);
        assertThat(sizes.subList(PipePool.OPEN_MAX, PipePool.OPEN_MAX + 5))
                .containsOnly(-Errno.ENOBUFS);
    }

    /// Identity belongs to a thread, for the kernel; this one ends with its new identity.
    @Test
    void aUserWithoutPrivilegeGetsNoPipesThatAreTooSmall() throws InterruptedException {
        AtomicReference<List<Integer>> taken = new AtomicReference<>(List.of());
        Thread stranger =
                Thread.ofPlatform()
                        .start(() -> {
                            if (becomeStranger()) {
                                taken.set(takeAll(500));
                            }
                        });
        stranger.join();
        List<Integer> sizes = taken.get();
        Assumptions.assumeFalse(sizes.isEmpty(), "only root can become somebody else");

        List<Integer> pipes = sizes.stream().filter(bytes -> bytes > 0).toList();
        assertThat(pipes).hasSizeGreaterThan(300).allMatch(bytes -> bytes >= 1 << 16);
        assertThat(sizes.subList(pipes.size(), sizes.size())).containsOnly(-Errno.ENOBUFS);
    }

    /// The sizes of that many pipes that are open together, or the errors.
    private static List<Integer> takeAll(int count) {
        try (Arena arena = Arena.ofConfined()) {
            CallState state = new CallState(arena);
            PipePool pool = new PipePool(state, new SocketCalls(state, arena), arena);
            List<Integer> sizes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int pipe = pool.take();
                sizes.add(pipe < 0 ? pipe : pool.capacityBytes(pipe));
            }
            pool.close();
            return sizes;
        }
    }

    @SuppressWarnings("restricted")
    private static boolean becomeStranger() {
        long setresuid = System.getProperty("os.arch").equals("amd64") ? 117 : 147;
        Linker linker = Linker.nativeLinker();
        MethodHandle syscall =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("syscall"),
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        try {
            return (long) syscall.invokeExact(setresuid, STRANGER, STRANGER, STRANGER) == 0;
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
