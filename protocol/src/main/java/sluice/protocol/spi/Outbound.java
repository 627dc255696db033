package sluice.protocol.spi;

import org.jspecify.annotations.Nullable;
import sluice.base.machine.DatagramClient;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;

/// One configured way out: immutable, shared by all loops.
public interface Outbound {

    /// How an outbound carries datagrams.
    enum Datagrams {
        /// Not at all.
        NONE,
        /// Straight to the target, without a proxy.
        BARE,
        /// In packets of its own to [Outbound#server]: [Outbound#dialDatagrams].
        PACKETS,
        /// In a stream: [Outbound#dialDatagramStream], which calls `deliverDatagram`.
        STREAM,
        /// In packets to an address that a control stream names: [Outbound#dialAssociation].
        ASSOCIATION
    }

    /// Whether it refuses everything.
    default boolean isBlock() {
        return false;
    }

    /// The proxy to connect to, or null where the target itself is dialled.
    @Nullable Destination server();

    /// Whether the server says that it reached the target. Where it does not, a stream counts as
    /// open as soon as the server is connected.
    default boolean confirmsTarget() {
        return true;
    }

    /// The machine that reaches `target` through the server, or null for a bare stream.
    @Nullable StreamMachine dialStream(LoopServices loop, Destination target);

    /// How datagrams go.
    Datagrams datagrams();

    /// Where packets go; only asked for [Datagrams#PACKETS].
    default @Nullable Destination packetServer() {
        return server();
    }

    /// One flow's packet machine; only asked for [Datagrams#PACKETS].
    default DatagramClient dialDatagrams(LoopServices loop) {
        throw new IllegalStateException("no packets here");
    }

    /// The machines, lowest first, of a stream that carries datagrams; only asked for
    /// [Datagrams#STREAM].
    ///
    /// @param first where the first datagram goes
    default StreamMachine[] dialDatagramStream(LoopServices loop, Destination first) {
        throw new IllegalStateException("no datagram streams here");
    }

    /// The control stream of an association; only asked for [Datagrams#ASSOCIATION].
    default AssociationClient dialAssociation(LoopServices loop) {
        throw new IllegalStateException("no associations here");
    }

    /// A control stream and the packets that go beside it.
    interface AssociationClient {

        /// The control stream's machine. It calls `ready` when [#relay] is known; when the stream
        /// ends, so does the association.
        StreamMachine control();

        /// Where packets go; its host may be unspecified, which means the server's own address.
        Destination relay();

        /// Seals and opens the packets.
        DatagramClient packets();
    }
}
