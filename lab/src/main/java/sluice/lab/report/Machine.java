package sluice.lab.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;
import sluice.lab.log.RunRecord;

/// What a machine is, without what it was doing when a run began.
///
/// @param facts names to values, flat, in the order of the log
record Machine(Map<String, String> facts) {

    Machine {
        facts = new LinkedHashMap<>(facts);
    }

    static Machine of(RunRecord run) {
        Map<String, String> facts = new LinkedHashMap<>();
        flatten("", run.machine(), facts);
        facts.keySet().removeIf(Machine::passes);
        return new Machine(facts);
    }

    /// What the machine was doing when a run began: `busy`, `busy_share`, `load_average` …
    static Map<String, String> before(RunRecord run) {
        Map<String, String> facts = new LinkedHashMap<>();
        flatten("", run.machine(), facts);
        Map<String, String> passing = new LinkedHashMap<>();
        facts.forEach((name, value) -> {
            if (passes(name)) {
                passing.put(name.substring(name.lastIndexOf('.') + 1), value);
            }
        });
        return passing;
    }

    /// Whether it was busy with something else than the lab when a run began.
    static boolean wasBusy(RunRecord run) {
        return "true".equals(before(run).get("busy"));
    }

    /// Equal for the same machine.
    String identity() {
        return Json.write(new TreeMap<>(facts));
    }

    /// What changes from run to run and makes no other machine.
    private static boolean passes(String name) {
        return name.matches("(.*\\.)?(busy|stolen|load|free|available|uptime|time)([_ ].*)?");
    }

    private static void flatten(String prefix, Map<?, ?> values, Map<String, String> facts) {
        values.forEach((key, value) -> {
            String name = prefix + key;
            if (value instanceof Map<?, ?> inner) {
                flatten(name + ".", inner, facts);
            } else {
                facts.put(name, text(value));
            }
        });
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : Json.write(value);
    }
}
