package sluice.protocol.proxyprotocol;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;

/// A header of the PROXY protocol.
///
///     version 1: PROXY TCP4|TCP6 <source> <destination> <source port> <destination port> CR LF
///     version 2: signature | version and command u8 | family and protocol u8 | length u16be
///                | source | destination | source port u16be | destination port u16be | TLVs
///
/// @param source the client's address, or null where the header names none: the peer's own address counts
/// @param bytes its size on the wire
record ProxyHeader(@Nullable Endpoint source, int bytes) {

    /// What stands at the front of a stream.
    enum Kind {
        /// The beginning of a header, or of something else.
        UNDECIDED,
        VERSION_1,
        VERSION_2,
        NONE
    }

    /// What [#parseOrNull] returns while bytes are missing.
    static final ProxyHeader INCOMPLETE = new ProxyHeader(null, 0);

    /// The longest line of version 1, with its end (§2.1).
    static final int LINE_BYTES_MAX = 107;

    private static final byte[] SIGNATURE = {
        0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a
    };
    private static final byte[] WORD = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    // Version 2, §2.2
    private static final int COMMAND_OFFSET = 12;
    private static final int FAMILY_OFFSET = 13;
    private static final int LENGTH_OFFSET = 14;
    private static final int ADDRESS_OFFSET = 16;
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int FAMILY_UNSPECIFIED = 0x0;
    private static final int FAMILY_IPV4 = 0x1;
    private static final int FAMILY_IPV6 = 0x2;
    private static final int FAMILY_UNIX = 0x3;
    private static final int STREAM = 0x1;
    private static final int DATAGRAM = 0x2;
    private static final int ENCODED_BYTES_MAX = ADDRESS_OFFSET + 36;

    /// What the readable bytes of `in` begin with.
    static Kind kindOf(Buf in) {
        if (in.isEmpty()) {
            return Kind.UNDECIDED;
        }
        boolean isSecond = in.unsigned(0) == SIGNATURE[0];
        byte[] wanted = isSecond ? SIGNATURE : WORD;
        int compared = Math.min(in.length(), wanted.length);
        for (int i = 0; i < compared; i++) {
            if (in.unsigned(i) != wanted[i]) {
                return Kind.NONE;
            }
        }
        if (compared < wanted.length) {
            return Kind.UNDECIDED;
        }
        return isSecond ? Kind.VERSION_2 : Kind.VERSION_1;
    }

    /// Reads a header of that kind; [#INCOMPLETE] where bytes are missing, null where it is
    /// malformed.
    static @Nullable ProxyHeader parseOrNull(Kind kind, Buf in) {
        return switch (kind) {
            case VERSION_1 -> parseLine(in);
            case VERSION_2 -> parseBinary(in);
            case UNDECIDED, NONE -> throw new AssertionError("there is no header");
        };
    }

    private static @Nullable ProxyHeader parseLine(Buf in) {
        int most = Math.min(in.length(), LINE_BYTES_MAX);
        int feed = WORD.length;
        while (feed < most && in.unsigned(feed) != '\n') {
            feed++;
        }
        if (feed == most) {
            return most == LINE_BYTES_MAX ? null : INCOMPLETE;
        }
        if (in.unsigned(feed - 1) != '\r') {
            return null;
        }
        int textBytes = feed - 1 - WORD.length;
        String text =
                new String(
                        in.array(),
                        in.start() + WORD.length,
                        textBytes,
                        StandardCharsets.ISO_8859_1);
        if (text.equals("UNKNOWN") || text.startsWith("UNKNOWN ")) {
            return new ProxyHeader(null, feed + 1);
        }
        String[] words = text.split(" ", -1);
        if (words.length != 5) {
            return null;
        }
        Endpoint source = endpointOrNull(words[0], words[1], words[3]);
        Endpoint destination = endpointOrNull(words[0], words[2], words[4]);
        return source == null || destination == null ? null : new ProxyHeader(source, feed + 1);
    }

    private static @Nullable Endpoint endpointOrNull(String family, String host, String port) {
        boolean isSix = host.indexOf(':') >= 0;
        boolean isFamily = family.equals(isSix ? "TCP6" : "TCP4");
        IpAddress address = host.startsWith("[") ? null : IpAddress.parseOrNull(host);
        if (!isFamily || address == null || !port.matches("[0-9]{1,5}")) {
            return null;
        }
        int number = Integer.parseInt(port);
        return number > 65_535 ? null : new Endpoint(address, number);
    }

    private static @Nullable ProxyHeader parseBinary(Buf in) {
        if (in.length() < ADDRESS_OFFSET) {
            return INCOMPLETE;
        }
        int command = in.unsigned(COMMAND_OFFSET);
        int family = in.unsigned(FAMILY_OFFSET) >>> 4;
        int protocol = in.unsigned(FAMILY_OFFSET) & 0xf;
        int length = in.unsignedShort(LENGTH_OFFSET);
        int bytes = ADDRESS_OFFSET + length;
        if (command != LOCAL && command != PROXY) {
            return null;
        }
        int addressBytes = command == LOCAL ? 0 : addressBytesOrMinus(family, protocol);
        if (addressBytes < 0 || addressBytes > length) {
            return null;
        }
        if (in.length() < bytes) {
            return INCOMPLETE;
        }
        if (command == LOCAL || family != FAMILY_IPV4 && family != FAMILY_IPV6) {
            return new ProxyHeader(null, bytes);
        }
        int each = family == FAMILY_IPV4 ? 4 : 16;
        IpAddress address = IpAddress.of(in.array(), in.start() + ADDRESS_OFFSET, each);
        int port = in.unsignedShort(ADDRESS_OFFSET + 2 * each);
        return new ProxyHeader(new Endpoint(address, port), bytes);
    }

    /// Bytes of addresses and ports, or -1 for a family that nobody knows.
    private static int addressBytesOrMinus(int family, int protocol) {
        if (protocol > DATAGRAM) {
            return -1;
        }
        return switch (family) {
            case FAMILY_UNSPECIFIED -> 0;
            case FAMILY_IPV4 -> 12;
            case FAMILY_IPV6 -> 36;
            case FAMILY_UNIX -> 216;
            default -> -1;
        };
    }

    /// Most bytes that [#write1] and [#write2] append.
    static int encodedBytesMax() {
        return Math.max(LINE_BYTES_MAX, ENCODED_BYTES_MAX);
    }

    /// Appends a line of version 1.
    ///
    /// @param source the client as far as it is known, or null
    /// @param destination the address that it reached, or null
    static void write1(@Nullable Endpoint source, @Nullable Endpoint destination, Buf into) {
        if (source == null || destination == null) {
            into.put("PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        boolean isFour = source.address().isV4() && destination.address().isV4();
        String line =
                (isFour ? "PROXY TCP4 " : "PROXY TCP6 ")
                        + text(source.address(), isFour)
                        + " "
                        + text(destination.address(), isFour)
                        + " "
                        + source.port()
                        + " "
                        + destination.port()
                        + "\r\n";
        into.put(line.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(IpAddress address, boolean isFour) {
        return isFour || !address.isV4() ? address.toString() : "::ffff:" + address;
    }

    /// Appends a header of version 2; parameters as for [#write1].
    static void write2(@Nullable Endpoint source, @Nullable Endpoint destination, Buf into) {
        into.put(SIGNATURE);
        if (source == null || destination == null) {
            into.put(LOCAL);
            into.put(0);
            into.putShort(0);
            return;
        }
        boolean isFour = source.address().isV4() && destination.address().isV4();
        into.put(PROXY);
        into.put((isFour ? FAMILY_IPV4 : FAMILY_IPV6) << 4 | STREAM);
        into.putShort(addressBytesOrMinus(isFour ? FAMILY_IPV4 : FAMILY_IPV6, STREAM));
        writeAddress(source.address(), isFour, into);
        writeAddress(destination.address(), isFour, into);
        into.putShort(source.port());
        into.putShort(destination.port());
    }

    /// An IPv4 address among IPv6 ones is written as a mapped one.
    private static void writeAddress(IpAddress address, boolean isFour, Buf into) {
        if (!isFour && address.isV4()) {
            into.putLong(0);
            into.putShort(0);
            into.putShort(0xffff);
        }
        into.extend(address.writeTo(into.array(), into.end()));
    }
}
