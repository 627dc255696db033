package sluice.protocol.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Secret;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;

/// One configured way in: immutable, shared by all loops. What its loops share (a replay filter) is
/// thread-safe and touched once per handshake, not per record.
public interface Inbound {

    /// Whether it listens for streams.
    boolean acceptsStreams();

    /// Whether it listens for datagrams on the same port.
    boolean acceptsDatagrams();

    /// The machine for one accepted connection.
    ///
    /// @param client the peer of the connection
    /// @param local the address it reached
    StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local);

    /// The machine for a listening datagram socket; only asked where [#acceptsDatagrams].
    ///
    /// @param local the address it listens on
    default DatagramServer serveDatagrams(LoopServices loop, Endpoint local) {
        throw new IllegalStateException("no datagrams here");
    }

    /// This inbound for streams that something below, such as a plugin or a carrier, cuts anew, so
    /// that nothing may be concluded from what a single read returns.
    default Inbound behindCarrier() {
        return this;
    }

    /// From accept to the client's request, where the operator does not say. 10 s: a client that is
    /// there needs one, and one that has vanished is forgotten.
    default Duration handshakeTimeout() {
        return Duration.ofSeconds(10);
    }

    /// Whether flows of `user` may go on after a reload replaced the inbound by this one.
    default boolean isUserKnown(String user) {
        return true;
    }

    /// What `user` has to show, or null where that is nothing. After a reload, flows of a user
    /// whose secret is another one end.
    ///
    /// @param user null where everybody shares one secret
    default @Nullable Secret secretOrNull(@Nullable String user) {
        return null;
    }

    /// Takes over state that must outlive a reload, such as seen salts, from the inbound it
    /// replaces.
    default void inherit(Inbound before) {}
}
