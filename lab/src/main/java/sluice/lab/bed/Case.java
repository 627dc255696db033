package sluice.lab.bed;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// One thing that is measured: labels in a fixed order, such as `protocol`, `direction`, `streams`.
/// Equal labels are the same case, on any machine.
///
/// @param labels name to value
public record Case(Map<String, String> labels) {

    public Case {
        labels = new LinkedHashMap<>(labels);
    }

    /// Labels given as name, value, name, value …
    public static Case of(String... namesAndValues) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            labels.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return new Case(labels);
    }

    /// The value of a label, or empty text.
    public String label(String name) {
        return labels.getOrDefault(name, "");
    }

    /// All values with spaces between them.
    @Override
    public String toString() {
        return labels.values().stream().collect(Collectors.joining(" "));
    }
}
