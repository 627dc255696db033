package sluice.base.machine;

/// How a stream ends after a fault.
public enum Farewell {
    /// What was sent goes out, then FIN, with a short discard of input.
    FIN,
    /// RST at once.
    RESET,
    /// Nothing is sent; input is read and discarded until the peer ends or the handshake deadline
    /// passes, then FIN.
    DRAIN
}
