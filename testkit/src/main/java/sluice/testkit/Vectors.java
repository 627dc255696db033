package sluice.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Test vectors from a resource below `vectors/`. A line is `name = hex`; the hex may hold spaces
/// and goes on in following lines that are indented; `name = "text"` stands for the bytes of the
/// text; `#` begins a comment. The first comment of a file says where the vectors come from and
/// under which licence.
public final class Vectors {
    private final String path;
    private final Map<String, byte[]> values;

    private Vectors(String path, Map<String, byte[]> values) {
        this.path = path;
        this.values = values;
    }

    /// Reads for example `shadowsocks/aead.hex`.
    public static Vectors load(String path) {
        try (InputStream in = Vectors.class.getResourceAsStream("/vectors/" + path)) {
            if (in == null) {
                throw new AssertionError("no test resource vectors/" + path);
            }
            return parse(path, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The bytes of a file that has a single vector.
    public static byte[] bytes(String path) {
        Vectors vectors = load(path);
        if (vectors.values.size() != 1) {
            throw new AssertionError(
                    "vectors/" + path + " has " + vectors.names() + ", expected one");
        }
        return vectors.values.values().iterator().next().clone();
    }

    /// In the order of the file.
    public Set<String> names() {
        return values.keySet();
    }

    /// A fresh copy of the bytes called `name`.
    public byte[] get(String name) {
        byte[] value = values.get(name);
        if (value == null) {
            throw new AssertionError("vectors/" + path + " has no " + name + ", only " + names());
        }
        return value.clone();
    }

    /// The bytes called `name`, read as text.
    public String text(String name) {
        return new String(get(name), StandardCharsets.UTF_8);
    }

    static Vectors parse(String path, String content) {
        Map<String, String> raw = new LinkedHashMap<>();
        String last = "";
        int number = 0;
        for (String line : content.split("\n", -1)) {
            number++;
            String text = withoutComment(line).stripTrailing();
            if (text.isBlank()) {
                continue;
            }
            if (Character.isWhitespace(text.charAt(0)) && !last.isEmpty()) {
                raw.merge(last, text.strip(), (before, more) -> before + " " + more);
                continue;
            }
            int equals = text.indexOf('=');
            if (equals <= 0) {
                throw new AssertionError("vectors/" + path + " line " + number + ": no name = hex");
            }
            last = text.substring(0, equals).strip();
            if (raw.put(last, text.substring(equals + 1).strip()) != null) {
                throw new AssertionError(
                        "vectors/" + path + " line " + number + ": " + last + " stands twice");
            }
        }
        Map<String, byte[]> values = new LinkedHashMap<>();
        raw.forEach((name, value) -> values.put(name, decode(path, name, value)));
        return new Vectors(path, values);
    }

    /// A `#` inside quotes belongs to the text.
    private static String withoutComment(String line) {
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '#' && !quoted) {
                return line.substring(0, i);
            }
        }
        return line;
    }

    private static byte[] decode(String path, String name, String value) {
        if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
            return value.substring(1, value.length() - 1).getBytes(StandardCharsets.UTF_8);
        }
        try {
            return HexFormat.of().parseHex(value.replaceAll("[\\s:]", ""));
        } catch (IllegalArgumentException malformed) {
            throw new AssertionError("vectors/" + path + ": " + name + " is not hex", malformed);
        }
    }
}
