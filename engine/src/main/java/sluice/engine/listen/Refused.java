package sluice.engine.listen;

import org.jspecify.annotations.Nullable;
import sluice.base.fault.SystemFault;
import sluice.base.net.Endpoint;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.engine.plan.InboundPlan;

/// Says why an inbound cannot listen, and what to do about it.
final class Refused {

    /// Below it, Linux asks for a capability, unless `net.ipv4.ip_unprivileged_port_start` says
    /// otherwise.
    private static final int FIRST_FREE_PORT = 1024;

    private Refused() {}

    /// The fault, with the inbound, its place, the address, the reason and the mend.
    ///
    /// @param transport `tcp` or `udp`
    /// @param errno positive, or 0 where the socket is there and cannot be waited for
    static SystemFault listening(InboundPlan inbound, String transport, Endpoint at, int errno) {
        String where = inbound.origin().isEmpty() ? "" : " at " + inbound.origin();
        String mend = mendOrNull(inbound.listen(), transport, at, errno);
        return new SystemFault(
                "inbound " + inbound.tag() + where + " cannot listen on " + transport + " " + at,
                errno,
                reason(inbound.listen(), errno) + (mend == null ? "" : "\n    mend: " + mend));
    }

    private static String reason(ListenOptions options, int errno) {
        return switch (errno) {
            case 0 -> "its socket cannot be waited for";
            case Errno.ENODEV -> "there is no interface " + options.bindInterface() + ", ENODEV";
            default -> Errno.describe(errno);
        };
    }

    private static @Nullable String mendOrNull(
            ListenOptions options, String transport, Endpoint at, int errno) {
        return switch (errno) {
            case Errno.EADDRINUSE ->
                    "end the program that listens there ("
                            + (transport.equals("tcp") ? "ss -ltnp" : "ss -lunp")
                            + " 'sport = :"
                            + at.port()
                            + "' names it), or use another \"listen_port\"";
            case Errno.EACCES ->
                    at.port() > 0 && at.port() < FIRST_FREE_PORT
                            ? "ports below 1024 need the capability CAP_NET_BIND_SERVICE: give it"
                                    + " to the process, or use another \"listen_port\""
                            : null;
            case Errno.EPERM ->
                    options.routingMark() != 0
                            ? "\"routing_mark\" needs the capability CAP_NET_ADMIN: give it to the"
                                    + " process, or remove the key"
                            : options.bindInterface() == null
                                    ? null
                                    : "\"bind_interface\" needs the capability CAP_NET_RAW: give it"
                                            + " to the process, or remove the key";
            case Errno.ENODEV -> "correct \"bind_interface\"; ip link lists the interfaces";
            case Errno.EAFNOSUPPORT -> "this system has no IPv6; listen on an IPv4 address";
            default -> null;
        };
    }
}
