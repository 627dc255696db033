package sluice.protocol.address;

import java.nio.charset.StandardCharsets;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;

/// How a destination stands on the wire: `TYPE u8 | ADDRESS | PORT u16be`, where the address is 4
/// bytes, 16 bytes, or a length octet and a name of that many bytes. Protocols differ in the type
/// octets only. Writing allocates nothing, except for names that are not ASCII.
///
/// Wire: RFC 1928 §5 for [#SOCKS].
///
/// @param ipv4 type octet of an IPv4 address
/// @param name type octet of a name
/// @param ipv6 type octet of an IPv6 address
public record AddressForm(int ipv4, int name, int ipv6) {

    /// The octets of SOCKS5, which Shadowsocks, Trojan and others took over.
    public static final AddressForm SOCKS = new AddressForm(0x01, 0x03, 0x04);

    /// The octets of packets in UDP over TCP.
    public static final AddressForm UDP_OVER_TCP = new AddressForm(0x00, 0x02, 0x01);

    /// The longest encoded destination in bytes: type, length octet, 255 bytes of name, port.
    public static final int ENCODED_BYTES_MAX = 1 + 1 + 255 + 2;

    /// Bytes of an encoded IPv4 destination.
    public static final int IPV4_BYTES = 1 + 4 + 2;

    /// Bytes of an encoded IPv6 destination.
    public static final int IPV6_BYTES = 1 + 16 + 2;

    /// How many bytes [#write] will write for `destination`.
    public int encodedBytes(Destination destination) {
        return switch (destination.host()) {
            case IpAddress address -> 1 + address.bytes() + 2;
            case DomainName domain -> 1 + 1 + utf8Bytes(domain.text()) + 2;
        };
    }

    /// Appends `destination` to `into`, which must have room for [#encodedBytes].
    public void write(Destination destination, Buf into) {
        into.extend(write(destination, into.array(), into.end()));
    }

    /// Writes `destination` at `offset` and returns its size in bytes.
    public int write(Destination destination, byte[] array, int offset) {
        int end =
                switch (destination.host()) {
                    case IpAddress address -> {
                        array[offset] = (byte) (address.isV4() ? ipv4 : ipv6);
                        yield offset + 1 + address.writeTo(array, offset + 1);
                    }
                    case DomainName domain -> {
                        array[offset] = (byte) name;
                        int bytes = writeUtf8(domain.text(), array, offset + 2);
                        array[offset + 1] = (byte) bytes;
                        yield offset + 2 + bytes;
                    }
                };
        array[end] = (byte) (destination.port() >>> 8);
        array[end + 1] = (byte) destination.port();
        return end + 2 - offset;
    }

    private static int utf8Bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return text.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return text.length();
    }

    private static int writeUtf8(String text, byte[] array, int offset) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                System.arraycopy(bytes, 0, array, offset, bytes.length);
                return bytes.length;
            }
            array[offset + i] = (byte) c;
        }
        return text.length();
    }
}
