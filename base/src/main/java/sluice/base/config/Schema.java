package sluice.base.config;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Builds a JSON Schema (2020-12) from shapes. Values are text, numbers, booleans, lists and maps.
public final class Schema {

    private final IdentityHashMap<Object, String> names = new IdentityHashMap<>();
    private final Map<String, Object> definitions = new TreeMap<>();

    private Schema() {}

    /// The schema of a root object. It also allows `$schema`, which editors look for.
    public static Map<String, Object> of(Shape<?> root) {
        Schema schema = new Schema();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        document.put("title", root.title());
        document.putAll(schema.object(root.keys()));
        document.put("$defs", schema.definitions);
        return document;
    }

    /// A reference to a definition, which is made the first time.
    ///
    /// @param identity the object that the definition belongs to
    /// @param title its name; a number is added where another object has it
    public Map<String, Object> reference(
            Object identity, String title, Supplier<Map<String, Object>> definition) {
        String name = names.get(identity);
        if (name == null) {
            String plain = title.replaceAll("[^A-Za-z0-9]+", "-");
            name = plain;
            for (int i = 2; names.containsValue(name); i++) {
                name = plain + "-" + i;
            }
            names.put(identity, name);
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("title", title);
            body.putAll(definition.get());
            definitions.put(name, body);
        }
        return map("$ref", "#/$defs/" + name);
    }

    /// The schema of an object with these keys and no others.
    public Map<String, Object> object(Iterable<Key<?>> keys) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Key<?> key : keys) {
            properties.put(key.name(), property(key));
            if (key.isRequired() && key.aliases().isEmpty()) {
                required.add(key.name());
            }
            for (Key.Alias alias : key.aliases()) {
                Map<String, Object> old = new LinkedHashMap<>(key.form().schema(this));
                old.put("description", "Old spelling. " + alias.mend());
                old.put("deprecated", true);
                properties.put(alias.name(), old);
            }
        }
        Map<String, Object> object = map("type", "object", "properties", properties);
        if (!required.isEmpty()) {
            object.put("required", required);
        }
        object.put("additionalProperties", false);
        return object;
    }

    /// Either of two schemas.
    public static Map<String, Object> anyOf(Map<String, Object> one, Map<String, Object> other) {
        return map("anyOf", List.of(one, other));
    }

    /// A map in the order written: key, value, key, value …
    public static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /// Writes text, numbers, booleans, lists and maps as JSON, indented by two.
    public static String toJson(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, 0, out);
        return out.toString();
    }

    private Map<String, Object> property(Key<?> key) {
        Map<String, Object> property = new LinkedHashMap<>(key.form().schema(this));
        if (!key.sentence().isEmpty()) {
            property.put("description", key.sentence());
        }
        Object otherwise = key.otherwiseOrNull();
        if (otherwise instanceof Boolean
                || otherwise instanceof String
                || otherwise instanceof Integer) {
            property.put("default", otherwise);
        }
        return property;
    }

    private static void write(Object value, int depth, StringBuilder out) {
        switch (value) {
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(separator);
                    line(depth + 1, out);
                    quote(entry.getKey().toString(), out);
                    out.append(": ");
                    write(entry.getValue(), depth + 1, out);
                    separator = ",";
                }
                close(map.isEmpty() ? "{}" : "}", map.isEmpty(), depth, out);
            }
            case List<?> list -> {
                String separator = "[";
                for (Object element : list) {
                    out.append(separator);
                    line(depth + 1, out);
                    write(element, depth + 1, out);
                    separator = ",";
                }
                close(list.isEmpty() ? "[]" : "]", list.isEmpty(), depth, out);
            }
            case String text -> quote(text, out);
            default -> out.append(value);
        }
    }

    private static void close(String bracket, boolean empty, int depth, StringBuilder out) {
        if (!empty) {
            line(depth, out);
        }
        out.append(bracket);
    }

    private static void line(int depth, StringBuilder out) {
        out.append('\n').append("  ".repeat(depth));
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ' || c == 0x7f || Character.isSurrogate(c) && isLone(text, i)) {
                        out.append("\\u").append(String.format("%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean isLone(String text, int at) {
        char c = text.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }
}
