package sluice.linux.socket;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.SocketAddress;
import sluice.linux.ffi.SocketCalls;

/// Making and ending TCP sockets. Owned by one loop thread.
public final class StreamSockets {

    private final SocketCalls calls;
    private final SocketSetup setup;
    private final MemorySegment peer;
    private final MemorySegment local;

    /// @param arena lives as long as the loop
    public StreamSockets(SocketCalls calls, Arena arena) {
        this.calls = calls;
        setup = new SocketSetup(calls, arena);
        peer = arena.allocate(SocketAddress.BYTES, 8);
        local = arena.allocate(SocketAddress.BYTES, 8);
    }

    /// Opens a listening socket. Returns it, or a negated error number.
    public int listen(Endpoint at, ListenOptions options) {
        int fd = open(at.address(), options.multipath());
        if (fd < 0) {
            return fd;
        }
        int result = setup.prepare(fd, at, options, options.reuseAddress());
        if (result >= 0) {
            // Accepted sockets inherit these: four system calls less for each of them.
            int _ = calls.setsockopt(fd, Abi.SOL_TCP, Abi.TCP_NODELAY, 1);
            if (options.keepAliveIdleSeconds() > 0) {
                keepAlive(fd, options.keepAliveIdleSeconds(), options.keepAliveIntervalSeconds());
            }
            if (options.fastOpenQueue() > 0) {
                int queue = options.fastOpenQueue();
                int _ = calls.setsockopt(fd, Abi.SOL_TCP, Abi.TCP_FASTOPEN, queue);
            }
            result = calls.listen(fd, options.backlog());
        }
        return result >= 0 ? fd : abandon(fd, result);
    }

    /// Takes a connection. Returns its socket, or a negated error number.
    public int accept(int listener) {
        return calls.accept(listener, peer);
    }

    /// The peer of the connection that [#accept] took last.
    public Endpoint acceptedPeer() {
        return SocketAddress.read(peer, 0);
    }

    /// Starts to connect. Returns the socket, or a negated error number.
    public int connect(Endpoint to, DialOptions options) {
        int fd = open(to.address(), options.multipath());
        if (fd < 0) {
            return fd;
        }
        int result = setup.prepare(fd, to.address(), options);
        if (result >= 0) {
            int _ = calls.setsockopt(fd, Abi.SOL_TCP, Abi.TCP_NODELAY, 1);
            if (options.keepAliveIdleSeconds() > 0) {
                int interval = options.keepAliveIntervalSeconds();
                keepAlive(fd, options.keepAliveIdleSeconds(), interval);
            }
            if (options.fastOpen()) {
                int _ = calls.setsockopt(fd, Abi.SOL_TCP, Abi.TCP_FASTOPEN_CONNECT, 1);
            }
            result = setup.connect(fd, to);
        }
        return result >= 0 || result == -Errno.EINPROGRESS ? fd : abandon(fd, result);
    }

    /// The pending error, cleared by asking: 0, or a positive error number.
    public int takeError(int fd) {
        return Math.abs(calls.getsockopt(fd, Abi.SOL_SOCKET, Abi.SO_ERROR));
    }

    /// The socket's own address, or null where it has none.
    public @Nullable Endpoint localOf(int fd) {
        return calls.getsockname(fd, local) < 0 ? null : SocketAddress.read(local, 0);
    }

    /// FIN behind what was sent.
    public int shutdownOutput(int fd) {
        return calls.shutdown(fd, Abi.SHUT_WR);
    }

    /// Closes with RST.
    public void reset(int fd) {
        int _ = calls.lingerNot(fd);
        int _ = calls.close(fd);
    }

    private int open(IpAddress address, boolean multipath) {
        int family = SocketSetup.family(address);
        if (multipath) {
            int fd = calls.socket(family, Abi.SOCK_STREAM, Abi.IPPROTO_MPTCP);
            // Kernels without MPTCP, or with it switched off, say no in several ways; TCP serves as
            // well.
            if (fd >= 0 || fd == -Errno.EMFILE || fd == -Errno.ENFILE) {
                return fd;
            }
        }
        return calls.socket(family, Abi.SOCK_STREAM, 0);
    }

    private void keepAlive(int fd, int idleSeconds, int intervalSeconds) {
        int _ = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_KEEPALIVE, 1);
        int _ = calls.setsockopt(fd, Abi.SOL_TCP, Abi.TCP_KEEPIDLE, idleSeconds);
        if (intervalSeconds > 0) {
            int _ = calls.setsockopt(fd, Abi.SOL_TCP, Abi.TCP_KEEPINTVL, intervalSeconds);
        }
    }

    private int abandon(int fd, int result) {
        int _ = calls.close(fd);
        return result;
    }
}
