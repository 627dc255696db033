package sluice.protocol.direct;

import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;

/// A forwarded port.
///
/// @param acceptsStreams whether TCP is forwarded
/// @param acceptsDatagrams whether UDP is forwarded
/// @param overrideAddress where to; null means the address that the client reached
/// @param overridePort at which port; 0 means the port that the client reached
record DirectInbound(
        boolean acceptsStreams,
        boolean acceptsDatagrams,
        @Nullable Host overrideAddress,
        int overridePort)
        implements Inbound {

    private static final Key<List<String>> NETWORK =
            Key.list("network", Kind.choice("tcp", "udp"))
                    .otherwise(List.of("tcp", "udp"))
                    .says("What to forward.");

    private static final Key<Host> OVERRIDE_ADDRESS =
            Key.of("override_address", Kind.HOST)
                    .says(
                            "Where to forward to; the address that the client reached where it is left out.");

    private static final Key<Integer> OVERRIDE_PORT =
            Key.of("override_port", Kind.PORT)
                    .says(
                            "Port to forward to; the port that the client reached where it is left out.");

    /// What an operator may say.
    static final Shape<DirectInbound> SHAPE =
            Shape.of(
                    "direct inbound",
                    DirectInbound::read,
                    NETWORK,
                    OVERRIDE_ADDRESS,
                    OVERRIDE_PORT);

    @Override
    public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
        return new DirectServer(targetFor(local));
    }

    @Override
    public DatagramServer serveDatagrams(LoopServices loop, Endpoint local) {
        return new DirectDatagrams(targetFor(local));
    }

    private Destination targetFor(Endpoint local) {
        return new Destination(
                overrideAddress == null ? local.address() : overrideAddress,
                overridePort == 0 ? local.port() : overridePort);
    }

    private static @Nullable DirectInbound read(Fields fields) {
        List<String> network = fields.get(NETWORK);
        if (network.isEmpty()) {
            fields.refuse(NETWORK, "forwards nothing", "write \"tcp\", \"udp\", or both");
            return null;
        }
        Integer port = fields.orNull(OVERRIDE_PORT);
        return new DirectInbound(
                network.contains("tcp"),
                network.contains("udp"),
                fields.orNull(OVERRIDE_ADDRESS),
                port == null ? 0 : port);
    }
}
