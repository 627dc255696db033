package sluice.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import sluice.lab.log.RunRecord;

/// Which runs of a log a report is made of: machines are kept apart, and of each engine only the
/// binary that was measured last counts.
///
/// @param machines letter to machine, in the order of their first runs
/// @param runs letter to the runs on that machine that count, oldest first
/// @param notes what a reader must know of what was left out or kept apart
record Selection(
        Map<String, Machine> machines, Map<String, List<RunRecord>> runs, List<String> notes) {

    static Selection of(List<RunRecord> log) {
        List<RunRecord> ordered = new ArrayList<>(log);
        ordered.sort(Comparator.comparing(RunRecord::time).thenComparing(RunRecord::toLine));
        Map<String, String> letters = new LinkedHashMap<>();
        Map<String, Machine> machines = new LinkedHashMap<>();
        Map<String, List<RunRecord>> byMachine = new LinkedHashMap<>();
        for (RunRecord run : ordered) {
            Machine machine = Machine.of(run);
            String letter =
                    letters.computeIfAbsent(machine.identity(), _ -> letter(letters.size()));
            machines.putIfAbsent(letter, machine);
            byMachine.computeIfAbsent(letter, _ -> new ArrayList<>()).add(run);
        }
        List<String> notes = new ArrayList<>();
        if (machines.size() > 1) {
            notes.add(
                    "This log has runs of "
                            + machines.size()
                            + " machines, or of one whose system was changed in between. They are"
                            + " kept apart, as machine "
                            + String.join(", ", machines.keySet())
                            + ": figures of different machines do not compare.");
        }
        byMachine.replaceAll((letter, runs) -> {
            String where = machines.size() > 1 ? " on machine " + letter : "";
            return withoutRepeats(newestBinaries(runs, where, notes), where, notes);
        });
        return new Selection(machines, byMachine, List.copyOf(notes));
    }

    private static List<RunRecord> newestBinaries(
            List<RunRecord> runs, String where, List<String> notes) {
        Map<String, RunRecord> newest = new TreeMap<>(Wording::compareEngines);
        for (RunRecord run : runs) {
            if (!run.sha256().isEmpty()) {
                newest.put(run.engine(), run);
            }
        }
        Map<String, Set<String>> others = new TreeMap<>(Wording::compareEngines);
        Map<String, Integer> dropped = new TreeMap<>();
        List<RunRecord> kept = new ArrayList<>();
        for (RunRecord run : runs) {
            RunRecord last = newest.get(run.engine());
            if (last == null || run.sha256().isEmpty() || run.sha256().equals(last.sha256())) {
                kept.add(run);
            } else {
                others.computeIfAbsent(run.engine(), _ -> new LinkedHashSet<>())
                        .add(run.version() + " (" + shortened(run.sha256()) + ")");
                dropped.merge(run.engine(), 1, Integer::sum);
            }
        }
        others.forEach((engine, binaries) -> {
            RunRecord last = newest.get(engine);
            notes.add(
                    "The log has several binaries of "
                            + engine
                            + where
                            + ". The one measured last counts: "
                            + (last == null
                                    ? ""
                                    : last.version() + " (" + shortened(last.sha256()) + ")")
                            + ". Left out: "
                            + Wording.count(dropped.getOrDefault(engine, 0), "run", "runs")
                            + " of "
                            + String.join(", ", binaries)
                            + ".");
        });
        return kept;
    }

    /// Of runs that finished the same round of the same case, the last one counts. Failures all
    /// stay: they happened.
    private static List<RunRecord> withoutRepeats(
            List<RunRecord> runs, String where, List<String> notes) {
        Map<List<Object>, RunRecord> last = new HashMap<>();
        for (RunRecord run : runs) {
            if (run.outcome() == RunRecord.Outcome.OK) {
                last.put(round(run), run);
            }
        }
        List<RunRecord> kept =
                runs.stream()
                        .filter(run ->
                                run.outcome() != RunRecord.Outcome.OK
                                        || last.get(round(run)) == run)
                        .toList();
        int repeated = runs.size() - kept.size();
        if (repeated > 0) {
            notes.add(
                    Wording.count(repeated, "run", "runs")
                            + where
                            + " finished a round that a later run finished again. The last one of"
                            + " each round counts.");
        }
        return kept;
    }

    private static List<Object> round(RunRecord run) {
        return List.of(run.bed(), run.settings(), run.each(), run.engine(), run.round());
    }

    private static String shortened(String sha256) {
        return "SHA-256 " + sha256.substring(0, Math.min(12, sha256.length())) + "…";
    }

    private static String letter(int index) {
        return index < 26 ? String.valueOf((char) ('A' + index)) : "M" + (index + 1);
    }
}
