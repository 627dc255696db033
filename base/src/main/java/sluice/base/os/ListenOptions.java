package sluice.base.os;

import org.jspecify.annotations.Nullable;

/// How a listening socket is made. An IPv6 wildcard serves IPv4 as well, whatever the system's
/// default, unless `onlyV6` says that another socket does.
///
/// @param backlog accept queue length; the kernel caps it at somaxconn
/// @param reuseAddress SO_REUSEADDR
/// @param reusePort SO_REUSEPORT
/// @param bindInterface SO_BINDTODEVICE, or null
/// @param routingMark SO_MARK, or 0
/// @param fastOpenQueue TCP_FASTOPEN queue length, or 0 for off
/// @param multipath MPTCP where the kernel has it
/// @param keepAliveIdleSeconds TCP_KEEPIDLE of accepted connections, or 0 for no keep-alive
/// @param keepAliveIntervalSeconds TCP_KEEPINTVL of accepted connections, or 0 for the system's
/// @param onlyV6 IPV6_V6ONLY on a wildcard, since IPv4 has a socket of its own on the port
public record ListenOptions(
        int backlog,
        boolean reuseAddress,
        boolean reusePort,
        @Nullable String bindInterface,
        int routingMark,
        int fastOpenQueue,
        boolean multipath,
        int keepAliveIdleSeconds,
        int keepAliveIntervalSeconds,
        boolean onlyV6) {

    /// Backlog 4,096 (the kernel's own cap), SO_REUSEADDR on, keep-alive after 300 s every 75 s,
    /// all else off.
    public static final ListenOptions DEFAULT =
            new ListenOptions(4096, true, false, null, 0, 0, false, 300, 75, false);

    /// The same for an IPv6 wildcard beside an IPv4 one.
    public ListenOptions withOnlyV6() {
        return new ListenOptions(
                backlog,
                reuseAddress,
                reusePort,
                bindInterface,
                routingMark,
                fastOpenQueue,
                multipath,
                keepAliveIdleSeconds,
                keepAliveIntervalSeconds,
                true);
    }
}
