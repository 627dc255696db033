package sluice.protocol.spi;

import org.jspecify.annotations.Nullable;
import sluice.base.config.Shape;

/// A protocol as the catalog lists it: its name in a configuration, and what an operator may say
/// about its inbound and outbound. Keys that all inbounds or outbounds share (listening, dialling,
/// `tag`, `type`, `detour`) are not part of these shapes.
public interface Protocol {

    /// The value of `type` in a configuration.
    String type();

    /// What an operator may say of an inbound, read into the inbound itself; null where there is
    /// none.
    default @Nullable Shape<? extends Inbound> inbound() {
        return null;
    }

    /// What an operator may say of an outbound, read into the outbound itself; null where there is
    /// none.
    default @Nullable Shape<? extends Outbound> outbound() {
        return null;
    }
}
