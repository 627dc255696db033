package sluice.protocol.direct;

import org.jspecify.annotations.Nullable;
import sluice.base.config.Key;
import sluice.base.config.Shape;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Protocol;

/// No protocol at all, as `type: direct`.
public final class Direct implements Protocol {

    private static final Shape<DirectOutbound> OUTBOUND =
            Shape.of(
                    "direct outbound",
                    _ -> new DirectOutbound(),
                    Key.notYet("override_address", true),
                    Key.notYet("override_port", true));

    /// Makes the catalog's entry.
    public Direct() {}

    @Override
    public String type() {
        return "direct";
    }

    @Override
    public Shape<? extends Inbound> inbound() {
        return DirectInbound.SHAPE;
    }

    @Override
    public Shape<? extends Outbound> outbound() {
        return OUTBOUND;
    }

    private record DirectOutbound() implements Outbound {

        @Override
        public @Nullable Destination server() {
            return null;
        }

        @Override
        public @Nullable StreamMachine dialStream(LoopServices loop, Destination target) {
            return null;
        }

        @Override
        public Datagrams datagrams() {
            return Datagrams.BARE;
        }
    }
}
