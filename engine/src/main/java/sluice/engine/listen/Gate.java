package sluice.engine.listen;

import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.fault.SystemFault;
import sluice.base.net.Endpoint;
import sluice.base.os.ListenOptions;
import sluice.engine.flow.DatagramPort;
import sluice.engine.flow.Station;
import sluice.engine.plan.InboundPlan;

/// Everything that listens at one address for one inbound: a stream listener, a datagram port, or
/// both on the same port. Lives on one loop; its methods run there.
public final class Gate {

    private final Station home;
    private final Endpoint at;
    private InboundPlan inbound;
    private @Nullable Listener listener;
    private @Nullable DatagramPort port;
    private final ListenOptions options;
    private Endpoint bound;

    private Gate(Station home, InboundPlan inbound, Endpoint at, boolean onlyV6) {
        this.home = home;
        this.inbound = inbound;
        this.at = at;
        this.bound = at;
        this.options = onlyV6 ? inbound.listen().withOnlyV6() : inbound.listen();
    }

    /// Opens what the inbound needs at `at`; on the loop of `home`.
    ///
    /// @param onlyV6 whether another gate serves IPv4 on the port of this wildcard
    /// @throws SystemFault with the inbound, the address, the reason and a mend; nothing stays open
    ///   then
    public static Gate open(
            Station home,
            List<Station> stations,
            InboundPlan inbound,
            Endpoint at,
            boolean onlyV6) {
        Gate gate = new Gate(home, inbound, at, onlyV6);
        gate.openAll(stations);
        return gate;
    }

    private void openAll(List<Station> stations) {
        try {
            if (inbound.protocol().acceptsStreams()) {
                openStreams(stations);
            }
            if (inbound.protocol().acceptsDatagrams()) {
                openDatagrams();
            }
        } catch (SystemFault fault) {
            close();
            throw fault;
        }
    }

    private void openStreams(List<Station> stations) {
        int socket = home.loop().driver().listen(bound, options);
        Listener opened = socket < 0 ? null : Listener.openOrNull(home, stations, inbound, socket);
        if (opened == null) {
            throw Refused.listening(inbound, "tcp", bound, Math.max(0, -socket));
        }
        listener = opened;
        Endpoint local = opened.bound();
        bound = local == null ? bound : local;
    }

    private void openDatagrams() {
        Endpoint address = bound;
        int socket = home.loop().driver().bindDatagrams(address, options);
        DatagramPort opened =
                socket < 0
                        ? null
                        : DatagramPort.openOrNull(
                                home,
                                inbound,
                                inbound.protocol().serveDatagrams(home.loop().services(), address),
                                socket);
        if (opened == null) {
            throw Refused.listening(inbound, "udp", address, Math.max(0, -socket));
        }
        port = opened;
        Endpoint local = opened.bound();
        bound = local == null ? address : local;
    }

    /// Whether the sockets can go on as those of `plan`.
    ///
    /// @param onlyV6 as for [#open]
    public boolean serves(InboundPlan plan, boolean onlyV6) {
        return options.equals(onlyV6 ? plan.listen().withOnlyV6() : plan.listen())
                && plan.protocol().acceptsStreams() == inbound.protocol().acceptsStreams()
                && plan.protocol().acceptsDatagrams() == inbound.protocol().acceptsDatagrams();
    }

    /// Listens again where it did before it was closed.
    ///
    /// @throws SystemFault with the address and the reason; it stays closed then
    public void reopen(List<Station> stations) {
        openAll(stations);
    }

    /// Lets another plan take over, on the same sockets.
    public void replace(InboundPlan plan) {
        boolean sameProtocol = plan.protocol() == inbound.protocol();
        inbound = plan;
        Listener streams = listener;
        if (streams != null) {
            streams.replace(plan);
        }
        DatagramPort datagrams = port;
        if (datagrams != null) {
            datagrams.follow(plan);
            if (!sameProtocol) {
                datagrams.replace(plan.protocol().serveDatagrams(home.loop().services(), bound));
            }
        }
    }

    /// Closes the sockets. Streams that came through go on; datagram flows end with their socket.
    public void close() {
        Listener streams = listener;
        listener = null;
        if (streams != null) {
            streams.close();
        }
        DatagramPort datagrams = port;
        port = null;
        if (datagrams != null) {
            datagrams.close();
        }
    }

    /// The address it was asked to listen on.
    public Endpoint at() {
        return at;
    }

    /// The address it listens on, with the port that the kernel chose.
    public Endpoint bound() {
        return bound;
    }

    /// The inbound.
    public InboundPlan inbound() {
        return inbound;
    }

    /// The loop it lives on.
    public Station home() {
        return home;
    }
}
