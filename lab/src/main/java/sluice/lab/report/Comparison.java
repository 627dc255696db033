package sluice.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import sluice.lab.bed.Case;
import sluice.lab.judge.Interval;
import sluice.lab.judge.Judge;
import sluice.lab.judge.Reading.Figures;
import sluice.lab.judge.Table;
import sluice.lab.judge.Verdict.Kind;
import sluice.lab.report.Page.Block;
import sluice.lab.report.Page.Cell;
import sluice.lab.report.Page.Span;

/// Two logs beside each other, A and B: two machines, or two versions. A ratio is B's figure
/// through A's. The noise rule is that of verdicts, with the rounds of both in their order.
final class Comparison {
    private final Report a;
    private final Report b;
    private final List<Block> blocks = new ArrayList<>();

    private Comparison(Report a, Report b) {
        this.a = a;
        this.b = b;
    }

    /// Where a figure stands in both logs.
    private record Key(String bed, String settings, String measure) {
        static Key of(Part part) {
            Table table = part.table();
            return new Key(table.bed(), table.settings(), table.measure().name());
        }

        @Override
        public String toString() {
            return bed + ", " + measure + " (" + settings + ")";
        }
    }

    /// @param a each with the runs of one machine
    /// @param b the same
    static Page of(Report a, Report b) {
        Comparison comparison = new Comparison(a, b);
        comparison.opening();
        comparison.sides();
        List<String> onlyA = new ArrayList<>();
        List<String> onlyB = new ArrayList<>();
        Map<Key, Part> partsA = parts(a);
        Map<Key, Part> partsB = parts(b);
        partsA.forEach((key, part) -> {
            Part other = partsB.get(key);
            if (other == null) {
                onlyA.add(key.toString());
            } else {
                comparison.tables(key, part, other, onlyA, onlyB);
            }
        });
        partsB.keySet().stream()
                .filter(key -> !partsA.containsKey(key))
                .forEach(key -> onlyB.add(key.toString()));
        comparison.only("A", onlyA);
        comparison.only("B", onlyB);
        return new Page("Two logs compared", List.copyOf(comparison.blocks));
    }

    private static Map<Key, Part> parts(Report report) {
        Map<Key, Part> parts = new LinkedHashMap<>();
        report.parts().forEach(part -> parts.put(Key.of(part), part));
        return parts;
    }

    private void opening() {
        blocks.add(
                Page.text(
                        "A ratio is the figure of B through that of A, by medians over rounds. More"
                                + " than 5 % is a difference, unless the rounds do not agree on it:"
                                + " then it is noise. With one round there is no interval, so"
                                + " nothing says how much is noise."));
        for (Report report : List.of(a, b)) {
            for (String note : report.notes()) {
                blocks.add(
                        new Page.Notice(List.of(Page.plain((report == a ? "A: " : "B: ") + note))));
            }
            if (!report.busy().isEmpty()) {
                blocks.add(
                        new Page.Notice(
                                List.of(
                                        Page.plain(
                                                (report == a ? "A: " : "B: ")
                                                        + Wording.count(
                                                                report.busy().size(), "run", "runs")
                                                        + " began while the machine was busy with"
                                                        + " something else."))));
            }
        }
    }

    private void sides() {
        Map<String, String> left = facts(a);
        Map<String, String> right = facts(b);
        List<String> names = new ArrayList<>(left.keySet());
        right.keySet().stream().filter(name -> !left.containsKey(name)).forEach(names::add);
        List<List<Cell>> rows = new ArrayList<>();
        for (String name : names) {
            String one = left.getOrDefault(name, "");
            String other = right.getOrDefault(name, "");
            rows.add(
                    List.of(
                            Cell.of(Page.Kind.NAME, name),
                            Cell.of(Page.Kind.TEXT, one),
                            Cell.of(Page.Kind.TEXT, one.equals(other) ? "the same" : other)));
        }
        blocks.add(new Page.Heading(2, "Machines and versions"));
        blocks.add(
                new Page.Grid(
                        List.of(
                                Cell.of(Page.Kind.NAME, "what"),
                                Cell.of(Page.Kind.TEXT, "A"),
                                Cell.of(Page.Kind.TEXT, "B")),
                        rows));
    }

    private static Map<String, String> facts(Report report) {
        Map<String, String> facts = new LinkedHashMap<>();
        report.machines().values().forEach(machine -> facts.putAll(machine.facts()));
        facts.put("version of the lab", String.join(", ", report.labs()));
        facts.put("at the other end", String.join(", ", report.references()));
        for (Report.Binary binary : report.binaries()) {
            facts.put(
                    binary.engine(),
                    binary.version()
                            + (binary.sha256().isEmpty() ? "" : ", SHA-256 " + binary.sha256()));
        }
        return facts;
    }

    private void tables(Key key, Part left, Part right, List<String> onlyA, List<String> onlyB) {
        List<List<Cell>> rows = new ArrayList<>();
        TreeSet<String> engines = new TreeSet<>(Wording::compareEngines);
        engines.addAll(left.table().engines());
        engines.addAll(right.table().engines());
        Map<Case, Table.Row> mine = rows(left);
        Map<Case, Table.Row> theirs = rows(right);
        List<Case> cases = new ArrayList<>(mine.keySet());
        theirs.keySet().stream().filter(each -> !mine.containsKey(each)).forEach(cases::add);
        for (Case each : cases) {
            for (String engine : engines) {
                Figures one = figures(mine.get(each), engine);
                Figures other = figures(theirs.get(each), engine);
                if (one != null && other != null) {
                    rows.add(row(each, engine, one, other, left));
                } else if (one != null || other != null) {
                    (one != null ? onlyA : onlyB)
                            .add(key + ", " + Wording.of(each) + ", " + engine);
                }
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        String unit = left.table().measure().unit();
        blocks.add(
                new Page.Heading(
                        2,
                        left.table().bed()
                                + ": "
                                + left.table().measure().name()
                                + (unit.isEmpty() ? "" : ", " + unit)));
        blocks.add(
                Page.text(
                        (!left.known()
                                        ? ""
                                        : left.table().measure().higherIsBetter()
                                                ? "More is better. "
                                                : "Less is better. ")
                                + "Settings: "
                                + key.settings()
                                + "."));
        blocks.add(
                new Page.Grid(
                        List.of(
                                Cell.of(Page.Kind.NAME, "case"),
                                Cell.of(Page.Kind.TEXT, "engine"),
                                Cell.of(Page.Kind.NUMBER, "A"),
                                Cell.of(Page.Kind.NUMBER, "B"),
                                Cell.of(Page.Kind.NUMBER, "B / A"),
                                Cell.of(Page.Kind.TEXT, "B is")),
                        rows));
    }

    private static Map<Case, Table.Row> rows(Part part) {
        Map<Case, Table.Row> rows = new LinkedHashMap<>();
        part.table().rows().forEach(row -> rows.put(row.each(), row));
        return rows;
    }

    private static @Nullable Figures figures(Table.@Nullable Row row, String engine) {
        return row != null && Judge.reading(row, engine) instanceof Figures figures
                ? figures
                : null;
    }

    private static List<Cell> row(Case each, String engine, Figures inA, Figures inB, Part part) {
        List<List<Span>> ratioLines = new ArrayList<>();
        String word = "";
        if (inA.median() > 0 && inB.median() > 0) {
            double ratio = inB.median() / inA.median();
            Interval interval = Judge.interval(inB, inA, true);
            ratioLines.add(List.of(Page.plain(Figure.ratio(ratio))));
            if (interval != null) {
                ratioLines.add(List.of(Page.faint(Figure.interval(interval))));
            }
            word = word(ratio, interval, part);
        }
        return List.of(
                Cell.of(Page.Kind.NAME, Wording.of(each)),
                Cell.of(Page.Kind.TEXT, engine),
                cell(inA),
                cell(inB),
                new Cell(Page.Kind.NUMBER, ratioLines),
                Cell.of(Page.Kind.TEXT, word));
    }

    private static String word(double ratio, @Nullable Interval interval, Part part) {
        Kind kind = Judge.kind(ratio);
        if (kind == Kind.TIE) {
            return "the same";
        }
        if (interval != null && interval.contains(1)) {
            return "the same within the noise";
        }
        boolean more = kind == Kind.LEAD;
        if (!part.known()) {
            return more ? "higher" : "lower";
        }
        return more == part.table().measure().higherIsBetter() ? "better" : "worse";
    }

    private static Cell cell(Figures figures) {
        List<List<Span>> lines = new ArrayList<>();
        lines.add(List.of(Page.plain(Figure.text(figures.median()))));
        if (figures.values().size() > 1) {
            lines.add(List.of(Page.faint(Figure.spread(figures))));
        }
        return new Cell(Page.Kind.NUMBER, lines);
    }

    private void only(String side, List<String> things) {
        if (!things.isEmpty()) {
            blocks.add(new Page.Heading(2, "Only in " + side));
            blocks.add(
                    new Page.Items(
                            things.stream()
                                    .map(each -> List.of(List.of(Page.plain(each))))
                                    .toList(),
                            false));
        }
    }
}
