package sluice.app.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Schema;

/// Writes a tree as JSON.
final class NodeWriter {

    /// A number as it stands in the file, which JSON can hold.
    private record Raw(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    private NodeWriter() {}

    /// The tree as JSON, indented by two, with a line end behind it.
    static String toJson(ConfigNode node) {
        return Schema.toJson(plain(node)) + "\n";
    }

    private static Object plain(ConfigNode node) {
        return switch (node) {
            case Scalar scalar ->
                    switch (scalar.type()) {
                        case TEXT -> scalar.source() == null ? scalar.text() : scalar.source();
                        case NUMBER -> new Raw(number(scalar.text()));
                        case FLAG -> new Raw(scalar.text());
                        case NULL -> new Raw("null");
                    };
            case Items items -> {
                List<Object> values = new ArrayList<>();
                items.values().forEach(value -> values.add(plain(value)));
                yield values;
            }
            case Mapping mapping -> {
                Map<String, Object> values = new LinkedHashMap<>();
                mapping.entries().forEach(entry -> values.put(entry.key(), plain(entry.value())));
                yield values;
            }
        };
    }

    /// YAML also writes `0x1F`, `0o17`, `+1`, `007`, `.5` and `5.`.
    private static String number(String text) {
        if (text.startsWith("0x")) {
            return new java.math.BigInteger(text.substring(2), 16).toString();
        }
        if (text.startsWith("0o")) {
            return new java.math.BigInteger(text.substring(2), 8).toString();
        }
        return text.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?")
                ? text
                : new java.math.BigDecimal(text).toString();
    }
}
