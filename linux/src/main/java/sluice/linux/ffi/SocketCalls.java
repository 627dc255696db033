package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import sluice.base.os.Errno;

/// Socket functions for one thread. Results below 0 are negated error numbers; interrupted calls
/// are repeated.
///
/// [#recv] and [#send] take heap arrays without a copy (`Linker.Option.critical`): the thread
/// cannot reach a safepoint meanwhile, which is why descriptors must not block.
public final class SocketCalls {

    private static final MethodHandle SOCKET =
            CallState.function(
                    "socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND =
            CallState.function(
                    "bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle CONNECT =
            CallState.function(
                    "connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle LISTEN =
            CallState.function("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SHUTDOWN =
            CallState.function("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT4 =
            CallState.function(
                    "accept4",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle GETSOCKNAME =
            CallState.function(
                    "getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle SETSOCKOPT =
            CallState.function(
                    "setsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GETSOCKOPT =
            CallState.function(
                    "getsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CLOSE =
            CallState.function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private static final FunctionDescriptor TRANSFER =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECV =
            CallState.function("recv", TRANSFER, Linker.Option.critical(true));
    private static final MethodHandle SEND =
            CallState.function("send", TRANSFER, Linker.Option.critical(true));

    private static final int OPTION_BYTES = 64;

    private final CallState state;
    private final MemorySegment errno;
    private final MemorySegment option;
    private final MemorySegment length;

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
            int flagged = type | Abi.SOCK_NONBLOCK | Abi.SOCK_CLOEXEC;
            int fd = (int) SOCKET.invokeExact(errno, family, flagged, protocol);
            return fd >= 0 ? fd : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// bind(2).
    public int bind(int fd, MemorySegment address, int bytes) {
        try {
            int result = (int) BIND.invokeExact(errno, fd, address, bytes);
            return result >= 0 ? result : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// connect(2). Interrupted means under way, as on a non-blocking socket.
    public int connect(int fd, MemorySegment address, int bytes) {
        try {
            int result = (int) CONNECT.invokeExact(errno, fd, address, bytes);
            if (result >= 0) {
                return result;
            }
            int error = state.errno();
            return error == Errno.EINTR ? -Errno.EINPROGRESS : -error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// listen(2).
    public int listen(int fd, int backlog) {
        try {
            int result = (int) LISTEN.invokeExact(errno, fd, backlog);
            return result >= 0 ? result : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// accept4(2); non-blocking and close-on-exec. The peer is written to `address`.
    public int accept(int fd, MemorySegment address) {
        try {
            int flags = Abi.SOCK_NONBLOCK | Abi.SOCK_CLOEXEC;
            while (true) {
                length.set(JAVA_INT, 0, (int) address.byteSize());
                int accepted = (int) ACCEPT4.invokeExact(errno, fd, address, length, flags);
                if (accepted >= 0) {
                    return accepted;
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

    /// getsockname(2).
    public int getsockname(int fd, MemorySegment address) {
        try {
            length.set(JAVA_INT, 0, (int) address.byteSize());
            int result = (int) GETSOCKNAME.invokeExact(errno, fd, address, length);
            return result >= 0 ? result : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// setsockopt(2) with an int.
    public int setsockopt(int fd, int level, int name, int value) {
        option.set(JAVA_INT, 0, value);
        return setsockopt(fd, level, name, option, Integer.BYTES);
    }

    /// setsockopt(2) with a name, of an interface for instance.
    public int setsockopt(int fd, int level, int name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > OPTION_BYTES) {
            return -Errno.EINVAL;
        }
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, option, 0, bytes.length);
        return setsockopt(fd, level, name, option, bytes.length);
    }

    /// SO_LINGER on, with no time: close(2) sends RST.
    public int lingerNot(int fd) {
        option.set(JAVA_INT, 0, 1);
        option.set(JAVA_INT, Integer.BYTES, 0);
        return setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_LINGER, option, 2 * Integer.BYTES);
    }

    private int setsockopt(int fd, int level, int name, MemorySegment value, int bytes) {
        try {
            int result = (int) SETSOCKOPT.invokeExact(errno, fd, level, name, value, bytes);
            return result >= 0 ? result : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// getsockopt(2) of an int that is not negative.
    public int getsockopt(int fd, int level, int name) {
        try {
            length.set(JAVA_INT, 0, Integer.BYTES);
            int result = (int) GETSOCKOPT.invokeExact(errno, fd, level, name, option, length);
            return result >= 0 ? option.get(JAVA_INT, 0) : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// shutdown(2).
    public int shutdown(int fd, int how) {
        try {
            int result = (int) SHUTDOWN.invokeExact(errno, fd, how);
            return result >= 0 ? result : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// close(2). Never repeated: the number is free whatever the result.
    public int close(int fd) {
        try {
            int result = (int) CLOSE.invokeExact(errno, fd);
            return result >= 0 ? result : -state.errno();
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// recv(2) into a heap array.
    public int recv(int fd, byte[] into, int offset, int bytes, int flags) {
        try {
            MemorySegment target = MemorySegment.ofArray(into).asSlice(offset, bytes);
            while (true) {
                long got = (long) RECV.invokeExact(errno, fd, target, (long) bytes, flags);
                if (got >= 0) {
                    return (int) got;
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

    /// send(2) from a heap array; never raises SIGPIPE.
    public int send(int fd, byte[] from, int offset, int bytes, int flags) {
        try {
            MemorySegment source = MemorySegment.ofArray(from).asSlice(offset, bytes);
            int quiet = flags | Abi.MSG_NOSIGNAL;
            while (true) {
                long sent = (long) SEND.invokeExact(errno, fd, source, (long) bytes, quiet);
                if (sent >= 0) {
                    return (int) sent;
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
}
