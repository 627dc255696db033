package sluice.protocol.http;

import sluice.base.config.Shape;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Protocol;

/// HTTP proxying, as `type: http`.
public final class Http implements Protocol {

    /// Makes the catalog's entry.
    public Http() {}

    @Override
    public String type() {
        return "http";
    }

    @Override
    public Shape<? extends Inbound> inbound() {
        return HttpInbound.SHAPE;
    }

    @Override
    public Shape<? extends Outbound> outbound() {
        return HttpOutbound.SHAPE;
    }
}
