package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.IpAddress;
import sluice.engine.plan.OutboundPlan;
import sluice.engine.plan.Plan;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;

/// Opens the datagram path that an outbound and its detours make.
final class DatagramPaths {

    private DatagramPaths() {}

    /// Returns the path, or null where the outbound carries no datagrams.
    ///
    /// @param first where the first datagram goes
    /// @param onlyTarget whether all datagrams go there, so that nobody else may answer
    static @Nullable DatagramPath openOrNull(
            Station station,
            Plan plan,
            OutboundPlan outbound,
            Destination first,
            boolean onlyTarget,
            DatagramPath.Sink sink) {
        if (!plan.carriesDatagrams(outbound)) {
            return null;
        }
        Outbound protocol = outbound.protocol();
        LoopServices services = station.loop().services();
        return switch (protocol.datagrams()) {
            case NONE -> null;
            case BARE -> {
                String detour = outbound.detour();
                yield detour == null
                        ? new BarePath(station, outbound, sink, onlyTarget)
                        : openOrNull(station, plan, plan.outbound(detour), first, onlyTarget, sink);
            }
            case PACKETS -> {
                Destination server = orFail(protocol.packetServer());
                yield new PacketsPath(
                        station.loop(),
                        protocol.dialDatagrams(services),
                        server,
                        sink,
                        inner -> carrier(station, plan, outbound, server, inner));
            }
            case STREAM -> {
                StreamMachine[] machines = protocol.dialDatagramStream(services, first);
                yield new StreamPath(
                        station,
                        plan,
                        StreamDial.carrierOf(plan, outbound),
                        serverOf(protocol),
                        machines,
                        sink,
                        null);
            }
            case ASSOCIATION -> association(station, plan, outbound, sink);
        };
    }

    private static DatagramPath association(
            Station station, Plan plan, OutboundPlan outbound, DatagramPath.Sink sink) {
        Outbound.AssociationClient client =
                outbound.protocol().dialAssociation(station.loop().services());
        return new StreamPath(
                station,
                plan,
                StreamDial.carrierOf(plan, outbound),
                serverOf(outbound.protocol()),
                new StreamMachine[] {client.control()},
                sink,
                stream -> {
                    Destination relay = relayOf(client, outbound, stream);
                    return new PacketsPath(
                            station.loop(),
                            client.packets(),
                            relay,
                            stream.relaySink(),
                            inner -> carrier(station, plan, outbound, relay, inner));
                });
    }

    /// The relay's address; where the proxy names none, it is the proxy's own.
    private static Destination relayOf(
            Outbound.AssociationClient client, OutboundPlan outbound, StreamPath stream) {
        Destination relay = client.relay();
        if (relay.host() instanceof IpAddress address && address.isAny()) {
            IpAddress peer = outbound.detour() == null ? stream.peerOrNull() : null;
            return new Destination(
                    peer != null ? peer : serverOf(outbound.protocol()).host(), relay.port());
        }
        return relay;
    }

    private static DatagramPath carrier(
            Station station,
            Plan plan,
            OutboundPlan outbound,
            Destination server,
            DatagramPath.Sink sink) {
        String detour = outbound.detour();
        DatagramPath path =
                detour == null
                        ? new ConnectedPath(station, outbound, server, sink)
                        : openOrNull(station, plan, plan.outbound(detour), server, true, sink);
        if (path == null) {
            throw new IllegalStateException("a detour that carries no datagrams");
        }
        return path;
    }

    private static Destination serverOf(Outbound protocol) {
        return orFail(protocol.server());
    }

    private static Destination orFail(@Nullable Destination server) {
        if (server == null) {
            throw new IllegalStateException("an outbound that sends packets has a server");
        }
        return server;
    }
}
