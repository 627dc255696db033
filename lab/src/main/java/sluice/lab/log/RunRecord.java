package sluice.lab.log;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.bed.Case;
import sluice.lab.json.Json;

/// One run of one case with one engine: a line of the log.
///
/// @param time when it ended, ISO 8601, UTC
/// @param lab version of the lab
/// @param bed the bed's name
/// @param settings how was measured: [sluice.lab.bed.Settings#text] and the reference
/// @param each the case
/// @param engine the engine's name
/// @param version what it says of itself; empty where it is not known
/// @param sha256 of its binary; empty where it is not known
/// @param round counted from 1
/// @param outcome how it went
/// @param reason why it did not, or empty
/// @param values the measures' figures
/// @param raw what they were computed from
/// @param configs label to file name to content, of every engine that took part
/// @param reference name and version of the engine at the other end, or empty
/// @param exits label of a process to how it ended
/// @param machine what the machine is, and how busy it was before
public record RunRecord(
        String time,
        String lab,
        String bed,
        String settings,
        Case each,
        String engine,
        String version,
        String sha256,
        int round,
        Outcome outcome,
        String reason,
        Map<String, Double> values,
        Map<String, @Nullable Object> raw,
        Map<String, @Nullable Object> configs,
        String reference,
        Map<String, @Nullable Object> exits,
        Map<String, @Nullable Object> machine) {

    /// The layout of a line; a reader skips lines of another.
    public static final int SCHEMA = 1;

    /// How a run went.
    public enum Outcome {
        /// There are figures.
        OK,
        /// It could not finish.
        FAILED,
        /// The engine has no such protocol.
        UNSUPPORTED
    }

    /// As one line of JSON, without a line break.
    public String toLine() {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("schema", SCHEMA);
        line.put("time", time);
        line.put("lab", lab);
        line.put("bed", bed);
        line.put("settings", settings);
        line.put("case", each.labels());
        line.put("engine", engine);
        line.put("version", version);
        line.put("sha256", sha256);
        line.put("round", round);
        line.put("outcome", outcome.name().toLowerCase(java.util.Locale.ROOT));
        line.put("reason", reason);
        line.put("values", values);
        line.put("raw", raw);
        line.put("configs", configs);
        line.put("reference", reference);
        line.put("exits", exits);
        line.put("machine", machine);
        return Json.write(line);
    }

    /// The record of a line.
    ///
    /// @throws IllegalArgumentException when the line is torn or no record; the message says what
    ///   is wrong
    public static RunRecord ofLine(String line) {
        Map<String, @Nullable Object> json = Json.readObject(line);
        if (!(json.get("schema") instanceof Long schema) || schema != SCHEMA) {
            throw new IllegalArgumentException(
                    "has schema " + json.get("schema") + ", not " + SCHEMA);
        }
        Map<String, String> labels = new LinkedHashMap<>();
        map(json, "case").forEach((key, value) -> labels.put(key, String.valueOf(value)));
        Map<String, Double> values = new LinkedHashMap<>();
        map(json, "values")
                .forEach((key, value) -> {
                    if (!(value instanceof Number number)) {
                        throw new IllegalArgumentException("values." + key + " is no number");
                    }
                    values.put(key, number.doubleValue());
                });
        return new RunRecord(
                text(json, "time"),
                text(json, "lab"),
                text(json, "bed"),
                text(json, "settings"),
                new Case(labels),
                text(json, "engine"),
                text(json, "version"),
                text(json, "sha256"),
                round(json),
                Outcome.valueOf(text(json, "outcome").toUpperCase(java.util.Locale.ROOT)),
                text(json, "reason"),
                values,
                map(json, "raw"),
                map(json, "configs"),
                text(json, "reference"),
                map(json, "exits"),
                map(json, "machine"));
    }

    private static int round(Map<String, @Nullable Object> json) {
        if (json.get("round") instanceof Long round && round >= 1 && round <= 1_000_000) {
            return round.intValue();
        }
        throw new IllegalArgumentException("round is missing or no count");
    }

    private static String text(Map<String, @Nullable Object> json, String key) {
        if (json.get(key) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(key + " is missing or no text");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> map(
            Map<String, @Nullable Object> json, String key) {
        if (json.get(key) instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        throw new IllegalArgumentException(key + " is missing or no object");
    }
}
