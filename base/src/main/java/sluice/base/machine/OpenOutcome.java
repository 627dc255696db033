package sluice.base.machine;

/// How an attempt to reach a destination went, as far as protocols can tell their clients.
public enum OpenOutcome {
    /// Connected, or the next proxy said so.
    OK,
    /// A rule said no.
    DENIED,
    /// No route to the network.
    NETWORK_UNREACHABLE,
    /// No route to the host, or its name does not resolve.
    HOST_UNREACHABLE,
    /// The port is closed.
    REFUSED,
    /// No answer in time.
    TIMED_OUT,
    /// Anything else.
    FAILED
}
