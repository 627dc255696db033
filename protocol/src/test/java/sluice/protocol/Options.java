package sluice.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.config.Shape;

/// Options as an operator writes them, without a file: nodes made by hand and read by a shape.
public final class Options {

    private static final Place PLACE = new Place("test", 1, 1);

    private Options() {}

    /// An object: key, value, key, value. Text becomes text, numbers and flags what they are, lists
    /// lists.
    public static Mapping object(Object... keysAndValues) {
        List<Mapping.Entry> entries = new java.util.ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.add(
                    new Mapping.Entry(
                            (String) keysAndValues[i], PLACE, node(keysAndValues[i + 1])));
        }
        return new Mapping(PLACE, entries);
    }

    private static ConfigNode node(Object value) {
        return switch (value) {
            case ConfigNode ready -> ready;
            case Boolean flag -> new Scalar(PLACE, Scalar.Type.FLAG, flag.toString());
            case Number number -> new Scalar(PLACE, Scalar.Type.NUMBER, number.toString());
            case List<?> list -> new Items(PLACE, list.stream().map(Options::node).toList());
            default -> new Scalar(PLACE, Scalar.Type.TEXT, value.toString());
        };
    }

    /// Reads what must be fine.
    public static <T> T read(Shape<T> shape, Object... keysAndValues) {
        Findings findings = new Findings();
        T value = shape.read(object(keysAndValues), "it", findings);
        if (value == null || !findings.all().isEmpty()) {
            throw new AssertionError("refused: " + findings.report());
        }
        return value;
    }

    /// The report about what must be refused.
    public static String refusal(Shape<?> shape, Object... keysAndValues) {
        Findings findings = new Findings();
        @Nullable Object value = shape.read(object(keysAndValues), "it", findings);
        if (value != null && !findings.hasErrors()) {
            throw new AssertionError("accepted");
        }
        return findings.report();
    }
}
