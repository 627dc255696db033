package sluice.app.config;

import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Place;
import sluice.protocol.spi.Outbound;

/// One way out, as the operator wrote it.
///
/// @param tag its name; its index where it was given none
/// @param type of its protocol
/// @param dial how it dials
/// @param outbound its machines
/// @param plugin the program that its streams go through, or null
/// @param node all of it, to compare by [Mapping#sameAs] at a reload
/// @param path in the configuration: `outbounds[0]`
public record OutboundSettings(
        String tag,
        String type,
        DialFields dial,
        Outbound outbound,
        @Nullable PluginSettings plugin,
        Mapping node,
        String path) {

    /// Where it stands.
    public Place place() {
        return node.place();
    }

    /// This outbound with other machines.
    public OutboundSettings with(Outbound other) {
        return new OutboundSettings(tag, type, dial, other, plugin, node, path);
    }
}
