package sluice.lab.bed;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one run of a case yielded.
///
/// @param values the name of each [Measure] to its figure
/// @param raw everything it was computed from, as JSON values
public record Readings(Map<String, Double> values, Map<String, @Nullable Object> raw) {

    public Readings {
        values = new LinkedHashMap<>(values);
        raw = new LinkedHashMap<>(raw);
    }
}
