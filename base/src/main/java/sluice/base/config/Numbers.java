package sluice.base.config;

import java.math.BigDecimal;
import java.math.BigInteger;

/// Numbers as JSON and YAML 1.2 write them; YAML also has `0x1F` and `0o17`, and a leading zero
/// means nothing.
final class Numbers {

    private Numbers() {}

    /// @throws NumberFormatException when it is no integer or does not fit
    static long toLong(String text) {
        if (text.startsWith("0x")) {
            return Long.parseLong(text, 2, text.length(), 16);
        }
        if (text.startsWith("0o")) {
            return Long.parseLong(text, 2, text.length(), 8);
        }
        return Long.parseLong(text);
    }

    /// Whether two numbers have the same value.
    static boolean areEqual(String a, String b) {
        try {
            return toDecimal(a).compareTo(toDecimal(b)) == 0;
        } catch (NumberFormatException _) {
            return a.equals(b);
        }
    }

    private static BigDecimal toDecimal(String text) {
        if (text.startsWith("0x")) {
            return new BigDecimal(new BigInteger(text.substring(2), 16));
        }
        if (text.startsWith("0o")) {
            return new BigDecimal(new BigInteger(text.substring(2), 8));
        }
        return new BigDecimal(text);
    }
}
