package sluice.linux.poll;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import sluice.base.fault.SystemFault;
import sluice.base.os.Errno;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.PollCalls;

/// One epoll instance, edge-triggered, with an event descriptor to wake it. Owned by one thread;
/// only [#wake] may be called from elsewhere.
///
/// A descriptor is registered once, for everything; no call changes its interest later. That saves
/// an `epoll_ctl` (0.27 µs) for every change between "wants to read" and "wants to write": four for
/// each time a relay is held up, on both of its sockets.
public final class Poller {

    /// Events taken per wait. What does not fit is reported by the next one.
    private static final int EVENTS_MAX = 256;

    /// `struct epoll_event` is packed on x86-64 alone: the kernel shares it with 32-bit programs
    /// there.
    private static final boolean PACKED =
            System.getProperty("os.arch").equals("amd64")
                    || System.getProperty("os.arch").equals("x86_64");

    private static final int EVENT_BYTES = PACKED ? 12 : 16;
    private static final int DATA_OFFSET = PACKED ? 4 : 8;

    private static final int STREAM_EVENTS =
            Abi.EPOLLIN | Abi.EPOLLPRI | Abi.EPOLLOUT | Abi.EPOLLRDHUP | Abi.EPOLLET;

    /// No EPOLLOUT: the kernel reports it whenever a datagram has left the machine.
    private static final int DATAGRAM_EVENTS = Abi.EPOLLIN | Abi.EPOLLET;

    /// The token of the event descriptor; no other may use it.
    private static final long WAKE_TOKEN = Long.MIN_VALUE;

    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int WOKEN = 2;

    private final PollCalls calls;
    private final MemorySegment events;
    private final MemorySegment event;
    private final int epoll;
    private final long[] tokens = new long[EVENTS_MAX];
    private final int[] readiness = new int[EVENTS_MAX];

    /// [#AWAKE], [#ASLEEP] or [#WOKEN]. Only who wakes a sleeper pays for a system call.
    private final AtomicInteger phase = new AtomicInteger(AWAKE);

    private final Object wakeLock = new Object();
    private int wakeFd;
    private boolean urgentSeen;

    /// Opens it, for the calling thread.
    ///
    /// @param arena lives as long as the loop
    /// @throws SystemFault when descriptors have run out
    public Poller(CallState state, Arena arena) {
        calls = new PollCalls(state);
        events = arena.allocate((long) EVENTS_MAX * EVENT_BYTES, 8);
        event = arena.allocate(EVENT_BYTES, 8);
        epoll = orFault("epoll_create1", calls.epollCreate());
        wakeFd = orFault("eventfd", calls.eventfd());
        orFault("epoll_ctl", add(wakeFd, WAKE_TOKEN, Abi.EPOLLIN | Abi.EPOLLET));
    }

    /// Waits at most `timeoutNanos`, rounded up to milliseconds; below 0 without limit. Returns how
    /// many descriptors are ready; 0 as well when a signal interrupted.
    public int await(long timeoutNanos) {
        int timeoutMillis = millis(timeoutNanos);
        if (timeoutMillis != 0 && !phase.compareAndSet(AWAKE, ASLEEP)) {
            timeoutMillis = 0;
        }
        int count = calls.epollWait(epoll, events, EVENTS_MAX, timeoutMillis);
        phase.set(AWAKE);
        return count > 0 ? takeEvents(count) : 0;
    }

    /// The token of the ready descriptor at `index`.
    public long token(int index) {
        return tokens[index];
    }

    /// The readiness bits of the ready descriptor at `index`.
    public int readiness(int index) {
        return readiness[index];
    }

    /// Makes the present or next [#await] return. Any thread. Costs a system call when the loop
    /// sleeps and is not woken yet, and nothing otherwise.
    public void wake() {
        if (phase.get() != WOKEN && phase.getAndSet(WOKEN) == ASLEEP) {
            synchronized (wakeLock) {
                if (wakeFd >= 0) {
                    PollCalls.eventfdWrite(wakeFd);
                }
            }
        }
    }

    /// Reports a stream socket from now on.
    public int watchStream(int fd, long token) {
        return add(fd, token, STREAM_EVENTS);
    }

    /// Reports a datagram socket from now on; never as writable.
    public int watchDatagrams(int fd, long token) {
        return add(fd, token, DATAGRAM_EVENTS);
    }

    /// Reports `fd` no more.
    public int unwatch(int fd) {
        return calls.epollControl(epoll, Abi.EPOLL_CTL_DEL, fd, event);
    }

    /// Whether any peer has ever sent urgent data to a watched socket; splice(2) stops in front of
    /// it.
    public boolean urgentSeen() {
        return urgentSeen;
    }

    /// The descriptors to close when the loop ends; [#wake] does nothing from here on.
    public int[] release() {
        synchronized (wakeLock) {
            int[] descriptors = {epoll, wakeFd};
            wakeFd = -1;
            return descriptors;
        }
    }

    private int takeEvents(int count) {
        int taken = 0;
        int seen = 0;
        for (int i = 0; i < count; i++) {
            long offset = (long) i * EVENT_BYTES;
            long token = events.get(JAVA_LONG_UNALIGNED, offset + DATA_OFFSET);
            if (token != WAKE_TOKEN) {
                tokens[taken] = token;
                int bits = events.get(JAVA_INT, offset);
                readiness[taken++] = bits;
                seen |= bits;
            }
        }
        if ((seen & Abi.EPOLLPRI) != 0) {
            urgentSeen = true;
        }
        return taken;
    }

    private int add(int fd, long token, int bits) {
        event.set(JAVA_INT, 0, bits);
        event.set(JAVA_LONG_UNALIGNED, DATA_OFFSET, token);
        return calls.epollControl(epoll, Abi.EPOLL_CTL_ADD, fd, event);
    }

    private static int millis(long nanos) {
        if (nanos <= 0) {
            return nanos == 0 ? 0 : -1;
        }
        return (int) Math.min(Math.ceilDiv(nanos, 1_000_000L), Integer.MAX_VALUE);
    }

    private static int orFault(String call, int result) {
        if (result < 0) {
            throw new SystemFault(call, -result, Errno.describe(-result));
        }
        return result;
    }
}
