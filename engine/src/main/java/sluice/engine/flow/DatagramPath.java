package sluice.engine.flow;

import sluice.base.buf.Buf;
import sluice.base.net.Destination;

/// The target's side of a datagram flow: takes datagrams for anywhere and brings back what answers,
/// through whatever the outbound is. Owned by one loop.
interface DatagramPath {

    /// What stands above a path.
    interface Sink {

        /// An answer. Takes `owned`.
        ///
        /// @param from where it came from
        void onDatagram(Destination from, Buf owned);

        /// The path is over; it has closed itself.
        void onPathEnd(String reason);
    }

    /// Datagrams that wait while a path is being opened; more are dropped, as a network would.
    int WAITING = 16;

    /// Sends one datagram. Takes `owned`.
    void send(Destination to, Buf owned);

    /// Closes; nothing is called back afterwards.
    void close();
}
