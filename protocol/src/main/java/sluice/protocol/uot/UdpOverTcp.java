package sluice.protocol.uot;

import org.jspecify.annotations.Nullable;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.StreamService;

/// What an operator may say of UDP over TCP at an outbound, and the machines that follow from it.
///
/// @param enabled whether datagrams go in a stream
/// @param version 1 or 2
public record UdpOverTcp(boolean enabled, int version) {

    /// Datagrams do not go in a stream.
    public static final UdpOverTcp OFF = new UdpOverTcp(false, UotWire.VERSION_2);

    /// Datagrams go in a stream of version 2, as sing-box has it.
    public static final UdpOverTcp ON = new UdpOverTcp(true, UotWire.VERSION_2);

    private static final Key<Boolean> ENABLED =
            Key.of("enabled", Kind.FLAG).otherwise(false).says("Send datagrams in a stream.");

    private static final Key<Integer> VERSION =
            Key.of("version", Kind.integer(1, 2))
                    .otherwise(UotWire.VERSION_2)
                    .says("Version of the packet format; servers of old know 1 alone.");

    private static final Shape<UdpOverTcp> SHAPE =
            Shape.of(
                    "UDP over TCP",
                    fields -> new UdpOverTcp(fields.get(ENABLED), fields.get(VERSION)),
                    ENABLED,
                    VERSION);

    /// The key of outbounds: a flag or an object.
    public static final Key<UdpOverTcp> KEY =
            Key.flagOrObject("udp_over_tcp", SHAPE, ON, OFF)
                    .says(
                            "Send datagrams in a stream to the server, which must know UDP over TCP.");

    private static final Destination MAGIC_1 = new Destination(new DomainName(UotWire.MAGIC_1), 0);

    private static final Destination MAGIC_2 = new Destination(new DomainName(UotWire.MAGIC_2), 0);

    /// The target to ask the proxy server for.
    public Destination magic() {
        return version == UotWire.VERSION_1 ? MAGIC_1 : MAGIC_2;
    }

    /// The machine that goes on top of the stream to [#magic].
    public StreamMachine client() {
        return new UotClient(version);
    }

    /// The accepting side of both versions.
    public static StreamService service() {
        return UdpOverTcp::serviceOrNull;
    }

    private static @Nullable StreamMachine serviceOrNull(
            LoopServices loop, Destination destination, @Nullable String user) {
        if (!(destination.host() instanceof DomainName name)) {
            return null;
        }
        return switch (name.text()) {
            case UotWire.MAGIC_1 -> new UotServer(UotWire.VERSION_1, user);
            case UotWire.MAGIC_2 -> new UotServer(UotWire.VERSION_2, user);
            default -> null;
        };
    }
}
