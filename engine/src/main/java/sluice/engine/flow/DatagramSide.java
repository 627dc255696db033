package sluice.engine.flow;

import sluice.base.buf.Buf;
import sluice.base.net.Destination;

/// What a client's stream has to do with datagrams: it carries them, or it keeps an association
/// alive.
interface DatagramSide {

    /// A datagram that came inside the stream. Takes `owned`.
    void fromStream(Destination to, Buf owned);

    /// The stream is over.
    void close(String reason);
}
