package sluice.lab.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.judge.Reading.Absent;
import sluice.lab.judge.Reading.Failed;
import sluice.lab.judge.Reading.Figures;
import sluice.lab.judge.Reading.Unsupported;
import sluice.lab.judge.Verdict.Kind;

/// The rules by which figures become words. In each row the subject's median stands against that of
/// the best other engine; 5 % make a difference, and a difference that the rounds do not agree on
/// is none.
public final class Judge {

    /// A ratio above this is a lead.
    public static final double LEAD_ABOVE = 1.05;

    /// A ratio below this is behind.
    public static final double BEHIND_BELOW = 0.95;

    private Judge() {}

    /// The verdict of each row, in order.
    public static List<Verdict> verdicts(Table table) {
        return table.rows().stream().map(row -> verdict(table, row)).toList();
    }

    /// The verdict of one row.
    public static Verdict verdict(Table table, Table.Row row) {
        boolean higherIsBetter = table.measure().higherIsBetter();
        String rival = bestRival(table, row);
        return switch (reading(row, table.subject())) {
            case Unsupported _, Absent _ -> Verdict.without(row, Kind.UNCOUNTED, rival);
            case Failed _ ->
                    Verdict.without(row, rival == null ? Kind.UNCOUNTED : Kind.BEHIND, rival);
            case Figures own -> {
                if (rival != null && reading(row, rival) instanceof Figures best) {
                    yield between(row, own, rival, best, higherIsBetter);
                }
                yield Verdict.without(
                        row, somebodyTried(table, row) ? Kind.LEAD : Kind.UNCOUNTED, null);
            }
        };
    }

    /// Whether more rounds can no longer change the verdict of a row: the interval lies above 5 %,
    /// below, or within; or there is nothing to compare.
    public static boolean decided(Table table, Table.Row row) {
        Verdict verdict = verdict(table, row);
        Interval interval = verdict.interval();
        if (interval == null) {
            return !(reading(row, table.subject()) instanceof Figures) || verdict.rival() == null;
        }
        return interval.low() > LEAD_ABOVE
                || interval.high() < BEHIND_BELOW
                || (interval.low() >= BEHIND_BELOW && interval.high() <= LEAD_ABOVE);
    }

    /// Where the ratio of two engines lies, by the rounds that both have: above 1 where `own` is
    /// better.
    ///
    /// @return null with fewer than two such rounds, or where a figure is not above 0
    public static @Nullable Interval interval(Figures own, Figures other, boolean higherIsBetter) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < own.rounds().size(); i++) {
            int there = other.rounds().indexOf(own.rounds().get(i));
            if (there >= 0) {
                double mine = own.values().get(i);
                double theirs = other.values().get(there);
                if (mine <= 0 || theirs <= 0) {
                    return null;
                }
                ratios.add(higherIsBetter ? mine / theirs : theirs / mine);
            }
        }
        return ratios.size() < 2 ? null : Interval.ofRatios(ratios);
    }

    /// What a ratio is called, noise aside.
    public static Kind kind(double ratio) {
        if (ratio > LEAD_ABOVE) {
            return Kind.LEAD;
        }
        return ratio < BEHIND_BELOW ? Kind.BEHIND : Kind.TIE;
    }

    /// What an engine got in a row.
    public static Reading reading(Table.Row row, String engine) {
        Reading reading = row.readings().get(engine);
        return reading == null ? new Absent() : reading;
    }

    private static Verdict between(
            Table.Row row, Figures own, String rival, Figures best, boolean higherIsBetter) {
        double mine = own.median();
        double theirs = best.median();
        if (mine <= 0 || theirs <= 0) {
            return withoutRatio(row, own, rival, best, higherIsBetter);
        }
        double ratio = higherIsBetter ? mine / theirs : theirs / mine;
        Interval interval = interval(own, best, higherIsBetter);
        Kind kind = kind(ratio);
        boolean noise = kind != Kind.TIE && interval != null && interval.contains(1);
        return new Verdict(row, noise ? Kind.TIE : kind, rival, ratio, interval, noise);
    }

    /// A growth or a cost of 0 or less has no ratio; the order of the figures decides, and nothing
    /// does where several rounds overlap.
    private static Verdict withoutRatio(
            Table.Row row, Figures own, String rival, Figures best, boolean higherIsBetter) {
        int order = Double.compare(own.median(), best.median()) * (higherIsBetter ? 1 : -1);
        boolean several = own.values().size() > 1 && best.values().size() > 1;
        boolean overlap = own.min() <= best.max() && best.min() <= own.max();
        if (order == 0 || (several && overlap)) {
            return new Verdict(row, Kind.TIE, rival, null, null, order != 0);
        }
        return Verdict.without(row, order > 0 ? Kind.LEAD : Kind.BEHIND, rival);
    }

    private static @Nullable String bestRival(Table table, Table.Row row) {
        String best = null;
        double least = 0;
        for (String engine : table.engines()) {
            if (!engine.equals(table.subject())
                    && reading(row, engine) instanceof Figures figures) {
                double cost =
                        table.measure().higherIsBetter() ? -figures.median() : figures.median();
                if (best == null || cost < least) {
                    best = engine;
                    least = cost;
                }
            }
        }
        return best;
    }

    private static boolean somebodyTried(Table table, Table.Row row) {
        for (Map.Entry<String, Reading> each : row.readings().entrySet()) {
            if (!each.getKey().equals(table.subject()) && each.getValue() instanceof Failed) {
                return true;
            }
        }
        return false;
    }
}
