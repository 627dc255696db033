package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import sluice.base.os.Errno;

/// Socket functions for one thread. Results below 0 are negated error numbers; interrupted calls
/// are repeated.
public final class SocketCalls {

    private static final MethodHandle SOCKET = CallState.function("socket");
    private static final MethodHandle BIND = CallState.function("bind");
    private static final MethodHandle CONNECT = CallState.function("connect");
    private static final MethodHandle LISTEN = CallState.function("listen");
    private static final MethodHandle SHUTDOWN = CallState.function("shutdown");
    private static final MethodHandle ACCEPT4 = CallState.function("accept4");
    private static final MethodHandle GETSOCKNAME = CallState.function("getsockname");
    private static final MethodHandle SETSOCKOPT = CallState.function("setsockopt");
    private static final MethodHandle GETSOCKOPT = CallState.function("getsockopt");
    private static final MethodHandle CLOSE = CallState.function("close");
    private static final MethodHandle RECV = CallState.transfer("recv");
    private static final MethodHandle SEND = CallState.transfer("send");

    private static final int OPTION_BYTES = 64;

    private final CallState state;
    private final MemorySegment errno;
    private final MemorySegment option;
    private final MemorySegment length;
    private final ArrayViews views = new ArrayViews();

    /// @param arena lives as long as the loop
    public SocketCalls(CallState state, Arena arena) {
        this.state = state;
        errno = state.segment();
        option = arena.allocate(OPTION_BYTES, 8);
        length = arena.allocate(JAVA_INT);
    }

    /// socket(2); non-blocking and close-on-exec.
    public int socket(int family, int type, int protocol) {
        try {
            long flagged = type | Abi.SOCK_NONBLOCK | Abi.SOCK_CLOEXEC;
            int fd =
                    (int)
                            (long)
                                    SOCKET.invokeExact(
                                            errno,
                                            (long) family,
                                            flagged,
                                            (long) protocol,
                                            0L,
                                            0L,
                                            0L);
            return fd >= 0 ? fd : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// bind(2).
    public int bind(int fd, MemorySegment address, int bytes) {
        try {
            long at = address.address();
            long result = (long) BIND.invokeExact(errno, (long) fd, at, (long) bytes, 0L, 0L, 0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// connect(2). Interrupted means under way, as on a non-blocking socket.
    public int connect(int fd, MemorySegment address, int bytes) {
        try {
            long to = address.address();
            long result =
                    (long) CONNECT.invokeExact(errno, (long) fd, to, (long) bytes, 0L, 0L, 0L);
            if ((int) result >= 0) {
                return (int) result;
            }
            int error = state.error();
            return error == -Errno.EINTR ? -Errno.EINPROGRESS : error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// listen(2).
    public int listen(int fd, int backlog) {
        try {
            long result =
                    (long) LISTEN.invokeExact(errno, (long) fd, (long) backlog, 0L, 0L, 0L, 0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// accept4(2); non-blocking and close-on-exec. The peer is written to `address`.
    public int accept(int fd, MemorySegment address) {
        try {
            long flags = Abi.SOCK_NONBLOCK | Abi.SOCK_CLOEXEC;
            long peer = address.address();
            int error;
            do {
                length.set(JAVA_INT, 0, (int) address.byteSize());
                long accepted =
                        (long)
                                ACCEPT4.invokeExact(
                                        errno, (long) fd, peer, length.address(), flags, 0L, 0L);
                if ((int) accepted >= 0) {
                    return (int) accepted;
                }
                error = state.error();
            } while (error == -Errno.EINTR);
            return error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// getsockname(2).
    public int getsockname(int fd, MemorySegment address) {
        try {
            length.set(JAVA_INT, 0, (int) address.byteSize());
            long at = address.address();
            long result =
                    (long)
                            GETSOCKNAME.invokeExact(
                                    errno, (long) fd, at, length.address(), 0L, 0L, 0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// setsockopt(2) with an int.
    public int setsockopt(int fd, int level, int name, int value) {
        option.set(JAVA_INT, 0, value);
        return setsockoptOfBytes(fd, level, name, Integer.BYTES);
    }

    /// setsockopt(2) with a text: the name of an interface, for instance.
    public int setsockopt(int fd, int level, int name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > OPTION_BYTES) {
            return -Errno.EINVAL;
        }
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, option, 0, bytes.length);
        return setsockoptOfBytes(fd, level, name, bytes.length);
    }

    /// SO_LINGER on, with no time: close(2) sends RST.
    public int lingerNot(int fd) {
        option.set(JAVA_INT, 0, 1);
        option.set(JAVA_INT, Integer.BYTES, 0);
        return setsockoptOfBytes(fd, Abi.SOL_SOCKET, Abi.SO_LINGER, 2 * Integer.BYTES);
    }

    private int setsockoptOfBytes(int fd, int level, int name, int bytes) {
        try {
            long result =
                    (long)
                            SETSOCKOPT.invokeExact(
                                    errno,
                                    (long) fd,
                                    (long) level,
                                    (long) name,
                                    option.address(),
                                    (long) bytes,
                                    0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// getsockopt(2) of an int that is not negative.
    public int getsockopt(int fd, int level, int name) {
        try {
            length.set(JAVA_INT, 0, Integer.BYTES);
            long result =
                    (long)
                            GETSOCKOPT.invokeExact(
                                    errno,
                                    (long) fd,
                                    (long) level,
                                    (long) name,
                                    option.address(),
                                    length.address(),
                                    0L);
            return (int) result >= 0 ? option.get(JAVA_INT, 0) : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// shutdown(2).
    public int shutdown(int fd, int how) {
        try {
            long result = (long) SHUTDOWN.invokeExact(errno, (long) fd, (long) how, 0L, 0L, 0L, 0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// close(2). Never repeated: the number is free whatever the result.
    public int close(int fd) {
        try {
            long result = (long) CLOSE.invokeExact(errno, (long) fd, 0L, 0L, 0L, 0L, 0L);
            return (int) result >= 0 ? (int) result : state.error();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// recv(2) into a heap array.
    public int recv(int fd, byte[] into, int offset, int bytes, int flags) {
        try {
            MemorySegment target = views.of(into, offset, bytes);
            int error;
            do {
                long got = (long) RECV.invokeExact(errno, fd, target, (long) bytes, flags);
                if (got >= 0) {
                    return (int) got;
                }
                error = state.error();
            } while (error == -Errno.EINTR);
            return error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// send(2) from a heap array; never raises SIGPIPE.
    public int send(int fd, byte[] from, int offset, int bytes, int flags) {
        try {
            MemorySegment source = views.of(from, offset, bytes);
            int quiet = flags | Abi.MSG_NOSIGNAL;
            int error;
            do {
                long sent = (long) SEND.invokeExact(errno, fd, source, (long) bytes, quiet);
                if (sent >= 0) {
                    return (int) sent;
                }
                error = state.error();
            } while (error == -Errno.EINTR);
            return error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// Lets go of the arrays that went through [#recv] and [#send].
    public void forgetArrays() {
        views.clear();
    }
}
