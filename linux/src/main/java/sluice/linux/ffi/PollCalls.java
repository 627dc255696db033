package sluice.linux.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// epoll(7) and eventfd(2) for one thread. Results below 0 are negated error numbers.
public final class PollCalls {

    private static final MethodHandle EPOLL_CREATE1 = CallState.function("epoll_create1");
    private static final MethodHandle EPOLL_CTL = CallState.function("epoll_ctl");
    private static final MethodHandle EPOLL_WAIT = CallState.function("epoll_wait");
    private static final MethodHandle EVENTFD = CallState.function("eventfd");
    private static final MethodHandle EVENTFD_WRITE = CallState.function("eventfd_write");

    private final CallState state;
    private final MemorySegment errno;

    /// For the thread that owns `state`.
    public PollCalls(CallState state) {
        this.state = state;
        errno = state.segment();
    }

    /// epoll_create1(2), close-on-exec.
    public int epollCreate() {
        try {
            long fd =
                    (long)
                            EPOLL_CREATE1.invokeExact(
                                    errno, (long) Abi.O_CLOEXEC, 0L, 0L, 0L, 0L, 0L);
            return (int) fd >= 0 ? (int) fd : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// epoll_ctl(2).
    public int epollControl(int epoll, int operation, int fd, MemorySegment event) {
        try {
            long result =
                    (long)
                            EPOLL_CTL.invokeExact(
                                    errno,
                                    (long) epoll,
                                    (long) operation,
                                    (long) fd,
                                    event.address(),
                                    0L,
                                    0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// epoll_wait(2).
    public int epollWait(int epoll, MemorySegment events, int eventsMax, int timeoutMillis) {
        try {
            long count =
                    (long)
                            EPOLL_WAIT.invokeExact(
                                    errno,
                                    (long) epoll,
                                    events.address(),
                                    (long) eventsMax,
                                    (long) timeoutMillis,
                                    0L,
                                    0L);
            return (int) count >= 0 ? (int) count : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// eventfd(2), non-blocking and close-on-exec.
    public int eventfd() {
        try {
            long flags = Abi.O_NONBLOCK | Abi.O_CLOEXEC;
            long fd = (long) EVENTFD.invokeExact(errno, 0L, flags, 0L, 0L, 0L, 0L);
            return (int) fd >= 0 ? (int) fd : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// eventfd_write(3) of 1. Any thread.
    public static void eventfdWrite(int fd) {
        try {
            long _ =
                    (long)
                            EVENTFD_WRITE.invokeExact(
                                    CallState.IGNORED, (long) fd, 1L, 0L, 0L, 0L, 0L);
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }
}
