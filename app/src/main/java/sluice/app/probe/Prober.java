package sluice.app.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import sluice.app.config.Configuration;
import sluice.app.config.Configurations;
import sluice.app.config.OutboundSettings;
import sluice.base.fault.SystemFault;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;
import sluice.engine.Engine;
import sluice.policy.route.Decision;
import sluice.policy.route.FlowFacts;
import sluice.policy.route.Network;
import sluice.policy.route.RouteOptions;
import sluice.policy.route.Router;

/// An engine with the outbounds and rules of a configuration, and one inbound of its own that this
/// process alone knows of. Used by one thread.
public final class Prober implements AutoCloseable {

    /// The rules see the flows of this inbound.
    private final String inbound;

    private final Router router;
    private final Map<String, OutboundSettings> outbounds = new HashMap<>();
    private final OperatingSystem system;
    private final Engine engine;
    private final Endpoint local;

    private Prober(
            String inbound,
            Router router,
            List<OutboundSettings> outbounds,
            OperatingSystem system,
            Engine engine,
            Endpoint local) {
        this.inbound = inbound;
        outbounds.forEach(each -> this.outbounds.put(each.tag(), each));
        this.router = router;
        this.system = system;
        this.engine = engine;
        this.local = local;
    }

    /// Starts the engine.
    ///
    /// @param engines makes one for a configuration
    /// @param inbound tag under which the rules see the flows, or null for that of the first
    ///   inbound
    /// @param outbound tag of the outbound to use whatever the rules say, or null
    /// @throws SystemFault when the engine cannot listen
    public static Prober open(
            Configuration configuration,
            OperatingSystem system,
            Function<Configuration, Engine> engines,
            @Nullable String inbound,
            @Nullable String outbound) {
        String tag = inbound;
        if (tag == null) {
            tag =
                    configuration.inbounds().isEmpty()
                            ? "probe"
                            : configuration.inbounds().getFirst().tag();
        }
        RouteOptions route =
                outbound == null
                        ? configuration.route()
                        : new RouteOptions(List.of(), outbound, List.of());
        Endpoint local = freePort(system);
        Engine engine =
                engines.apply(
                        configuration
                                .with(
                                        List.of(Configurations.localInbound(tag, local.port())),
                                        configuration.outbounds())
                                .with(route));
        try {
            engine.open();
        } catch (SystemFault fault) {
            engine.stop(0);
            throw fault;
        }
        Router router = Router.of(route, configuration.outbounds().getFirst().tag());
        return new Prober(tag, router, configuration.outbounds(), system, engine, local);
    }

    /// Where its inbound listens.
    public Endpoint endpoint() {
        return local;
    }

    /// What the rules say of a destination, for people.
    public String choice(Destination to) {
        Decision decision = decide(to);
        String rule =
                decision.ruleIndex() == Decision.FINAL
                        ? "no rule decides"
                        : "route.rules[" + decision.ruleIndex() + "]";
        return switch (decision) {
            case Decision.Use use -> "outbound " + use.outbound() + " (" + rule + ")";
            case Decision.Refuse _ -> "refused (" + rule + ")";
            case Decision.Resolve _ -> "decided after its name was looked up (" + rule + ")";
            case Decision.Sniff _ -> "decided after its first bytes (" + rule + ")";
        };
    }

    /// What a connection through [#connect] proves, for people.
    public String reached(Destination to) {
        OutboundSettings way = wayOrNull(to);
        if (way == null) {
            boolean isSure =
                    outbounds.values().stream().allMatch(each -> each.outbound().confirmsTarget());
            return isSure
                    ? "connected to " + to
                    : "connected to "
                            + to
                            + ", or to a server that does not say whether it answered";
        }
        if (way.outbound().confirmsTarget()) {
            return "connected to " + to;
        }
        String server =
                way.plugin() == null
                        ? "the server " + way.outbound().server()
                        : "the plugin of outbound " + way.tag();
        return "connected to " + server + " (which does not say whether the target answered)";
    }

    private Decision decide(Destination to) {
        return router.decide(FlowFacts.of(inbound, Network.STREAM, to, local, null));
    }

    /// The outbound that speaks with the target or its server last; null where that shows only
    /// later.
    private @Nullable OutboundSettings wayOrNull(Destination to) {
        OutboundSettings way =
                decide(to) instanceof Decision.Use use ? outbounds.get(use.outbound()) : null;
        while (way != null && way.outbound().server() == null && way.dial().detour() != null) {
            way = outbounds.get(way.dial().detour());
        }
        return way;
    }

    private String refused(Destination to) {
        OutboundSettings way = wayOrNull(to);
        if (way == null) {
            return "the connection to " + to + " was refused";
        }
        Destination server = way.outbound().server();
        if (way.dial().detour() != null) {
            return "the connection to "
                    + to
                    + " was refused on its way through outbound "
                    + way.tag();
        }
        return server == null
                ? "the connection was refused by " + to
                : "the connection was refused by the server "
                        + server
                        + (way.outbound().confirmsTarget() ? ", or by " + to + " behind it" : "");
    }

    /// Connects through the outbound that the rules choose; returns when the destination has
    /// accepted, as far as the outbound can tell.
    ///
    /// @param timeoutMillis for each wait
    /// @throws IOException with what the engine says, when it does not
    public ProbeStream connect(Destination to, long timeoutMillis) throws IOException {
        ProbeStream stream = ProbeStream.open(system, local, timeoutMillis);
        try {
            stream.send(new byte[] {5, 1, 0});
            stream.receiveAll(2);
            stream.send(request(to));
            byte[] reply = stream.receiveAll(4);
            stream.receiveAll(
                    switch (reply[3]) {
                        case 1 -> 6;
                        case 4 -> 18;
                        default -> throw new IOException("the engine answers nonsense");
                    });
            if (reply[1] != 0) {
                throw new IOException(reply[1] == 5 ? refused(to) : reason(reply[1]));
            }
            return stream;
        } catch (IOException fault) {
            stream.close();
            throw fault;
        }
    }

    /// RFC 1928 §4.
    private static byte[] request(Destination to) {
        byte[] request = new byte[4 + 256 + 2];
        request[0] = 5;
        request[1] = 1;
        int at = 4;
        switch (to.host()) {
            case IpAddress address -> {
                request[3] = (byte) (address.isV4() ? 1 : 4);
                at += address.writeTo(request, at);
            }
            case DomainName name -> {
                byte[] text = name.text().getBytes(StandardCharsets.UTF_8);
                request[3] = 3;
                request[at++] = (byte) text.length;
                System.arraycopy(text, 0, request, at, text.length);
                at += text.length;
            }
        }
        request[at++] = (byte) (to.port() >> 8);
        request[at++] = (byte) to.port();
        return Arrays.copyOf(request, at);
    }

    /// RFC 1928 §6.
    private static String reason(byte code) {
        return switch (code) {
            case 2 -> "the rules refuse it";
            case 3 -> "the network cannot be reached";
            case 4 -> "the host cannot be reached, or its name has no address";
            case 6 -> "it took too long";
            default -> "it failed; \"log\": {\"level\": \"debug\"} says more in a run";
        };
    }

    static Endpoint freePort(OperatingSystem system) {
        try (LoopDriver driver = system.openLoop()) {
            int socket =
                    driver.listen(new Endpoint(IpAddress.LOOPBACK_V4, 0), ListenOptions.DEFAULT);
            Endpoint free = socket < 0 ? null : driver.localOf(socket);
            if (free == null) {
                throw new SystemFault("bind 127.0.0.1:0", Math.max(0, -socket), "no free port");
            }
            driver.close(socket);
            return free;
        }
    }

    /// Ends the engine.
    @Override
    public void close() {
        engine.stop(0);
    }
}
