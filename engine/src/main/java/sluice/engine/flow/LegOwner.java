package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;

/// What stands above the highest layer of a [Leg]: the conversation it belongs to.
interface LegOwner {

    /// Payload for the other side. Takes `owned`.
    void onPayload(Leg leg, Buf owned);

    /// This side sends no more payload.
    void onPayloadEnd(Leg leg);

    /// A datagram for the other side. Takes `owned`.
    default void onDatagram(Leg leg, Destination remote, Buf owned) {
        owned.release();
    }

    /// The leg cannot take more; whoever feeds it must stop.
    void onBlocked(Leg leg);

    /// The leg takes bytes again, and what was queued is gone.
    void onDrained(Leg leg);

    /// The leg has sent its FIN.
    void onOutputShut(Leg leg);

    /// The peer has sent its FIN, and the layers know.
    default void onInputEnded(Leg leg) {}

    /// The socket failed, or the peer reset it. The leg is closed already.
    void onBroken(Leg leg, int errno);

    /// The socket has failed while the leg may not read: what it received before that still waits
    /// for the other side.
    default void onFailing(Leg leg) {}

    /// A machine of this leg found that the peer broke a rule. The leg takes care of its own end.
    void onFault(Leg leg, PeerFault fault, Farewell farewell);

    /// A machine of this leg ended it in order.
    void onClosing(Leg leg);

    /// Until when a leg that discards input after a fault stays open, so that the time tells a
    /// prober nothing.
    default long drainUntilNanos(Leg leg) {
        return 0;
    }

    /// Dialling side: the highest layer is ready.
    default void onReady(Leg leg) {}

    /// Dialling side: the proxy refused. The leg is closed already.
    default void onRefused(Leg leg, OpenOutcome outcome, String reason) {}

    /// Accepting side.
    default void onOpen(Leg leg, Destination destination, @Nullable String user) {}

    /// Accepting side.
    ///
    /// @param onlyTarget whether the stream carries datagrams of `first` alone
    default void onOpenDatagrams(
            Leg leg, Destination first, boolean onlyTarget, @Nullable String user) {}

    /// Accepting side.
    default void onAssociate(Leg leg, DatagramServer server, @Nullable String user) {}

    /// Accepting side.
    default void onDetach(Leg leg) {}

    /// Accepting side.
    default void onSource(Leg leg, Endpoint source) {}

    /// The other leg, when bytes may go there without anybody looking at them; null otherwise.
    default @Nullable Leg spliceTarget(Leg leg) {
        return null;
    }

    /// Bytes that went from `leg` to its splice target without passing [#onPayload].
    default void onSpliced(Leg leg, long bytes) {}
}
