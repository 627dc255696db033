package sluice.base.net;

import org.jspecify.annotations.Nullable;

/// An IPv4 or IPv6 address as two longs. IPv4-mapped IPv6 addresses are IPv4 here, everywhere.
///
/// @param high upper 64 bits; 0 for IPv4
/// @param low lower 64 bits; the 32 address bits for IPv4
/// @param isV4 family
public record IpAddress(long high, long low, boolean isV4) implements Host {

    /// 0.0.0.0
    public static final IpAddress ANY_V4 = new IpAddress(0, 0, true);

    /// ::
    public static final IpAddress ANY_V6 = new IpAddress(0, 0, false);

    /// 127.0.0.1
    public static final IpAddress LOOPBACK_V4 = new IpAddress(0, 0x7f000001L, true);

    /// ::1
    public static final IpAddress LOOPBACK_V6 = new IpAddress(0, 1, false);

    /// An IPv4 address from its 32 bits.
    public static IpAddress v4(int bits) {
        return new IpAddress(0, bits & 0xffff_ffffL, true);
    }

    /// An IPv6 address from its halves; IPv4-mapped ones become IPv4.
    public static IpAddress v6(long high, long low) {
        if (high == 0 && low >>> 32 == 0xffff) {
            return v4((int) low);
        }
        return new IpAddress(high, low, false);
    }

    /// Reads 4 or 16 bytes in network order.
    public static IpAddress of(byte[] array, int offset, int bytes) {
        if (bytes == 4) {
            return v4((int) bigEndian(array, offset, 4));
        }
        return v6(bigEndian(array, offset, 8), bigEndian(array, offset + 8, 8));
    }

    /// Reads a literal, strictly: four decimal octets without leading zeros, or RFC 4291 text (in
    /// brackets or not). Unlike the JDK, `1`, `127.1` and `010.0.0.1` are not addresses. A zone
    /// (`%eth0`) is not accepted. Returns null where it is no literal.
    public static @Nullable IpAddress parseOrNull(String text) {
        String body = text;
        if (body.startsWith("[") && body.endsWith("]")) {
            body = body.substring(1, body.length() - 1);
            if (body.indexOf(':') < 0) {
                return null;
            }
        }
        return body.indexOf(':') >= 0 ? parseV6(body) : parseV4(body);
    }

    /// Writes the address in network order and returns its size, 4 or 16.
    public int writeTo(byte[] array, int offset) {
        if (isV4) {
            putBigEndian(array, offset, low, 4);
            return 4;
        }
        putBigEndian(array, offset, high, 8);
        putBigEndian(array, offset + 8, low, 8);
        return 16;
    }

    /// 4 or 16.
    public int bytes() {
        return isV4 ? 4 : 16;
    }

    /// 127.0.0.0/8 or ::1.
    public boolean isLoopback() {
        return isV4 ? low >>> 24 == 127 : high == 0 && low == 1;
    }

    /// 0.0.0.0 or ::.
    public boolean isAny() {
        return high == 0 && low == 0;
    }

    /// Whether the address is private, link-local, loopback, shared (RFC 6598) or unspecified.
    public boolean isPrivate() {
        if (isV4) {
            long first = low >>> 24;
            return first == 10
                    || first == 127
                    || first == 0
                    || low >>> 20 == 0xac1
                    || low >>> 16 == 0xc0a8
                    || low >>> 16 == 0xa9fe
                    || low >>> 22 == (100 << 2 | 1);
        }
        return high == 0 && (low == 0 || low == 1) || high >>> 57 == 0x7e || high >>> 54 == 0x3fa;
    }

    @Override
    public String toString() {
        if (isV4) {
            return (low >>> 24)
                    + "."
                    + (low >>> 16 & 255)
                    + "."
                    + (low >>> 8 & 255)
                    + "."
                    + (low & 255);
        }
        return textV6();
    }

    private String textV6() {
        int bestStart = -1;
        int bestLength = 1;
        for (int i = 0; i < 8; i++) {
            int length = 0;
            while (i + length < 8 && group(i + length) == 0) {
                length++;
            }
            if (length > bestLength) {
                bestStart = i;
                bestLength = length;
            }
            i += Math.max(0, length - 1);
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++) {
            if (i == bestStart) {
                text.append("::");
                i += bestLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(group(i)));
        }
        return text.toString();
    }

    private int group(int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (48 - 16 * (index & 3))) & 0xffff;
    }

    private static @Nullable IpAddress parseV4(String text) {
        long bits = 0;
        int octets = 0;
        int digits = 0;
        int value = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : '.';
            if (c == '.') {
                if (digits == 0 || octets == 4) {
                    return null;
                }
                bits = bits << 8 | value;
                octets++;
                digits = 0;
                value = 0;
            } else if (c >= '0' && c <= '9') {
                if (digits > 0 && value == 0) {
                    return null;
                }
                value = value * 10 + (c - '0');
                if (++digits > 3 || value > 255) {
                    return null;
                }
            } else {
                return null;
            }
        }
        return octets == 4 ? v4((int) bits) : null;
    }

    private static @Nullable IpAddress parseV6(String text) {
        int[] groups = new int[8];
        int count = 0;
        int gap = -1;
        int i = 0;
        if (text.startsWith("::")) {
            gap = 0;
            i = 2;
        } else if (text.startsWith(":")) {
            return null;
        }
        while (i < text.length()) {
            int colon = text.indexOf(':', i);
            String part = colon < 0 ? text.substring(i) : text.substring(i, colon);
            if (colon < 0 && part.indexOf('.') >= 0) {
                IpAddress tail = parseV4(part);
                if (tail == null || count > 6) {
                    return null;
                }
                groups[count++] = (int) (tail.low >>> 16);
                groups[count++] = (int) (tail.low & 0xffff);
                break;
            }
            int value = parseGroup(part);
            if (value < 0 || count == 8) {
                return null;
            }
            groups[count++] = value;
            if (colon < 0) {
                break;
            }
            i = colon + 1;
            if (i == text.length()) {
                return null;
            }
            if (text.charAt(i) == ':') {
                if (gap >= 0) {
                    return null;
                }
                gap = count;
                i++;
            }
        }
        return fromGroups(groups, count, gap);
    }

    private static @Nullable IpAddress fromGroups(int[] groups, int count, int gap) {
        if (gap < 0 ? count != 8 : count > 7) {
            return null;
        }
        long[] halves = new long[2];
        for (int k = 0; k < count; k++) {
            int place = gap >= 0 && k >= gap ? 8 - count + k : k;
            halves[place >> 2] |= (long) groups[k] << (48 - 16 * (place & 3));
        }
        return v6(halves[0], halves[1]);
    }

    private static int parseGroup(String part) {
        if (part.isEmpty() || part.length() > 4) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static long bigEndian(byte[] array, int offset, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | (array[offset + i] & 0xff);
        }
        return value;
    }

    private static void putBigEndian(byte[] array, int offset, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            array[offset + i] = (byte) (value >>> (8 * (bytes - 1 - i)));
        }
    }
}
