package sluice.base.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import sluice.base.config.ConfigNode.Scalar;

/// Numbers with units.
final class Quantities {

    private static final Map<String, Long> NANOS =
            Map.of(
                    "d", 86_400_000_000_000L,
                    "h", 3_600_000_000_000L,
                    "m", 60_000_000_000L,
                    "s", 1_000_000_000L,
                    "ms", 1_000_000L,
                    "us", 1_000L,
                    "µs", 1_000L,
                    "ns", 1L);

    private static final Map<String, Long> BYTES =
            Map.ofEntries(
                    Map.entry("", 1L),
                    Map.entry("b", 1L),
                    Map.entry("kb", 1_000L),
                    Map.entry("mb", 1_000_000L),
                    Map.entry("gb", 1_000_000_000L),
                    Map.entry("kib", 1L << 10),
                    Map.entry("mib", 1L << 20),
                    Map.entry("gib", 1L << 30));

    /// In eighths of a byte a second; letters after the number, lower case.
    private static final Map<String, Long> BITS_PER_SECOND =
            Map.ofEntries(
                    Map.entry("bps", 1L),
                    Map.entry("kbps", 1_000L),
                    Map.entry("mbps", 1_000_000L),
                    Map.entry("gbps", 1_000_000_000L),
                    Map.entry("b/s", 8L),
                    Map.entry("kb/s", 8_000L),
                    Map.entry("mb/s", 8_000_000L),
                    Map.entry("gb/s", 8_000_000_000L),
                    Map.entry("kib/s", 8L << 10),
                    Map.entry("mib/s", 8L << 20),
                    Map.entry("gib/s", 8L << 30));

    private Quantities() {}

    static Duration duration(Scalar scalar) {
        String text = scalar.text();
        if (scalar.type() == Scalar.Type.NUMBER) {
            throw new Refusal(
                    scalar.shown() + " has no unit", "write \"" + text + "s\" for seconds");
        }
        text = Kind.textOf(scalar, "a duration");
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        BigDecimal nanos = BigDecimal.ZERO;
        int at = 0;
        while (at < text.length()) {
            int number = at;
            at = skipNumber(text, at);
            int unit = at;
            while (at < text.length() && !isNumberCharacter(text.charAt(at))) {
                at++;
            }
            Long factor = NANOS.get(text.substring(unit, at));
            if (number == unit || factor == null) {
                throw notADuration(scalar);
            }
            nanos =
                    nanos.add(
                            decimal(scalar, text, number, unit)
                                    .multiply(BigDecimal.valueOf(factor)));
        }
        if (at == 0) {
            throw notADuration(scalar);
        }
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE / 4)) > 0) {
            throw new IllegalArgumentException(scalar.shown() + " is longer than 70 years");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    static Long sizeBytes(Scalar scalar) {
        return quantity(scalar, BYTES, "a size such as \"64 MiB\"");
    }

    static Long bytesPerSecond(Scalar scalar) {
        if (scalar.type() == Scalar.Type.NUMBER) {
            throw new Refusal(
                    scalar.shown() + " has no unit", "write \"" + scalar.text() + " Mbps\"");
        }
        return quantity(scalar, BITS_PER_SECOND, "a rate such as \"100 Mbps\"") / 8;
    }

    private static long quantity(Scalar scalar, Map<String, Long> units, String name) {
        String text =
                scalar.type() == Scalar.Type.NUMBER
                        ? scalar.text()
                        : Kind.textOf(scalar, name).strip();
        int end = skipNumber(text, 0);
        Long factor = units.get(text.substring(end).strip().toLowerCase(java.util.Locale.ROOT));
        if (end == 0 || factor == null) {
            throw new IllegalArgumentException(scalar.shown() + " is not " + name);
        }
        BigDecimal value = decimal(scalar, text, 0, end).multiply(BigDecimal.valueOf(factor));
        if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException(scalar.shown() + " is too large");
        }
        return value.longValue();
    }

    private static BigDecimal decimal(Scalar scalar, String text, int from, int to) {
        if (to - from > 30) {
            throw new IllegalArgumentException(scalar.shown() + " is too large");
        }
        try {
            return new BigDecimal(text.substring(from, to));
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(scalar.shown() + " is not a number with a unit");
        }
    }

    private static int skipNumber(String text, int from) {
        int at = from;
        while (at < text.length() && isNumberCharacter(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isNumberCharacter(char c) {
        return c >= '0' && c <= '9' || c == '.';
    }

    private static Refusal notADuration(Scalar scalar) {
        return new Refusal(
                scalar.shown() + " is not a duration", "write \"300ms\", \"5s\", \"1h30m\"");
    }
}
