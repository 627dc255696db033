package sluice.protocol;

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
import sluice.protocol.http.HttpServerOptions;
import sluice.protocol.socks.SocksServerOptions;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Protocol;

/// SOCKS and HTTP at one port, as `type: mixed` of an inbound. The first byte tells which: 04 and
/// 05 are SOCKS, everything else is for the HTTP parser to judge.
final class Mixed implements Protocol {

    private static final Shape<MixedInbound> SHAPE = Shape.of("mixed inbound", Mixed::read, keys());

    /// Makes the catalog's entry.
    Mixed() {}

    @Override
    public String type() {
        return "mixed";
    }

    @Override
    public Shape<? extends Inbound> inbound() {
        return SHAPE;
    }

    private static Key<?>[] keys() {
        List<Key<?>> keys = new ArrayList<>(Access.keys());
        keys.addAll(SocksServerOptions.keys());
        keys.addAll(HttpServerOptions.keys());
        keys.add(Key.notYet("set_system_proxy", false));
        return keys.toArray(new Key<?>[0]);
    }

    private static @Nullable MixedInbound read(Fields fields) {
        Access access = Access.from(fields);
        HttpServerOptions http = access == null ? null : HttpServerOptions.from(access, fields);
        return access == null || http == null
                ? null
                : new MixedInbound(SocksServerOptions.from(access, fields), http);
    }

    /// @param socks for clients that begin with 04 or 05
    /// @param http for everybody else
    private record MixedInbound(SocksServerOptions socks, HttpServerOptions http)
            implements Inbound {

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
            return new MixedServer(socks, http, client);
        }

        @Override
        public boolean isUserKnown(String user) {
            return socks.access().users().knows(user);
        }

        @Override
        public @Nullable Secret secretOrNull(@Nullable String user) {
            return socks.access().users().secretOrNull(user);
        }
    }
}
