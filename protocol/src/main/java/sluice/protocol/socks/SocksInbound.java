package sluice.protocol.socks;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Secret;
import sluice.base.config.Shape;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;
import sluice.protocol.access.Access;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;

/// A configured SOCKS listener, all versions at one port.
///
/// @param options what the operator said
public record SocksInbound(SocksServerOptions options) implements Inbound {

    /// What an operator may say.
    static final Shape<SocksInbound> SHAPE = Shape.of("socks inbound", SocksInbound::read, keys());

    /// The machine for a connection that begins with the octet `version`.
    ///
    /// @param client the peer of the connection
    public static @Nullable StreamMachine machineOrNull(
            int version, SocksServerOptions options, Endpoint client) {
        return SocksServer.forVersion(version, options, client);
    }

    @Override
    public boolean acceptsStreams() {
        return true;
    }

    /// Datagrams come to sockets of their own, one for each association.
    @Override
    public boolean acceptsDatagrams() {
        return false;
    }

    @Override
    public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
        return new SocksServer(options, client);
    }

    @Override
    public boolean isUserKnown(String user) {
        return options.access().users().knows(user);
    }

    @Override
    public @Nullable Secret secretOrNull(@Nullable String user) {
        return options.access().users().secretOrNull(user);
    }

    private static Key<?>[] keys() {
        List<Key<?>> keys = new ArrayList<>(Access.keys());
        keys.addAll(SocksServerOptions.keys());
        return keys.toArray(new Key<?>[0]);
    }

    private static @Nullable SocksInbound read(Fields fields) {
        Access access = Access.from(fields);
        return access == null ? null : new SocksInbound(SocksServerOptions.from(access, fields));
    }
}
