package sluice.lab.report;

import sluice.lab.judge.Reading.Figures;
import sluice.lab.judge.Table;

/// The best median of a row.
final class Best {
    private Best() {}

    /// It, or no number when nobody has one.
    static double of(Table table, Table.Row row) {
        double best = Double.NaN;
        for (var reading : row.readings().values()) {
            if (reading instanceof Figures figures) {
                double median = figures.median();
                boolean better = table.measure().higherIsBetter() ? median > best : median < best;
                best = Double.isNaN(best) || better ? median : best;
            }
        }
        return best;
    }
}
