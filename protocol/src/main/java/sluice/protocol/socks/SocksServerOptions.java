package sluice.protocol.socks;

import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.net.IpAddress;
import sluice.protocol.access.Access;

/// What an operator may say of the accepting side of SOCKS.
///
/// @param access who may come in
/// @param udp whether UDP ASSOCIATE is served
/// @param udpSourceCheck whose datagrams an association takes
/// @param udpAdvertise the address that clients are told to send datagrams to, where it is not the
///   one they reached, as behind address translation
public record SocksServerOptions(
        Access access, boolean udp, SourceCheck udpSourceCheck, @Nullable IpAddress udpAdvertise) {

    /// Whose datagrams an association takes. The control stream's client is the measure; a loopback
    /// client may use any loopback address.
    public enum SourceCheck {
        /// The client's address, and the port of its first valid datagram.
        IP_AND_PORT,
        /// The client's address, any port; answers go to the last one.
        IP,
        /// Anybody; answers go to the last sender. For clients whose address is rewritten for UDP
        /// alone.
        OFF
    }

    private static final Key<Boolean> UDP =
            Key.of("udp", Kind.FLAG).otherwise(true).says("Serve UDP ASSOCIATE.");

    private static final Key<String> UDP_SOURCE_CHECK =
            Key.of("udp_source_check", Kind.choice("ip-and-port", "ip", "off"))
                    .otherwise("ip-and-port")
                    .says(
                            "Whose datagrams an association takes: the client's address with the port of the first"
                                    + " datagram, the client's address, or anybody's.");

    private static final Key<IpAddress> UDP_ADVERTISE =
            Key.of("udp_advertise", Kind.ADDRESS)
                    .says(
                            "Address that clients shall send datagrams to; the one they reached where it is left"
                                    + " out.");

    /// The keys beyond those of [Access].
    public static List<Key<?>> keys() {
        return List.of(UDP, UDP_SOURCE_CHECK, UDP_ADVERTISE);
    }

    /// Reads [#keys].
    public static SocksServerOptions from(Access access, Fields fields) {
        return new SocksServerOptions(
                access,
                fields.get(UDP),
                sourceCheck(fields.get(UDP_SOURCE_CHECK)),
                fields.orNull(UDP_ADVERTISE));
    }

    private static SourceCheck sourceCheck(String word) {
        return switch (word) {
            case "ip" -> SourceCheck.IP;
            case "off" -> SourceCheck.OFF;
            default -> SourceCheck.IP_AND_PORT;
        };
    }
}
