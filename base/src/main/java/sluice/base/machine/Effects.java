package sluice.base.machine;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;

/// What a [StreamMachine] may ask for. Buffers handed over here change owner. Only valid during the
/// call that it was passed to, except that a machine may keep it when its engine-given lifetime is
/// the same.
public interface Effects {

    /// Returns an empty buffer of this loop with room for `bytes`; the caller owns it.
    Buf acquire(int bytes);

    /// Reads no more from the peer: what was left unconsumed stays where it is, and neither later
    /// bytes nor the end are offered until [#goOnReading]. That the connection broke is noticed all
    /// the same where the system tells of it (Linux).
    void stopReading();

    /// Undoes [#stopReading]: behind the present call, what was left unconsumed is offered again.
    /// Does nothing where reading goes on.
    void goOnReading();

    /// Gives back payload that says too little as yet; at most once per [StreamMachine#onPayload].
    /// Takes `owned`. It comes again, in front of the payload that follows; [#detach] drops it.
    void putBack(Buf owned);

    /// Sends bytes towards this machine's own peer. Takes `owned`; order is kept. Never fails: what
    /// the socket does not take is queued, and the other side is told to stop reading.
    void send(Buf owned);

    /// No more bytes will be sent: half-closes towards the peer behind what was sent before.
    void end();

    /// Hands payload to the layer above or, from the highest layer, to the other leg. Takes
    /// `owned`.
    void deliver(Buf owned);

    /// The peer's payload has ended; the other leg is half-closed behind what was delivered before.
    void deliverEnd();

    /// Hands over one datagram, on streams that carry datagrams. Takes `owned`. `remote` is where
    /// it shall go (accepting side) or where it came from (dialling side).
    void deliverDatagram(Destination remote, Buf owned);

    /// Accepting side: asks for a stream to `destination`. The answer is [StreamMachine#onOpened];
    /// payload may be delivered before it and waits. A second `open` replaces the first target,
    /// whose leg must have ended or been detached.
    ///
    /// @param user name of the authenticated user, for rules, limits and logs
    void open(Destination destination, @Nullable String user);

    /// Accepting side: from here on this stream carries datagrams ([#deliverDatagram]).
    ///
    /// @param first the destination that rules are asked about
    void openDatagrams(Destination first, @Nullable String user);

    /// Accepting side: from here on this stream carries datagrams to and from one target; what
    /// comes from elsewhere is dropped.
    default void connectDatagrams(Destination target, @Nullable String user) {
        openDatagrams(target, user);
    }

    /// Accepting side: asks for a datagram socket on the address that the client reached, served by
    /// `server`, which lives as long as this stream. The answer is [StreamMachine#onAssociated], or
    /// [StreamMachine#onOpened] with the failure.
    void associate(DatagramServer server, @Nullable String user);

    /// Accepting side, highest layer: drops the other leg and keeps this one, to [#open] again
    /// later.
    void detach();

    /// Dialling side: the handshake is complete; payload may come. Called once.
    void ready();

    /// Dialling side: the proxy refused to reach the target. Closes this leg and reports `outcome`.
    void refuse(OpenOutcome outcome, String reason);

    /// This machine has nothing more to do: from here on bytes pass untouched both ways. Bytes it
    /// left unconsumed are payload. On the dialling side it implies [#ready].
    void becomeTransparent();

    /// Puts `next` in this machine's place; it gets `onStart` and then the unconsumed bytes.
    void become(StreamMachine next);

    /// The client's true address, as a trusted front reported it.
    void sourceIs(Endpoint source);

    /// Ends this leg in order: what was sent goes out, then FIN; what still comes in is discarded
    /// for a short while so that the last bytes are not lost to a reset. Ends the flow.
    void close();

    /// The peer broke a rule: ends this leg as `farewell` says and the flow with it; logged and
    /// counted.
    void fail(PeerFault fault, Farewell farewell);
}
