package sluice.linux.socket;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.SocketAddress;
import sluice.linux.ffi.SocketCalls;

/// What streams and datagrams have in common while a socket is being made. Results are 0 or a
/// negated error number; the first failure ends the making, because traffic through the wrong
/// interface or without its mark is worse than none.
final class SocketSetup {

    private final SocketCalls calls;
    private final MemorySegment address;

    /// @param arena lives as long as the loop
    SocketSetup(SocketCalls calls, Arena arena) {
        this.calls = calls;
        address = arena.allocate(SocketAddress.BYTES, 8);
    }

    /// The address family of `address`.
    static int family(IpAddress address) {
        return address.isV4() ? Abi.AF_INET : Abi.AF_INET6;
    }

    /// Prepares a listening socket and binds it.
    int prepare(int fd, Endpoint at, ListenOptions options, boolean reuseAddress) {
        int result = 0;
        if (!at.address().isV4()) {
            int only = at.address().isAny() && !options.onlyV6() ? 0 : 1;
            result = calls.setsockopt(fd, Abi.SOL_IPV6, Abi.IPV6_V6ONLY, only);
        }
        if (result >= 0 && reuseAddress) {
            result = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_REUSEADDR, 1);
        }
        if (result >= 0 && options.reusePort()) {
            result = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_REUSEPORT, 1);
        }
        if (result >= 0) {
            result = route(fd, options.bindInterface(), options.routingMark());
        }
        return result >= 0 ? bind(fd, at) : result;
    }

    /// Prepares a dialling socket of the family of `family` and binds it where the operator says.
    int prepare(int fd, IpAddress family, DialOptions options) {
        int result = 0;
        if (options.reuseAddress()) {
            result = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_REUSEADDR, 1);
        }
        if (result >= 0) {
            result = route(fd, options.bindInterface(), options.routingMark());
        }
        IpAddress source = family.isV4() ? options.bindV4() : options.bindV6();
        if (result < 0 || source == null) {
            return result;
        }
        // The port is chosen when the target is known, so that many sockets can share one.
        int _ = calls.setsockopt(fd, Abi.SOL_IP, Abi.IP_BIND_ADDRESS_NO_PORT, 1);
        return bind(fd, new Endpoint(source, 0));
    }

    /// connect(2).
    int connect(int fd, Endpoint to) {
        int bytes = SocketAddress.write(address, 0, to, !to.address().isV4());
        return calls.connect(fd, address, bytes);
    }

    private int route(int fd, @Nullable String bindInterface, int routingMark) {
        int result = 0;
        if (bindInterface != null) {
            result = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_BINDTODEVICE, bindInterface);
        }
        if (result >= 0 && routingMark != 0) {
            result = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_MARK, routingMark);
        }
        return result;
    }

    private int bind(int fd, Endpoint at) {
        int bytes = SocketAddress.write(address, 0, at, !at.address().isV4());
        return calls.bind(fd, address, bytes);
    }
}
