package sluice.lab.judge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import sluice.lab.bed.Case;
import sluice.lab.bed.Measure;

/// A table of a report that others published, with the counts that they published for it.
///
/// @param table the figures
/// @param lead published
/// @param tie published
/// @param behind published
/// @param geometricMean published, two decimals
record Published(Table table, int lead, int tie, int behind, String geometricMean) {

    /// All tables of `golden/published.tsv`.
    static List<Published> all() {
        List<Published> all = new ArrayList<>();
        List<String> head = List.of();
        List<Table.Row> rows = new ArrayList<>();
        for (String line : text().lines().filter(each -> !each.startsWith("#")).toList()) {
            List<String> words = List.of(line.split("\t", -1));
            if (!words.getFirst().equals("table")) {
                rows.add(row(words, head.subList(9, head.size())));
                continue;
            }
            if (!head.isEmpty()) {
                all.add(of(head, rows));
            }
            head = words;
            rows = new ArrayList<>();
        }
        all.add(of(head, rows));
        return all;
    }

    private static Published of(List<String> head, List<Table.Row> rows) {
        Measure measure = new Measure(head.get(2), head.get(3), Boolean.parseBoolean(head.get(4)));
        List<String> engines = head.subList(9, head.size());
        return new Published(
                new Table(head.get(1), "published", measure, engines.getFirst(), engines, rows),
                Integer.parseInt(head.get(5)),
                Integer.parseInt(head.get(6)),
                Integer.parseInt(head.get(7)),
                head.get(8));
    }

    private static Table.Row row(List<String> words, List<String> engines) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        for (int i = 0; i < engines.size(); i++) {
            readings.put(engines.get(i), reading(words.get(3 + i)));
        }
        return new Table.Row(
                Case.of(
                        "protocol",
                        words.get(0),
                        "direction",
                        words.get(1),
                        "streams",
                        words.get(2)),
                readings);
    }

    private static Reading reading(String word) {
        return switch (word) {
            case "-" -> new Reading.Unsupported();
            case "x" -> new Reading.Failed("published as failed");
            default -> new Reading.Figures(List.of(Double.parseDouble(word)));
        };
    }

    private static String text() {
        try (InputStream in = Published.class.getResourceAsStream("/golden/published.tsv")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Which table it is.
    String name() {
        return table.bed() + " " + table.measure().name();
    }
}
