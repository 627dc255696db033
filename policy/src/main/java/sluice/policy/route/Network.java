package sluice.policy.route;

/// How a flow carries its bytes.
public enum Network {
    /// In order and without loss; `tcp` in a configuration.
    STREAM,
    /// In datagrams; `udp` in a configuration.
    DATAGRAM
}
