package sluice.lab.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Case;
import sluice.lab.bed.Measure;
import sluice.lab.engine.Installed;
import sluice.lab.judge.Reading;
import sluice.lab.judge.Table;
import sluice.lab.log.RunRecord;

/// The figures of a log as far as a run must know them: to ask whether a case is decided.
final class Tables {

    private final Bed bed;
    private final String settings;
    private final String subject;
    private final List<Installed> engines;
    private final List<RunRecord> records;

    /// @param settings how it is measured, as the log says it
    /// @param subject the engine that is judged
    /// @param records of any bed and settings
    Tables(
            Bed bed,
            String settings,
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
                            settings,
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
            List<RunRecord> own = records.stream().filter(one -> isOf(one, each, engine)).toList();
            readings.put(engine.name(), Reading.of(own, measure));
        }
        return new Table.Row(each, readings);
    }

    private boolean isOf(RunRecord one, Case each, Installed engine) {
        return one.bed().equals(bed.name())
                && one.settings().equals(settings)
                && one.each().labels().equals(each.labels())
                && one.engine().equals(engine.name())
                && one.sha256().equals(engine.sha256());
    }
}
