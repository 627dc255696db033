package sluice.protocol.block;

import org.jspecify.annotations.Nullable;
import sluice.base.config.Shape;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Protocol;

/// Refuses everything, as `type: block` of an outbound. There is nothing to say about it.
public final class Block implements Protocol {

    private static final Shape<BlockOutbound> SHAPE =
            Shape.of("block outbound", _ -> new BlockOutbound());

    /// Makes the catalog's entry.
    public Block() {}

    @Override
    public String type() {
        return "block";
    }

    @Override
    public Shape<? extends Outbound> outbound() {
        return SHAPE;
    }

    private record BlockOutbound() implements Outbound {

        @Override
        public boolean isBlock() {
            return true;
        }

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
            return Datagrams.NONE;
        }
    }
}
