package sluice.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sluice.lab.json.Json;
import sluice.lab.log.RunRecord;

/// Files that an engine was started with. Runs differ in ports and folders; what differs in long
/// numbers alone is shown once, as the newest run had it.
///
/// @param engine whose
/// @param label what it was there for: `under test`, `reference` …
/// @param files file name to content
/// @param uses where: bed and protocol
record Configuration(String engine, String label, Map<String, String> files, Set<String> uses) {

    /// All different ones, by engine.
    static List<Configuration> of(List<RunRecord> runs) {
        Map<List<Object>, Configuration> distinct = new LinkedHashMap<>();
        for (RunRecord run : runs) {
            run.configs()
                    .forEach((label, value) -> {
                        Map<String, String> files = files(value);
                        String engine =
                                label.contains("reference") ? run.reference() : run.engine();
                        Map<String, String> plain = new LinkedHashMap<>(files);
                        plain.replaceAll((_, content) -> content.replaceAll("\\d{4,}", "#"));
                        List<Object> key = List.of(engine, label, plain);
                        Configuration before = distinct.get(key);
                        Set<String> uses = before == null ? new LinkedHashSet<>() : before.uses();
                        uses.add(use(run));
                        distinct.put(key, new Configuration(engine, label, files, uses));
                    });
        }
        List<Configuration> sorted = new ArrayList<>(distinct.values());
        sorted.sort((one, other) -> {
            int order = one.label().compareTo(other.label());
            return order != 0 ? -order : Wording.compareEngines(one.engine(), other.engine());
        });
        return List.copyOf(sorted);
    }

    private static String use(RunRecord run) {
        String protocol = run.each().label("protocol");
        return run.bed() + (protocol.isEmpty() ? "" : " " + Wording.value("protocol", protocol));
    }

    private static Map<String, String> files(Object value) {
        Map<String, String> files = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, content) ->
                    files.put(
                            String.valueOf(name),
                            content instanceof String text ? text : Json.write(content)));
        } else {
            files.put("", value instanceof String text ? text : Json.write(value));
        }
        return files;
    }
}
