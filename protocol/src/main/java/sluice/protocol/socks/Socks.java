package sluice.protocol.socks;

import sluice.base.config.Shape;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Protocol;

/// SOCKS 4, 4a and 5, as `type: socks`.
public final class Socks implements Protocol {

    /// Makes the catalog's entry.
    public Socks() {}

    @Override
    public String type() {
        return "socks";
    }

    @Override
    public Shape<? extends Inbound> inbound() {
        return SocksInbound.SHAPE;
    }

    @Override
    public Shape<? extends Outbound> outbound() {
        return SocksOutbound.SHAPE;
    }
}
