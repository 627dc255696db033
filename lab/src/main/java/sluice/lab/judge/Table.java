package sluice.lab.judge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import sluice.lab.bed.Case;
import sluice.lab.bed.Measure;

/// All figures of one measure of one bed, as data: what verdicts and reports are made of.
///
/// @param bed the bed's name
/// @param settings how it was measured, as the log says it
/// @param measure what the figures are
/// @param subject the engine that is judged: the first of the columns
/// @param engines the columns
/// @param rows the cases, in order
public record Table(
        String bed,
        String settings,
        Measure measure,
        String subject,
        List<String> engines,
        List<Row> rows) {

    /// One case.
    ///
    /// @param each which
    /// @param readings an engine's name to what it got
    public record Row(Case each, Map<String, Reading> readings) {
        public Row {
            readings = new LinkedHashMap<>(readings);
        }
    }

    public Table {
        engines = List.copyOf(engines);
        rows = List.copyOf(rows);
    }
}
