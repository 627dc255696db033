package sluice.base.net;

import org.jspecify.annotations.Nullable;

/// A socket address: an IP address and a port.
///
/// @param address IPv4 or IPv6
/// @param port 0 to 65535; 0 where the kernel chooses or nothing is meant
public record Endpoint(IpAddress address, int port) {

    /// @throws IllegalArgumentException when the port is out of range
    public Endpoint {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(port + " is not a port (0 to 65535)");
        }
    }

    /// Reads `1.2.3.4:80` or `[::1]:80`; null where it is not of that form.
    public static @Nullable Endpoint parseOrNull(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return null;
        }
        IpAddress address = IpAddress.parseOrNull(text.substring(0, colon));
        boolean bracketed = text.startsWith("[");
        if (address == null || (text.indexOf(':') != colon && !bracketed)) {
            return null;
        }
        int port = Decimal.parseOrMinus(text, colon + 1, 65_535);
        return port < 0 ? null : new Endpoint(address, port);
    }

    @Override
    public String toString() {
        return address.isV4() ? address + ":" + port : "[" + address + "]:" + port;
    }
}
