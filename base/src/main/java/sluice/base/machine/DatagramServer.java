package sluice.base.machine;

import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.time.Deadline;

/// The accepting side of a datagram protocol at one socket: tells sessions apart, opens and seals
/// their packets. Sans-IO and owned by one loop, like [StreamMachine].
public interface DatagramServer {

    /// A packet arrived. Borrows `packet`. Bad packets are counted through [Sink#drop] and answered
    /// by silence.
    void onPacket(Endpoint from, Buf packet, long nowNanos, Sink out);

    /// Appends to `into` the packet that carries `payload` to the session's client. Borrows both.
    /// Returns false when it cannot be sent (too large); the engine counts it.
    ///
    /// @param source where the payload came from
    boolean seal(DatagramSession session, Destination source, Buf payload, Buf into, long nowNanos);

    /// The engine ended the flow of `session` (idle, error). The server may keep its own state
    /// longer.
    default void onFlowEnd(DatagramSession session, long nowNanos) {}

    /// Takes over, in place of `before`, the sessions that must be remembered. Their flows go on.
    /// Called before anything else, on the loop of both.
    default void inherit(DatagramServer before) {}

    /// The deadline last returned by [#deadlineNanos] has passed: forget what is too old.
    default void onDeadline(long nowNanos) {}

    /// When to call [#onDeadline]; [Deadline#NONE] for never.
    default long deadlineNanos() {
        return Deadline.NONE;
    }

    /// Whether a session has one target for all its datagrams and its client is not told where
    /// answers come from, so that nobody but the target may answer.
    default boolean hasOneTarget() {
        return false;
    }

    /// Most bytes that [#seal] adds to a payload.
    int overheadBytes();

    /// What a server may ask for.
    interface Sink {

        /// Returns an empty buffer of this loop with room for `bytes`; the caller owns it.
        Buf acquire(int bytes);

        /// A client's datagram for `target`. Takes `owned`. The first one of a session begins its
        /// flow.
        void deliver(DatagramSession session, Destination target, Buf owned);

        /// A packet that nobody could use; counted, and logged once per interval.
        void drop(Endpoint from, String reason);

        /// Sends raw bytes to an address from the listening socket (relays). Takes `owned`.
        void sendRaw(Endpoint to, Buf owned);
    }
}
