package sluice.app.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Fields;
import sluice.base.config.Findings;
import sluice.base.config.Form;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Schema;
import sluice.base.config.Shape;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.policy.dns.Family;

/// How an outbound dials; the same keys for every type.
///
/// @param options how its sockets are made
/// @param family which addresses of a name are tried, and in which order
/// @param detour tag of the outbound that its connections go through, or null
public record DialFields(DialOptions options, Family family, @Nullable String detour) {

    private static final Kind<Family> STRATEGY_KIND =
            Kind.of(
                    "a strategy",
                    Schema.map(
                            "enum",
                            List.of("", "prefer_ipv4", "prefer_ipv6", "ipv4_only", "ipv6_only")),
                    scalar -> Family.parse(Kind.textOf(scalar, "a strategy")));

    private static final Key<String> DETOUR =
            Key.of("detour", Kind.NAME)
                    .says("Tag of the outbound that connections to the server go through.");
    private static final Key<IpAddress> BIND_V4 =
            Key.of("inet4_bind_address", Kind.ADDRESS).says("Source address for IPv4.");
    private static final Key<IpAddress> BIND_V6 =
            Key.of("inet6_bind_address", Kind.ADDRESS).says("Source address for IPv6.");
    private static final Key<Boolean> REUSE_ADDR =
            Key.of("reuse_addr", Kind.FLAG)
                    .otherwise(false)
                    .says("Lets the source address be bound although it is in use.");
    private static final Key<Duration> CONNECT_TIMEOUT =
            Key.of("connect_timeout", Kind.DURATION)
                    .otherwise(Duration.ofSeconds(5))
                    .says("Time for one address to answer; \"5s\" if left out.");
    private static final Key<Boolean> UDP_FRAGMENT =
            Key.of("udp_fragment", Kind.FLAG)
                    .otherwise(true)
                    .says("Lets large datagrams be fragmented.");
    private static final Key<Family> DOMAIN_STRATEGY =
            Key.of("domain_strategy", STRATEGY_KIND)
                    .otherwise(Family.ANY)
                    .says("Which addresses of a name are tried, and which first.");

    /// How names are looked up: a server's tag, or an object with a strategy.
    private static final Key<Family> DOMAIN_RESOLVER =
            Key.of("domain_resolver", new Resolver())
                    .otherwise(Family.ANY)
                    .says("How names are looked up; of its keys, \"strategy\" has an effect.");

    /// The keys of every outbound.
    static final Shape<DialFields> SHAPE =
            Shape.of(
                    "dial fields",
                    DialFields::read,
                    DETOUR,
                    SocketKeys.BIND_INTERFACE,
                    BIND_V4,
                    BIND_V6,
                    SocketKeys.ROUTING_MARK,
                    REUSE_ADDR,
                    CONNECT_TIMEOUT,
                    SocketKeys.FAST_OPEN,
                    SocketKeys.MULTI_PATH,
                    SocketKeys.DISABLE_KEEP_ALIVE,
                    SocketKeys.KEEP_ALIVE,
                    SocketKeys.KEEP_ALIVE_INTERVAL,
                    UDP_FRAGMENT,
                    DOMAIN_RESOLVER,
                    DOMAIN_STRATEGY,
                    Key.notYet("netns", true),
                    Key.notYet("protect_path", true),
                    Key.notYet("bind_address_no_port", false),
                    Key.notYet("network_strategy", false),
                    Key.notYet("network_type", false),
                    Key.notYet("fallback_network_type", false),
                    Key.notYet("fallback_delay", false));

    private static @Nullable DialFields read(Fields fields) {
        Duration timeout = fields.getOr(CONNECT_TIMEOUT, Duration.ofSeconds(5));
        if (timeout.toMillis() < 1) {
            fields.refuse(CONNECT_TIMEOUT, "must be at least 1 ms", null);
        }
        Family family = fields.getOr(DOMAIN_RESOLVER, Family.ANY);
        if (fields.has(DOMAIN_STRATEGY) && fields.get(DOMAIN_STRATEGY) != Family.ANY) {
            fields.warn(
                    DOMAIN_STRATEGY,
                    "is an old spelling",
                    "write \"domain_resolver\": {\"server\": \"\", \"strategy\": \""
                            + fields.get(DOMAIN_STRATEGY).option()
                            + "\"}");
            family = fields.get(DOMAIN_STRATEGY);
        }
        return new DialFields(
                new DialOptions(
                        fields.orNull(SocketKeys.BIND_INTERFACE),
                        ofFamily(fields, BIND_V4, true),
                        ofFamily(fields, BIND_V6, false),
                        SocketKeys.markOrZero(fields),
                        fields.get(REUSE_ADDR),
                        timeout.toNanos(),
                        fields.get(SocketKeys.FAST_OPEN),
                        fields.get(SocketKeys.MULTI_PATH),
                        fields.get(UDP_FRAGMENT),
                        SocketKeys.keepAliveIdleSeconds(fields),
                        SocketKeys.seconds(fields, SocketKeys.KEEP_ALIVE_INTERVAL)),
                family,
                fields.orNull(DETOUR));
    }

    private static @Nullable IpAddress ofFamily(
            Fields fields, Key<IpAddress> key, boolean wantsV4) {
        IpAddress address = fields.orNull(key);
        if (address != null && address.isV4() != wantsV4) {
            fields.refuse(
                    key, address + " is not an IPv" + (wantsV4 ? "4" : "6") + " address", null);
        }
        return address;
    }

    /// `domain_resolver`: the tag of a DNS server, or an object.
    private static final class Resolver implements Form<Family> {

        private static final String NO_SERVERS =
                "DNS servers are not supported yet; the system's resolver is asked";
        private static final Key<String> SERVER =
                Key.of("server", Kind.TEXT)
                        .otherwise("")
                        .says("Tag of a DNS server; the system's resolver if left out.");
        private static final Key<Family> STRATEGY =
                Key.of("strategy", STRATEGY_KIND)
                        .otherwise(Family.ANY)
                        .says("Which addresses of a name are tried, and which first.");
        private static final Shape<Family> SHAPE =
                Shape.of(
                        "domain resolver",
                        fields -> {
                            if (!fields.get(SERVER).isEmpty()) {
                                fields.warn(SERVER, NO_SERVERS, null);
                            }
                            return fields.get(STRATEGY);
                        },
                        SERVER,
                        STRATEGY,
                        Key.notYet("disable_cache", false),
                        Key.notYet("rewrite_ttl", false),
                        Key.notYet("client_subnet", false));

        @Override
        public @Nullable Family read(ConfigNode node, String path, Findings findings) {
            if (node instanceof Mapping) {
                return SHAPE.read(node, path, findings);
            }
            String server = Kind.TEXT.read(node, path, findings);
            if (server != null && !server.isEmpty()) {
                findings.warn(node.place(), path, NO_SERVERS, null);
            }
            return server == null ? null : Family.ANY;
        }

        @Override
        public Map<String, Object> schema(Schema schema) {
            return Schema.anyOf(Kind.TEXT.schema(schema), SHAPE.schema(schema));
        }
    }
}
