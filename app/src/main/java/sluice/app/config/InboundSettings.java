package sluice.app.config;

import org.jspecify.annotations.Nullable;

import sluice.app.plugin.PluginSettings;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Place;
import sluice.protocol.spi.Inbound;

/// One way in, as the operator wrote it.
///
/// @param tag its name; its index where it was given none
/// @param type of its protocol
/// @param listen where and how it listens
/// @param inbound its machines
/// @param plugin the program that stands before it, or null
/// @param listenNode the keys of listening alone, to compare by [Mapping#sameAs] at a reload
/// @param protocolNode the keys of the protocol alone, to compare likewise
/// @param path in the configuration: `inbounds[0]`
public record InboundSettings(
        String tag,
        String type,
        ListenFields listen,
        Inbound inbound,
        @Nullable PluginSettings plugin,
        Mapping listenNode,
        Mapping protocolNode,
        String path) {

    /// Where it stands.
    public Place place() {
        return protocolNode.place();
    }
}
