package sluice.base.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What may stand behind a key: a scalar ([Kind]), an object ([Shape]), or a list or map of them.
/// It reads a node into a value and describes itself for the JSON Schema, so that the two cannot
/// differ.
///
/// @param <T> what it is read into
public interface Form<T> {

    /// Reads the node. What is wrong goes to `findings`.
    ///
    /// @param path of the node, for messages
    /// @return the value, or null after an error was reported
    @Nullable T read(ConfigNode node, String path, Findings findings);

    /// Its JSON Schema.
    Map<String, Object> schema(Schema schema);

    /// A list; a single value is a list of one. Elements that cannot be read are reported, then the
    /// list is null.
    static <T> Form<List<T>> list(Form<T> element) {
        return new ListForm<>(element);
    }

    /// An object with free keys.
    static <T> Form<Map<String, T>> map(Form<T> value) {
        return new MapForm<>(value);
    }

    /// A flag or an object; `true` and `false` become what `ofFlag` says.
    ///
    /// @param on the value of `true`
    /// @param off the value of `false`
    static <T> Form<T> flagOrObject(Form<T> object, T on, T off) {
        return new FlagOrObject<>(object, on, off);
    }

    /// A form that refers to itself, such as a rule made of rules.
    static <T> Form<T> later(Supplier<Form<T>> form) {
        return new Form<>() {
            @Override
            public @Nullable T read(ConfigNode node, String path, Findings findings) {
                return form.get().read(node, path, findings);
            }

            @Override
            public Map<String, Object> schema(Schema schema) {
                return form.get().schema(schema);
            }
        };
    }

    /// Anything; the reader decides by itself.
    static Form<ConfigNode> raw() {
        return new Form<>() {
            @Override
            public ConfigNode read(ConfigNode node, String path, Findings findings) {
                return node;
            }

            @Override
            public Map<String, Object> schema(Schema schema) {
                return Map.of();
            }
        };
    }

    /// See [Form#list].
    record ListForm<T>(Form<T> element) implements Form<List<T>> {

        @Override
        public @Nullable List<T> read(ConfigNode node, String path, Findings findings) {
            List<ConfigNode> nodes =
                    node instanceof ConfigNode.Items items ? items.values() : List.of(node);
            boolean isList = node instanceof ConfigNode.Items;
            List<T> values = new ArrayList<>(nodes.size());
            for (int i = 0; i < nodes.size(); i++) {
                T value = element.read(nodes.get(i), isList ? Paths.at(path, i) : path, findings);
                if (value != null) {
                    values.add(value);
                }
            }
            return values.size() == nodes.size() ? List.copyOf(values) : null;
        }

        @Override
        public Map<String, Object> schema(Schema schema) {
            Map<String, Object> one = element.schema(schema);
            return Schema.anyOf(one, Schema.map("type", "array", "items", one));
        }
    }

    /// See [Form#map].
    record MapForm<T>(Form<T> value) implements Form<Map<String, T>> {

        @Override
        public @Nullable Map<String, T> read(ConfigNode node, String path, Findings findings) {
            if (!(node instanceof ConfigNode.Mapping mapping)) {
                findings.error(
                        node.place(), path, node.describe() + " where an object is expected", null);
                return null;
            }
            Map<String, T> values = new LinkedHashMap<>();
            boolean complete = true;
            for (ConfigNode.Mapping.Entry entry : mapping.entries()) {
                T read = value.read(entry.value(), Paths.join(path, entry.key()), findings);
                if (read == null) {
                    complete = false;
                } else {
                    values.put(entry.key(), read);
                }
            }
            return complete ? values : null;
        }

        @Override
        public Map<String, Object> schema(Schema schema) {
            return Schema.map("type", "object", "additionalProperties", value.schema(schema));
        }
    }

    /// See [Form#flagOrObject].
    record FlagOrObject<T>(Form<T> object, T on, T off) implements Form<T> {

        @Override
        public @Nullable T read(ConfigNode node, String path, Findings findings) {
            if (node instanceof ConfigNode.Mapping) {
                return object.read(node, path, findings);
            }
            Boolean flag = Kind.FLAG.read(node, path, findings);
            return flag == null ? null : flag ? on : off;
        }

        @Override
        public Map<String, Object> schema(Schema schema) {
            return Schema.anyOf(Kind.FLAG.schema(schema), object.schema(schema));
        }
    }
}
