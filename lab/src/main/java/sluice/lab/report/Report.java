package sluice.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sluice.lab.judge.Verdict;
import sluice.lab.log.RunLog;
import sluice.lab.log.RunRecord;
import sluice.lab.log.RunRecord.Outcome;

/// All that a page says, made from a log alone: the same runs make the same report, in whatever
/// order their lines stand.
///
/// @param runs how many runs count
/// @param first when the first of them ended, as the log has it
/// @param last when the last of them ended
/// @param machines letter to machine
/// @param parts the tables
/// @param binaries the engines that were measured
/// @param references engines at the other end
/// @param labs versions of the lab
/// @param failures runs that could not finish
/// @param busy runs that began while the machine was busy with something else
/// @param configurations what the engines were told
/// @param notes what a reader must know of what was left out or kept apart
/// @param complaints lines of the log that could not be read
record Report(
        int runs,
        String first,
        String last,
        Map<String, Machine> machines,
        List<Part> parts,
        List<Binary> binaries,
        List<String> references,
        List<String> labs,
        List<Failure> failures,
        List<Busy> busy,
        List<Configuration> configurations,
        List<String> notes,
        List<String> complaints) {

    /// An engine's binary.
    ///
    /// @param machine letter
    /// @param engine name
    /// @param version as it says
    /// @param sha256 of its file
    /// @param runs how many
    record Binary(String machine, String engine, String version, String sha256, int runs) {}

    /// Runs that could not finish, for the same reason.
    ///
    /// @param run the first of them
    /// @param machine letter
    /// @param rounds all of their rounds
    record Failure(RunRecord run, String machine, List<Integer> rounds) {}

    /// A run that began while the machine was busy.
    record Busy(RunRecord run, String machine) {}

    static Report of(RunLog.Content log, Catalogue catalogue) {
        Selection selection = Selection.of(log.records());
        List<Part> parts = new ArrayList<>();
        List<Binary> binaries = new ArrayList<>();
        List<Failure> failures = new ArrayList<>();
        List<Busy> busy = new ArrayList<>();
        List<RunRecord> all = new ArrayList<>();
        selection
                .runs()
                .forEach((machine, runs) -> {
                    all.addAll(runs);
                    parts.addAll(parts(machine, runs, catalogue));
                    binaries.addAll(binaries(machine, runs));
                    failures.addAll(failures(machine, runs));
                    runs.stream()
                            .filter(Machine::wasBusy)
                            .forEach(run -> busy.add(new Busy(run, machine)));
                });
        List<String> times = all.stream().map(RunRecord::time).sorted().toList();
        return new Report(
                all.size(),
                times.isEmpty() ? "" : times.getFirst(),
                times.isEmpty() ? "" : times.getLast(),
                selection.machines(),
                List.copyOf(parts),
                List.copyOf(binaries),
                distinct(all.stream().map(RunRecord::reference).toList()),
                distinct(all.stream().map(RunRecord::lab).toList()),
                List.copyOf(failures),
                List.copyOf(busy),
                Configuration.of(all),
                selection.notes(),
                log.complaints());
    }

    /// Verdicts of one kind in all parts.
    List<Finding> findings(Verdict.Kind kind) {
        return parts.stream().flatMap(part -> part.findings(kind).stream()).toList();
    }

    /// Where Sluice is behind: what it could not finish first, then the widest.
    List<Finding> losses() {
        return findings(Verdict.Kind.BEHIND).stream()
                .sorted(Comparator.comparing(each -> each.verdict().ratioIfAny().orElse(0.0)))
                .toList();
    }

    /// Ties whose medians alone would be losses.
    List<Finding> hiddenLosses() {
        return findings(Verdict.Kind.TIE).stream()
                .filter(each -> each.verdict().withinNoise())
                .filter(each -> each.verdict().ratio() == null || each.verdict().looksLikeALoss())
                .sorted(Comparator.comparing(each -> each.verdict().ratioIfAny().orElse(0.0)))
                .toList();
    }

    /// Whether figures were taken in more than one way, so that each needs its settings beside it.
    boolean severalSettings() {
        return parts.stream().map(part -> part.table().settings()).distinct().count() > 1;
    }

    /// Whether there is more than one machine.
    boolean severalMachines() {
        return machines.size() > 1;
    }

    /// The beds that have a part, in order.
    List<String> beds() {
        return parts.stream().map(part -> part.table().bed()).distinct().toList();
    }

    private static List<Part> parts(String machine, List<RunRecord> runs, Catalogue catalogue) {
        Map<List<String>, List<RunRecord>> groups = new LinkedHashMap<>();
        for (RunRecord run : runs) {
            groups.computeIfAbsent(List.of(run.bed(), run.settings()), _ -> new ArrayList<>())
                    .add(run);
        }
        List<String> appeared = groups.keySet().stream().map(List::getFirst).distinct().toList();
        return groups.values().stream()
                .sorted(
                        Comparator.<List<RunRecord>>comparingInt(
                                        group -> catalogue.rank(group.getFirst().bed()))
                                .thenComparingInt(
                                        group -> appeared.indexOf(group.getFirst().bed())))
                .flatMap(group -> Tables.of(machine, group, catalogue).stream())
                .toList();
    }

    private static List<Binary> binaries(String machine, List<RunRecord> runs) {
        Map<String, List<RunRecord>> byEngine = new LinkedHashMap<>();
        for (RunRecord run : runs) {
            byEngine.computeIfAbsent(run.engine(), _ -> new ArrayList<>()).add(run);
        }
        return byEngine.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Wording::compareEngines))
                .map(each -> {
                    RunRecord known =
                            each.getValue().stream()
                                    .filter(run -> !run.sha256().isEmpty())
                                    .findFirst()
                                    .orElse(each.getValue().getLast());
                    return new Binary(
                            machine,
                            each.getKey(),
                            known.version(),
                            known.sha256(),
                            each.getValue().size());
                })
                .toList();
    }

    private static List<Failure> failures(String machine, List<RunRecord> runs) {
        Map<List<Object>, List<RunRecord>> alike = new LinkedHashMap<>();
        for (RunRecord run : runs) {
            if (run.outcome() == Outcome.FAILED) {
                alike.computeIfAbsent(
                                List.of(
                                        run.bed(),
                                        run.settings(),
                                        run.each(),
                                        run.engine(),
                                        run.reason()),
                                _ -> new ArrayList<>())
                        .add(run);
            }
        }
        return alike.values().stream()
                .map(group ->
                        new Failure(
                                group.getFirst(),
                                machine,
                                group.stream().map(RunRecord::round).toList()))
                .sorted(Comparator.comparing(each -> each.run().engine(), Wording::compareEngines))
                .toList();
    }

    private static List<String> distinct(List<String> texts) {
        Set<String> distinct = new LinkedHashSet<>(texts);
        distinct.remove("");
        return List.copyOf(distinct);
    }
}
