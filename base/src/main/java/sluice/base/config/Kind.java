package sluice.base.config;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.base.net.Prefix;

/// A kind of scalar: its name for messages, its JSON Schema, and how it is read.
///
/// @param <T> what it is read into
public final class Kind<T> implements Form<T> {

    /// Letters that two words must share at their head to be near each other.
    private static final int LEAST_STEM = 3;

    /// Any text.
    public static final Kind<String> TEXT = text("text", text -> text);

    /// Text that is not empty.
    public static final Kind<String> NAME =
            text(
                    "text",
                    text -> {
                        if (text.isBlank()) {
                            throw new IllegalArgumentException("is empty");
                        }
                        return text;
                    });

    /// A password or key; never shown.
    public static final Kind<Secret> SECRET = new Kind<>("text", TEXT.schema, Kind::secret);

    /// true or false.
    public static final Kind<Boolean> FLAG =
            new Kind<>("true or false", orReference(Map.of("type", "boolean")), Kind::flag);

    /// 1 to 65535.
    public static final Kind<Integer> PORT = integer(1, 65_535, "a port (1 to 65535)");

    /// An IP address literal.
    public static final Kind<IpAddress> ADDRESS =
            text(
                    "an IP address",
                    text -> {
                        IpAddress address = IpAddress.parseOrNull(text);
                        if (address == null) {
                            throw new IllegalArgumentException(
                                    Shown.quoted(text) + " is not an IP address");
                        }
                        return address;
                    });

    /// An IP address or a host name.
    public static final Kind<Host> HOST = text("an address or a host name", Kind::host);

    /// `10.0.0.0/8`, or one address.
    public static final Kind<Prefix> PREFIX = text("an address or a prefix", Prefix::parse);

    /// `5m`, `1h30m`, `300ms`; units d, h, m, s, ms, us, ns. Not negative.
    public static final Kind<Duration> DURATION =
            new Kind<>(
                    "a duration such as \"5m\"",
                    Schema.map(
                            "type",
                            "string",
                            "pattern",
                            "^(0|([0-9]+(\\.[0-9]+)?(d|h|m|s|ms|us|µs|ns))+|\\$\\{.*\\})$"),
                    Quantities::duration);

    /// `64 KiB`, `10 MB`, or a plain number of bytes.
    public static final Kind<Long> SIZE_BYTES =
            new Kind<>(
                    "a size such as \"64 MiB\"",
                    Schema.anyOf(
                            Schema.map("type", "integer", "minimum", 0),
                            Schema.map("type", "string")),
                    Quantities::sizeBytes);

    /// `100 Mbps` or `10 MB/s`, read into bytes per second.
    public static final Kind<Long> RATE =
            new Kind<>(
                    "a rate such as \"100 Mbps\"",
                    Schema.map("type", "string"),
                    Quantities::bytesPerSecond);

    private final String name;
    private final Map<String, Object> schema;
    private final Function<Scalar, T> parse;

    private Kind(String name, Map<String, Object> schema, Function<Scalar, T> parse) {
        this.name = name;
        this.schema = schema;
        this.parse = parse;
    }

    /// A kind of your own.
    ///
    /// @param name for messages, with an article: `a port (1 to 65535)`
    /// @param schema JSON Schema keywords and their values (text, numbers, lists, maps)
    /// @param parse reads a scalar; throws [IllegalArgumentException] with the reason, or [Refusal]
    ///   with a mend too
    public static <T> Kind<T> of(
            String name, Map<String, Object> schema, Function<Scalar, T> parse) {
        return new Kind<>(name, schema, parse);
    }

    /// A kind that is written as text.
    ///
    /// @param parse throws [IllegalArgumentException] with the reason, or [Refusal] with a mend too
    public static <T> Kind<T> text(String name, Function<String, T> parse) {
        return new Kind<>(
                name, Map.of("type", "string"), scalar -> parse.apply(textOf(scalar, name)));
    }

    /// An integer from `min` to `max`.
    public static Kind<Integer> integer(int min, int max) {
        return integer(min, max, "a number from " + min + " to " + max);
    }

    /// An integer from `min` to `max`.
    ///
    /// @param name for messages, with an article: `a port (1 to 65535)`
    public static Kind<Integer> integer(int min, int max, String name) {
        return new Kind<>(
                name,
                orReference(Schema.map("type", "integer", "minimum", min, "maximum", max)),
                scalar -> (int) number(scalar, min, max, name));
    }

    /// One of a few words.
    public static Kind<String> choice(String... words) {
        List<String> all = List.of(words);
        String name = all.size() == 1 ? Shown.quoted(words[0]) : "one of " + listed(all);
        return new Kind<>(
                name,
                orReference(Schema.map("type", "string", "enum", all)),
                scalar -> {
                    String text = textOf(scalar, name);
                    if (!all.contains(text)) {
                        String near = nearest(text, all);
                        throw new Refusal(
                                scalar.shown() + " is not " + name,
                                near == null ? null : "write " + Shown.quoted(near));
                    }
                    return text;
                });
    }

    /// For messages.
    public String name() {
        return name;
    }

    @Override
    public @Nullable T read(ConfigNode node, String path, Findings findings) {
        if (!(node instanceof Scalar scalar)) {
            findings.error(
                    node.place(), path, node.describe() + " where " + name + " is expected", null);
            return null;
        }
        try {
            return parse.apply(scalar);
        } catch (IllegalArgumentException refused) {
            String reason = refused.getMessage();
            findings.error(
                    node.place(),
                    path,
                    reason == null ? "is not " + name : reason,
                    refused instanceof Refusal refusal ? refusal.mend() : null);
            return null;
        }
    }

    @Override
    public Map<String, Object> schema(Schema schema) {
        return this.schema;
    }

    /// The text of a scalar that must be text.
    ///
    /// @param name what is expected, for the message
    /// @throws Refusal when it is a number, a flag or null
    public static String textOf(Scalar scalar, String name) {
        return switch (scalar.type()) {
            case TEXT -> scalar.text();
            case NUMBER, FLAG ->
                    throw new Refusal(
                            scalar.shown() + " is not text",
                            "write it in quotes: " + Shown.quoted(scalar.text()));
            case NULL -> throw new IllegalArgumentException("null where " + name + " is expected");
        };
    }

    /// The integer of a scalar, which may be text where it came from `${env:NAME}`.
    ///
    /// @param name what is expected, for the message
    /// @throws IllegalArgumentException when it is no integer or out of range
    public static long number(Scalar scalar, long min, long max, String name) {
        boolean usable =
                scalar.type() == Scalar.Type.NUMBER
                        || scalar.type() == Scalar.Type.TEXT && scalar.source() != null;
        if (usable) {
            try {
                long value = Numbers.toLong(scalar.text().strip());
                if (value >= min && value <= max) {
                    return value;
                }
            } catch (NumberFormatException _) {
                // Not an integer; refused below.
            }
        } else if (scalar.type() == Scalar.Type.TEXT && scalar.text().matches("-?[0-9]{1,18}")) {
            throw new Refusal(
                    scalar.shown() + " is text where " + name + " is expected",
                    "write it without quotes: " + scalar.text());
        }
        throw new IllegalArgumentException(scalar.shown() + " is not " + name);
    }

    private static Secret secret(Scalar scalar) {
        if (scalar.type() != Scalar.Type.TEXT) {
            throw new Refusal("is " + scalar.describe() + ", not text", "write it in quotes");
        }
        return Secret.of(scalar.text());
    }

    private static Boolean flag(Scalar scalar) {
        boolean usable =
                scalar.type() == Scalar.Type.FLAG
                        || scalar.type() == Scalar.Type.TEXT && scalar.source() != null;
        String text = scalar.text().strip();
        if (usable && text.equals("true")) {
            return true;
        }
        if (usable && text.equals("false")) {
            return false;
        }
        throw new Refusal(
                scalar.shown() + " is not true or false",
                text.equals("true") || text.equals("false") ? "write it without quotes" : null);
    }

    private static Host host(String text) {
        if (IpAddress.parseOrNull(text) == null && text.matches(".*[:/@?].*")) {
            throw new Refusal(
                    Shown.quoted(text) + " is not an address or a host name",
                    "write the name alone; the port has a key of its own");
        }
        return Host.parse(text);
    }

    /// A number or flag may also be written as a reference.
    private static Map<String, Object> orReference(Map<String, Object> plain) {
        return Schema.anyOf(plain, Schema.map("type", "string", "pattern", "^\\$\\{.*\\}$"));
    }

    /// A word that is longer or shorter than the right one counts as near too: `warning` for
    /// `warn`.
    private static @Nullable String nearest(String text, List<String> words) {
        String near = Nearest.to(text, words);
        String lower = text.toLowerCase(Locale.ROOT);
        for (int i = 0; near == null && i < words.size(); i++) {
            String word = words.get(i);
            if (lower.length() >= LEAST_STEM
                    && word.length() >= LEAST_STEM
                    && (lower.startsWith(word) || word.startsWith(lower))) {
                near = word;
            }
        }
        return near;
    }

    private static String listed(List<String> words) {
        return String.join(", ", words.stream().map(Shown::quoted).toList());
    }
}
