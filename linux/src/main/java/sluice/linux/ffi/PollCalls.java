package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// epoll(7) and eventfd(2) for one thread. Results below 0 are negated error numbers.
public final class PollCalls {

    private static final MethodHandle EPOLL_CREATE1 =
            CallState.function("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle EPOLL_CTL =
            CallState.function(
                    "epoll_ctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle EPOLL_WAIT =
            CallState.function(
                    "epoll_wait",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle EVENTFD =
            CallState.function("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle EVENTFD_WRITE =
            CallState.plainFunction(
                    "eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

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
            int fd = (int) EPOLL_CREATE1.invokeExact(errno, Abi.O_CLOEXEC);
            return fd >= 0 ? fd : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// epoll_ctl(2).
    public int epollControl(int epoll, int operation, int fd, MemorySegment event) {
        try {
            int result = (int) EPOLL_CTL.invokeExact(errno, epoll, operation, fd, event);
            return result >= 0 ? result : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// epoll_wait(2). May block, and is an ordinary call for that reason.
    public int epollWait(int epoll, MemorySegment events, int eventsMax, int timeoutMillis) {
        try {
            int count =
                    (int) EPOLL_WAIT.invokeExact(errno, epoll, events, eventsMax, timeoutMillis);
            return count >= 0 ? count : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// eventfd(2), non-blocking and close-on-exec.
    public int eventfd() {
        try {
            int fd = (int) EVENTFD.invokeExact(errno, 0, Abi.O_NONBLOCK | Abi.O_CLOEXEC);
            return fd >= 0 ? fd : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// eventfd_write(3) of 1. Any thread.
    @SuppressWarnings("UnusedVariable")
    public static void eventfdWrite(int fd) {
        try {
            int _ = (int) EVENTFD_WRITE.invokeExact(fd, 1L);
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }
}
