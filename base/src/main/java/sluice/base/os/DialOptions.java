package sluice.base.os;

import org.jspecify.annotations.Nullable;
import sluice.base.net.IpAddress;

/// How a dialling socket is made, for streams and datagrams.
///
/// @param bindInterface SO_BINDTODEVICE, or null
/// @param bindV4 source address for IPv4 targets, or null
/// @param bindV6 source address for IPv6 targets, or null
/// @param routingMark SO_MARK, or 0
/// @param reuseAddress SO_REUSEADDR
/// @param connectTimeoutNanos for one address
/// @param fastOpen TCP_FASTOPEN_CONNECT: the SYN leaves with the first bytes
/// @param multipath MPTCP where the kernel has it
/// @param udpFragment whether datagrams may be fragmented by IP; otherwise DF is set
/// @param keepAliveIdleSeconds TCP_KEEPIDLE, or 0 for no keep-alive
/// @param keepAliveIntervalSeconds TCP_KEEPINTVL
public record DialOptions(
        @Nullable String bindInterface,
        @Nullable IpAddress bindV4,
        @Nullable IpAddress bindV6,
        int routingMark,
        boolean reuseAddress,
        long connectTimeoutNanos,
        boolean fastOpen,
        boolean multipath,
        boolean udpFragment,
        int keepAliveIdleSeconds,
        int keepAliveIntervalSeconds) {

    /// 5 s to connect, keep-alive after 300 s every 75 s, fragmentation allowed, all else off.
    public static final DialOptions DEFAULT =
            new DialOptions(
                    null, null, null, 0, false, 5_000_000_000L, false, false, true, 300, 75);
}
