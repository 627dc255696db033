package sluice.app.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Form;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Refusal;
import sluice.base.config.Schema;
import sluice.base.config.Shape;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.net.Prefix;
import sluice.base.os.ListenOptions;

/// Where and how an inbound listens; the same keys for every type.
///
/// @param at one address with each of its ports; port 0 lets the kernel choose
/// @param socket how its sockets are made
/// @param udpFragment whether datagrams may be fragmented
/// @param udpTimeout silence after which a datagram flow ends, or null for the default
/// @param handshakeTimeout from accept to the request, or null for the default
/// @param proxyProtocol what a front sends ahead of the protocol
/// @param insecureOpen whether the operator says that everybody may use it
public record ListenFields(
        List<Endpoint> at,
        ListenOptions socket,
        boolean udpFragment,
        @Nullable Duration udpTimeout,
        @Nullable Duration handshakeTimeout,
        ProxyProtocol proxyProtocol,
        boolean insecureOpen) {

    /// What a front says of its clients in the PROXY protocol, versions 1 and 2.
    ///
    /// @param enabled whether it is understood
    /// @param required whether connections without it are closed
    /// @param trusted fronts that are believed; empty means all
    public record ProxyProtocol(boolean enabled, boolean required, List<Prefix> trusted) {

        /// Not understood.
        public static final ProxyProtocol OFF = new ProxyProtocol(false, false, List.of());

        private static final ProxyProtocol ON = new ProxyProtocol(true, true, List.of());

        private static final Key<Boolean> ENABLED =
                Key.of("enabled", Kind.FLAG)
                        .otherwise(true)
                        .says("Understands the PROXY protocol.");
        private static final Key<Boolean> REQUIRED =
                Key.of("required", Kind.FLAG)
                        .otherwise(true)
                        .says("Closes connections of trusted fronts that come without it.");
        private static final Key<List<Prefix>> TRUSTED =
                Key.list("trusted", Kind.PREFIX)
                        .says("Fronts that are believed; everybody if left out.");

        static final Shape<ProxyProtocol> SHAPE =
                Shape.of(
                        "proxy protocol",
                        fields ->
                                fields.get(ENABLED)
                                        ? new ProxyProtocol(
                                                true, fields.get(REQUIRED), fields.get(TRUSTED))
                                        : OFF,
                        ENABLED,
                        REQUIRED,
                        TRUSTED);
    }

    /// Chosen: each port costs a socket per loop.
    private static final int MOST_PORTS = 4096;

    /// Connections that wait for their cookie; the kernel's own examples use less.
    private static final int FAST_OPEN_QUEUE = 256;

    /// Ports `from` to `to`, both included.
    private record PortRange(int from, int to) {}

    private static final Kind<IpAddress> ADDRESS =
            Kind.text(
                    "an IP address",
                    text -> {
                        IpAddress address = IpAddress.parseOrNull(text);
                        if (address == null) {
                            throw new Refusal(
                                    "\""
                                            + sluice.base.config.Shown.plain(text)
                                            + "\" is not an IP address",
                                    text.equals("localhost")
                                            ? "write \"127.0.0.1\" or \"::1\""
                                            : "write \"127.0.0.1\", \"::\" for every address, or"
                                                    + " one of this machine");
                        }
                        return address;
                    });

    private static final Key<IpAddress> LISTEN =
            Key.of("listen", ADDRESS)
                    .otherwise(IpAddress.LOOPBACK_V4)
                    .says("Address to listen on; \"::\" is every address of both families.");
    private static final Key<Integer> LISTEN_PORT =
            Key.of("listen_port", Kind.integer(0, 65_535, "a port (1 to 65535, or 0 for any)"))
                    .says("Port to listen on; 0 lets the kernel choose.");
    private static final Key<List<PortRange>> LISTEN_PORTS =
            Key.of("listen_ports", Form.list(portRange()))
                    .otherwise(List.of())
                    .says("More ports to listen on: numbers and ranges such as \"8000-8010\".");
    private static final Key<Boolean> REUSE_ADDR =
            Key.of("reuse_addr", Kind.FLAG)
                    .otherwise(true)
                    .says("Listens although old connections of the port linger.");
    private static final Key<Boolean> UDP_FRAGMENT =
            Key.of("udp_fragment", Kind.FLAG)
                    .otherwise(true)
                    .says("Lets large datagrams be fragmented.");
    private static final Key<Duration> UDP_TIMEOUT =
            Key.of("udp_timeout", Kind.DURATION)
                    .says("Silence after which a datagram flow ends; \"60s\" if left out.");
    private static final Key<Duration> HANDSHAKE_TIMEOUT =
            Key.of("handshake_timeout", Kind.DURATION)
                    .says("Time from accept to the client's request.");
    private static final Key<ProxyProtocol> PROXY_PROTOCOL =
            Key.flagOrObject(
                            "proxy_protocol",
                            ProxyProtocol.SHAPE,
                            ProxyProtocol.ON,
                            ProxyProtocol.OFF)
                    .says("Takes the client's address from a front that sends the PROXY protocol.");
    private static final Key<Boolean> INSECURE_OPEN =
            Key.of("insecure_open", Kind.FLAG)
                    .otherwise(false)
                    .says("Says that strangers may use this inbound; silences the warning.");

    /// The keys of every inbound.
    static final Shape<ListenFields> SHAPE =
            Shape.of(
                    "listen fields",
                    ListenFields::read,
                    LISTEN,
                    LISTEN_PORT,
                    LISTEN_PORTS,
                    SocketKeys.BIND_INTERFACE,
                    SocketKeys.ROUTING_MARK,
                    REUSE_ADDR,
                    SocketKeys.FAST_OPEN,
                    SocketKeys.MULTI_PATH,
                    SocketKeys.DISABLE_KEEP_ALIVE,
                    SocketKeys.KEEP_ALIVE,
                    SocketKeys.KEEP_ALIVE_INTERVAL,
                    UDP_FRAGMENT,
                    UDP_TIMEOUT,
                    HANDSHAKE_TIMEOUT,
                    PROXY_PROTOCOL,
                    INSECURE_OPEN,
                    Key.notYet("netns", true),
                    Key.notYet("detour", true));

    /// Copies the list.
    public ListenFields {
        at = List.copyOf(at);
    }

    /// These fields at other addresses.
    ListenFields at(List<Endpoint> addresses) {
        return new ListenFields(
                addresses,
                socket,
                udpFragment,
                udpTimeout,
                handshakeTimeout,
                proxyProtocol,
                insecureOpen);
    }

    private static @Nullable ListenFields read(Fields fields) {
        List<Endpoint> at = endpoints(fields);
        if (at.isEmpty()) {
            fields.refuse("needs \"listen_port\"", "add \"listen_port\": 1080");
            return null;
        }
        ListenOptions plain = ListenOptions.DEFAULT;
        return new ListenFields(
                at,
                new ListenOptions(
                        plain.backlog(),
                        fields.get(REUSE_ADDR),
                        plain.reusePort(),
                        fields.orNull(SocketKeys.BIND_INTERFACE),
                        SocketKeys.markOrZero(fields),
                        fields.get(SocketKeys.FAST_OPEN) ? FAST_OPEN_QUEUE : 0,
                        fields.get(SocketKeys.MULTI_PATH),
                        SocketKeys.keepAliveIdleSeconds(fields),
                        SocketKeys.seconds(fields, SocketKeys.KEEP_ALIVE_INTERVAL),
                        plain.onlyV6()),
                fields.get(UDP_FRAGMENT),
                atLeastOneMilli(fields, UDP_TIMEOUT),
                atLeastOneMilli(fields, HANDSHAKE_TIMEOUT),
                fields.get(PROXY_PROTOCOL),
                fields.get(INSECURE_OPEN));
    }

    private static List<Endpoint> endpoints(Fields fields) {
        List<Endpoint> at = new ArrayList<>();
        IpAddress address = fields.get(LISTEN);
        Integer single = fields.orNull(LISTEN_PORT);
        if (single != null) {
            at.add(new Endpoint(address, single));
        }
        List<PortRange> ranges = fields.get(LISTEN_PORTS);
        for (int i = 0; i < ranges.size(); i++) {
            PortRange range = ranges.get(i);
            for (int port = range.from(); port <= range.to(); port++) {
                Endpoint endpoint = new Endpoint(address, port);
                if (at.contains(endpoint)) {
                    fields.refuseAt(LISTEN_PORTS, i, "port " + port + " stands twice", null);
                    break;
                }
                at.add(endpoint);
            }
            if (at.size() > MOST_PORTS) {
                fields.refuse(LISTEN_PORTS, "more than " + MOST_PORTS + " ports", null);
                break;
            }
        }
        return at;
    }

    private static @Nullable Duration atLeastOneMilli(Fields fields, Key<Duration> key) {
        Duration duration = fields.orNull(key);
        if (duration != null && duration.toMillis() < 1) {
            fields.refuse(key, "must be at least 1 ms", null);
        }
        return duration;
    }

    private static Kind<PortRange> portRange() {
        String name = "a port or a range such as \"8000-8010\"";
        return Kind.of(
                name,
                Schema.anyOf(
                        Schema.map("type", "integer", "minimum", 1, "maximum", 65_535),
                        Schema.map(
                                "type",
                                "string",
                                "pattern",
                                "^([0-9]+([-:][0-9]+)?|\\$\\{.*\\})$")),
                scalar -> {
                    String text = scalar.text().strip();
                    if (!text.matches("[0-9]{1,5}([-:][0-9]{1,5})?")) {
                        throw new IllegalArgumentException(scalar.shown() + " is not " + name);
                    }
                    int cut = Math.max(text.indexOf('-'), text.indexOf(':'));
                    int from = Integer.parseInt(cut < 0 ? text : text.substring(0, cut));
                    int to = cut < 0 ? from : Integer.parseInt(text.substring(cut + 1));
                    if (from < 1 || to > 65_535 || from > to) {
                        throw new IllegalArgumentException(scalar.shown() + " is not " + name);
                    }
                    return new PortRange(from, to);
                });
    }
}
