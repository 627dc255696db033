package sluice.base.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;

/// Trees out of plain Java values; each object's key stands in its own column.
final class Nodes {

    private Nodes() {}

    static final Place HERE = new Place("c.json", 1, 1);

    /// Text, numbers, booleans, lists, maps, and nodes as they are.
    static ConfigNode of(Object value) {
        return switch (value) {
            case ConfigNode node -> node;
            case String text -> new Scalar(HERE, Scalar.Type.TEXT, text);
            case Number number -> new Scalar(HERE, Scalar.Type.NUMBER, number.toString());
            case Boolean flag -> new Scalar(HERE, Scalar.Type.FLAG, flag.toString());
            case List<?> list -> new Items(HERE, list.stream().map(Nodes::of).toList());
            case Map<?, ?> map -> {
                List<Mapping.Entry> entries = new ArrayList<>();
                map.forEach((key, each) ->
                        entries.add(
                                new Mapping.Entry(
                                        key.toString(),
                                        new Place("c.json", 2, entries.size() + 1),
                                        of(each))));
                yield new Mapping(HERE, entries);
            }
            default -> throw new IllegalArgumentException(value.toString());
        };
    }

    static Scalar nothing() {
        return new Scalar(HERE, Scalar.Type.NULL, "");
    }

    /// Text that came from somewhere else.
    static Scalar from(String source, String text) {
        return new Scalar(HERE, Scalar.Type.TEXT, text, source);
    }

    /// An object, keys in the order given.
    static Mapping object(Object... pairs) {
        return (Mapping) of(Schema.map(pairs));
    }
}
