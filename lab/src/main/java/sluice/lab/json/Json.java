package sluice.lab.json;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// JSON (RFC 8259) as plain values: maps in their written order, lists, text, `Long`, `Double`,
/// `Boolean`, null. The same value always becomes the same text.
public final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /// An object of keys and values in turn, in that order. A null value leaves its key out.
    ///
    /// @throws IllegalArgumentException when a key stands twice
    public static Map<String, @Nullable Object> object(@Nullable Object... keysAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Object value = keysAndValues[i + 1];
            if (value != null && object.put(String.valueOf(keysAndValues[i]), value) != null) {
                throw new IllegalArgumentException(keysAndValues[i] + " stands twice");
            }
        }
        return object;
    }

    /// Reads one object and nothing behind it.
    ///
    /// @throws IllegalArgumentException when the text is anything else; the message says where
    public static Map<String, @Nullable Object> readObject(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("is no JSON object");
            }
            Map<String, @Nullable Object> object = object(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("goes on behind its JSON object");
            }
            return object;
        } catch (JacksonException broken) {
            throw new IllegalArgumentException(broken.getOriginalMessage(), broken);
        }
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            parser.nextToken();
            object.put(key, value(parser));
        }
        return object;
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(parser));
                }
                yield items;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
    }

    /// Writes a value on one line, without spaces.
    ///
    /// @param value a map with text keys, a collection, text, a number, a boolean or null
    public static String write(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(out, value);
        }
        return text.toString();
    }

    private static void write(JsonGenerator out, @Nullable Object value) {
        switch (value) {
            case null -> out.writeNull();
            case Map<?, ?> map -> {
                out.writeStartObject();
                map.forEach((key, each) -> {
                    out.writeName(String.valueOf(key));
                    write(out, each);
                });
                out.writeEndObject();
            }
            case Iterable<?> items -> {
                out.writeStartArray();
                items.forEach(each -> write(out, each));
                out.writeEndArray();
            }
            case Boolean flag -> out.writeBoolean(flag);
            case Integer number -> out.writeNumber(number);
            case Long number -> out.writeNumber(number);
            case Double number -> out.writeNumber(number);
            default -> out.writeString(value.toString());
        }
    }
}
