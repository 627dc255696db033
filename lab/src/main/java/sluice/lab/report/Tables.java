package sluice.lab.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sluice.lab.bed.Case;
import sluice.lab.bed.Measure;
import sluice.lab.judge.Reading;
import sluice.lab.judge.Table;
import sluice.lab.log.RunRecord;
import sluice.lab.log.RunRecord.Outcome;

/// Makes the tables of one bed with one setting on one machine from its runs, oldest first.
final class Tables {
    private final String machine;
    private final List<RunRecord> runs;
    private final List<String> engines;
    private final Map<Case, List<RunRecord>> byCase = new LinkedHashMap<>();

    private Tables(String machine, List<RunRecord> runs) {
        this.machine = machine;
        this.runs = runs;
        engines =
                runs.stream()
                        .map(RunRecord::engine)
                        .distinct()
                        .sorted(Wording::compareEngines)
                        .toList();
        for (RunRecord run : runs) {
            byCase.computeIfAbsent(run.each(), _ -> new ArrayList<>()).add(run);
        }
    }

    /// One part per measure that has a figure.
    static List<Part> of(String machine, List<RunRecord> runs, Catalogue catalogue) {
        Tables tables = new Tables(machine, runs);
        List<Part> parts = new ArrayList<>();
        List<Measure> told = catalogue.measuresOf(runs.getFirst().bed());
        for (Measure measure : tables.measures(told)) {
            parts.add(tables.part(measure, told.contains(measure)));
        }
        return parts;
    }

    /// Those that are told and have a figure, then those that nobody told of.
    private List<Measure> measures(List<Measure> told) {
        Set<String> seen = new LinkedHashSet<>();
        runs.forEach(run -> seen.addAll(run.values().keySet()));
        List<Measure> measures = new ArrayList<>();
        told.stream().filter(measure -> seen.remove(measure.name())).forEach(measures::add);
        seen.forEach(name -> measures.add(new Measure(name, "", true)));
        if (measures.isEmpty()) {
            // Nothing finished at all: the failures still have their table.
            told.stream().limit(1).forEach(measures::add);
        }
        return measures;
    }

    private Part part(Measure measure, boolean known) {
        List<Table.Row> rows = new ArrayList<>();
        Map<Part.Cell, Integer> failedRounds = new HashMap<>();
        for (Case each : CaseOrder.sorted(new ArrayList<>(byCase.keySet()))) {
            if (!belongs(each, measure)) {
                continue;
            }
            Map<String, Reading> readings = new LinkedHashMap<>();
            for (String engine : engines) {
                List<RunRecord> own =
                        runsOf(each).stream().filter(run -> run.engine().equals(engine)).toList();
                Reading reading = Reading.of(own, measure);
                readings.put(engine, reading);
                int failed = (int) own.stream().filter(Tables::failed).count();
                if (failed > 0 && reading instanceof Reading.Figures) {
                    failedRounds.put(new Part.Cell(each, engine), failed);
                }
            }
            rows.add(new Table.Row(each, readings));
        }
        String subject =
                !engines.isEmpty() && Wording.isSubject(engines.getFirst())
                        ? engines.getFirst()
                        : "";
        RunRecord any = runs.getFirst();
        Table table = new Table(any.bed(), any.settings(), measure, subject, engines, rows);
        boolean judged = known && !subject.isEmpty() && engines.size() > 1;
        return new Part(machine, table, known, judged, failedRounds);
    }

    /// A case has a row where it has a figure. One that nobody finished has a row beside cases with
    /// the same labels, since nothing else tells what it would have yielded.
    private boolean belongs(Case each, Measure measure) {
        if (yields(each, measure)) {
            return true;
        }
        if (runsOf(each).stream().anyMatch(run -> run.outcome() == Outcome.OK)
                || runsOf(each).stream().noneMatch(Tables::failed)) {
            return false;
        }
        List<Case> alike =
                byCase.keySet().stream()
                        .filter(other -> CaseOrder.shape(other).equals(CaseOrder.shape(each)))
                        .filter(other -> runsOf(other).stream().anyMatch(Tables::finished))
                        .toList();
        return alike.isEmpty() || alike.stream().anyMatch(other -> yields(other, measure));
    }

    private boolean yields(Case each, Measure measure) {
        return runsOf(each).stream()
                .anyMatch(run -> finished(run) && run.values().containsKey(measure.name()));
    }

    private List<RunRecord> runsOf(Case each) {
        return byCase.getOrDefault(each, List.of());
    }

    private static boolean failed(RunRecord run) {
        return run.outcome() == Outcome.FAILED;
    }

    private static boolean finished(RunRecord run) {
        return run.outcome() == Outcome.OK;
    }
}
