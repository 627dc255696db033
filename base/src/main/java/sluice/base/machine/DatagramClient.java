package sluice.base.machine;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;

/// The dialling side of a datagram protocol, for one flow: seals what goes to the server and opens
/// what comes back. Sans-IO and owned by one loop. Both methods run per packet: no allocation after
/// warm-up.
public interface DatagramClient {

    /// Appends to `into` the packet that carries `payload` to `target` by way of the server.
    /// Borrows both. Returns false when it cannot be sent (too large); the engine counts it.
    boolean seal(Destination target, Buf payload, Buf into, long nowNanos);

    /// Appends to `into` the payload of a packet that came from the server. Borrows both. Returns
    /// where the payload came from, or null when the packet must be dropped ([#dropReason] says
    /// why).
    @Nullable Destination open(Buf packet, Buf into, long nowNanos);

    /// Why the last [#open] returned null; a constant text.
    String dropReason();

    /// Most bytes that [#seal] adds to a payload.
    int overheadBytes();
}
