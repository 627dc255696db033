package sluice.protocol.socks;

import sluice.base.fault.PeerFault;
import sluice.base.machine.OpenOutcome;

/// Faults that several machines of this package report.
final class SocksFaults {

    private SocksFaults() {}

    static PeerFault truncated() {
        return new PeerFault(PeerFault.Kind.TRUNCATED, "socks: the stream ended in the handshake");
    }

    /// The client was told of success before the target was dialled.
    static PeerFault unreachable(OpenOutcome outcome) {
        return new PeerFault(
                PeerFault.Kind.REFUSED,
                "socks: target not reached after an early reply: " + outcome);
    }
}
