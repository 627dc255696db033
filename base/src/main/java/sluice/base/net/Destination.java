package sluice.base.net;

/// What a client asked to reach: a host, which may be an unresolved name, and a port.
///
/// @param host address or name
/// @param port 0 to 65535; 0 is legal on the wire and cannot be dialled
public record Destination(Host host, int port) {

    /// @throws IllegalArgumentException when the port is out of range
    public Destination {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(port + " is not a port (0 to 65535)");
        }
    }

    /// The destination of a socket address.
    public static Destination of(Endpoint endpoint) {
        return new Destination(endpoint.address(), endpoint.port());
    }

    @Override
    public String toString() {
        return host instanceof IpAddress address && !address.isV4()
                ? "[" + address + "]:" + port
                : host + ":" + port;
    }
}
