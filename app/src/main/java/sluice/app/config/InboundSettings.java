package sluice.app.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Place;
import sluice.base.config.Secret;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;

/// One way in, as the operator wrote it.
///
/// @param tag its name; its index where it was given none
/// @param type of its protocol
/// @param listen where and how it listens
/// @param inbound its machines
/// @param plugin the program that stands before it, or null
/// @param pluginNode its name as written, or null
/// @param listenNode the keys of listening alone, to compare by [Mapping#sameAs] at a reload
/// @param protocolNode the keys of the protocol alone, to compare likewise
/// @param path in the configuration: `inbounds[0]`
public record InboundSettings(
        String tag,
        String type,
        ListenFields listen,
        Inbound inbound,
        @Nullable PluginSettings plugin,
        @Nullable ConfigNode pluginNode,
        Mapping listenNode,
        Mapping protocolNode,
        String path) {

    /// Where it stands.
    public Place place() {
        return protocolNode.place();
    }

    /// This inbound by another name.
    InboundSettings withTag(String other) {
        return new InboundSettings(
                other, type, listen, inbound, plugin, pluginNode, listenNode, protocolNode, path);
    }

    /// This inbound behind a plugin: streams alone, at the address where the plugin brings them.
    public InboundSettings behindPlugin(Endpoint local) {
        return new InboundSettings(
                tag,
                type,
                listen.at(List.of(local)),
                new StreamsOnly(inbound.behindCarrier()),
                plugin,
                pluginNode,
                listenNode,
                protocolNode,
                path);
    }

    /// An inbound whose datagrams are not served.
    private record StreamsOnly(Inbound inner) implements Inbound {

        @Override
        public boolean acceptsStreams() {
            return true;
        }

        @Override
        public boolean acceptsDatagrams() {
            return false;
        }

        @Override
        public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
            return inner.acceptStream(loop, client, local);
        }

        @Override
        public Duration handshakeTimeout() {
            return inner.handshakeTimeout();
        }

        @Override
        public boolean isUserKnown(String user) {
            return inner.isUserKnown(user);
        }

        @Override
        public @Nullable Secret secretOrNull(@Nullable String user) {
            return inner.secretOrNull(user);
        }

        @Override
        public void inherit(Inbound before) {
            inner.inherit(before instanceof StreamsOnly other ? other.inner : before);
        }
    }
}
