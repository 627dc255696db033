package sluice.lab.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Case;
import sluice.lab.bed.Measure;
import sluice.lab.bed.Settings;
import sluice.lab.engine.Installed;
import sluice.lab.judge.Reading;
import sluice.lab.judge.Table;
import sluice.lab.log.RunRecord;

/// The figures of a log as far as a run must know them: to ask whether a case is decided.
final class Tables {

    private final Bed bed;
    private final Settings settings;
    private final String subject;
    private final List<Installed> engines;
    private final List<RunRecord> records;

    /// @param subject the engine that is judged
    /// @param records of any bed and settings
    Tables(
            Bed bed,
            Settings settings,
            String subject,
            List<Installed> engines,
            List<RunRecord> records) {
        this.bed = bed;
        this.settings = settings;
        this.subject = subject;
        this.engines = engines;
        this.records = records;
    }

    /// Whether every measure of a case is decided.
    boolean decided(Case each, Clarity clarity) {
        for (Measure measure : bed.measures()) {
            Table.Row row = row(each, measure);
            Table table =
                    new Table(
                            bed.name(),
                            settings.text(),
                            measure,
                            subject,
                            engines.stream().map(Installed::name).toList(),
                            List.of(row));
            if (!clarity.decided(table, row)) {
                return false;
            }
        }
        return true;
    }

    private Table.Row row(Case each, Measure measure) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        for (Installed engine : engines) {
            readings.put(engine.name(), reading(each, measure, engine));
        }
        return new Table.Row(each, readings);
    }

    private Reading reading(Case each, Measure measure, Installed engine) {
        SortedMap<Integer, Double> rounds = new TreeMap<>();
        Reading without = new Reading.Absent();
        for (RunRecord one : records) {
            if (!isOf(one, each, engine)) {
                continue;
            }
            Double value = one.values().get(measure.name());
            switch (one.outcome()) {
                case OK -> {
                    if (value != null) {
                        rounds.putIfAbsent(one.round(), value);
                    }
                }
                case FAILED -> without = new Reading.Failed(one.reason());
                case UNSUPPORTED -> without = new Reading.Unsupported();
            }
        }
        return rounds.isEmpty()
                ? without
                : new Reading.Figures(List.copyOf(rounds.values()), List.copyOf(rounds.keySet()));
    }

    private boolean isOf(RunRecord one, Case each, Installed engine) {
        return one.bed().equals(bed.name())
                && one.settings().equals(settings.text())
                && one.each().labels().equals(each.labels())
                && one.engine().equals(engine.name())
                && one.sha256().equals(engine.sha256());
    }
}
