package sluice.lab.engine;

/// Which end of a protocol an engine is.
public enum Role {
    /// Forwarded ports in, the protocol out.
    CLIENT,
    /// The protocol in, straight on.
    SERVER
}
