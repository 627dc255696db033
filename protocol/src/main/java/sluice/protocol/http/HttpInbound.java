package sluice.protocol.http;

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

/// A configured HTTP proxy listener.
///
/// @param options what the operator said
public record HttpInbound(HttpServerOptions options) implements Inbound {

    /// What an operator may say.
    static final Shape<HttpInbound> SHAPE = Shape.of("http inbound", HttpInbound::read, keys());

    /// The machine for a connection.
    public static StreamMachine machine(HttpServerOptions options) {
        return new HttpServer(options);
    }

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
        return machine(options);
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
        keys.addAll(HttpServerOptions.keys());
        keys.add(Key.notYet("tls", true));
        keys.add(Key.notYet("set_system_proxy", false));
        return keys.toArray(new Key<?>[0]);
    }

    private static @Nullable HttpInbound read(Fields fields) {
        Access access = Access.from(fields);
        HttpServerOptions options = access == null ? null : HttpServerOptions.from(access, fields);
        return options == null ? null : new HttpInbound(options);
    }
}
