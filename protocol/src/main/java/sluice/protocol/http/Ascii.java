package sluice.protocol.http;

import java.nio.charset.StandardCharsets;

/// Characters of HTTP messages, which are bytes; RFC 9110 §5.6.
final class Ascii {

    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (int c = '0'; c <= '9'; c++) {
            TOKEN[c] = true;
        }
        for (int c = 'a'; c <= 'z'; c++) {
            TOKEN[c] = true;
            TOKEN[c - 'a' + 'A'] = true;
        }
        for (byte c : "!#$%&'*+-.^_`|~".getBytes(StandardCharsets.US_ASCII)) {
            TOKEN[c] = true;
        }
    }

    private Ascii() {}

    /// Whether a token may hold the byte.
    static boolean isToken(byte b) {
        return b >= 0 && TOKEN[b];
    }

    /// Whether `[start, end)` is a token.
    static boolean isToken(byte[] array, int start, int end) {
        for (int i = start; i < end; i++) {
            if (!isToken(array[i])) {
                return false;
            }
        }
        return end > start;
    }

    /// Whether a field value may hold the byte: visible, blank, tab, or beyond ASCII.
    static boolean isValue(byte b) {
        return b < 0 || b >= ' ' && b != 0x7f || b == '\t';
    }

    /// A blank or a tab.
    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /// 0 to 9.
    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /// The value of a hexadecimal digit, or -1.
    static int hexOrMinus(byte b) {
        if (isDigit(b)) {
            return b - '0';
        }
        int lower = lower(b);
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    /// Lower case of a letter, and every other byte as it is.
    static int lower(byte b) {
        return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
    }

    /// Whether `[start, end)` is `lower`, whatever its case.
    static boolean isText(byte[] array, int start, int end, byte[] lower) {
        if (end - start != lower.length) {
            return false;
        }
        for (int i = 0; i < lower.length; i++) {
            if (lower(array[start + i]) != lower[i]) {
                return false;
            }
        }
        return true;
    }

    /// Whether `[start, end)` and `[otherStart, otherEnd)` are the same, whatever their case.
    static boolean isSame(byte[] array, int start, int end, int otherStart, int otherEnd) {
        if (end - start != otherEnd - otherStart) {
            return false;
        }
        for (int i = 0; i < end - start; i++) {
            if (lower(array[start + i]) != lower(array[otherStart + i])) {
                return false;
            }
        }
        return true;
    }

    /// The bytes of an ASCII text.
    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
