package sluice.lab.report;

import java.util.ArrayList;
import java.util.List;
import sluice.lab.bed.Case;
import sluice.lab.judge.Judge;
import sluice.lab.judge.Reading;
import sluice.lab.judge.Reading.Absent;
import sluice.lab.judge.Reading.Failed;
import sluice.lab.judge.Reading.Figures;
import sluice.lab.judge.Reading.Unsupported;
import sluice.lab.judge.Table;
import sluice.lab.judge.Verdict;
import sluice.lab.report.Page.Cell;
import sluice.lab.report.Page.Kind;
import sluice.lab.report.Page.Span;

/// A part's figures as a table.
final class TableGrid {
    private TableGrid() {}

    static Page.Grid of(Part part) {
        Table table = part.table();
        List<Cell> head = new ArrayList<>();
        head.add(Cell.of(Kind.NAME, "case"));
        for (String engine : table.engines()) {
            head.add(Cell.of(Kind.NUMBER, engine));
        }
        if (part.judged()) {
            head.add(Cell.of(Kind.NUMBER, "ratio"));
            head.add(Cell.of(Kind.TEXT, "verdict"));
        }
        List<Verdict> verdicts = part.verdicts();
        List<List<Cell>> rows = new ArrayList<>();
        for (int i = 0; i < table.rows().size(); i++) {
            Table.Row row = table.rows().get(i);
            double best = part.judged() ? Best.of(table, row) : Double.NaN;
            List<Cell> cells = new ArrayList<>();
            cells.add(name(row.each()));
            for (String engine : table.engines()) {
                int failed = part.failedRounds().getOrDefault(new Part.Cell(row.each(), engine), 0);
                cells.add(cell(Judge.reading(row, engine), best, failed));
            }
            if (part.judged()) {
                cells.add(ratio(verdicts.get(i)));
                cells.add(verdict(verdicts.get(i)));
            }
            rows.add(cells);
        }
        return new Page.Grid(head, rows);
    }

    /// The first label on a line of its own, the others below it.
    private static Cell name(Case each) {
        List<List<Span>> lines = new ArrayList<>();
        String whole = Wording.of(each);
        int end = whole.indexOf(Wording.BETWEEN);
        lines.add(List.of(Page.plain(end < 0 ? whole : whole.substring(0, end))));
        if (end >= 0) {
            lines.add(List.of(Page.faint(whole.substring(end + Wording.BETWEEN.length()))));
        }
        return new Cell(Kind.NAME, lines);
    }

    private static Cell cell(Reading reading, double best, int failed) {
        return switch (reading) {
            case Unsupported _ -> Cell.of(Kind.NUMBER, "–");
            case Failed _ -> Cell.of(Kind.NUMBER, "failed");
            case Absent _ -> new Cell(Kind.NUMBER, List.of(List.of(Page.faint("not measured"))));
            case Figures figures -> {
                boolean isBest = figures.median() == best;
                String text = Figure.text(figures.median());
                List<List<Span>> lines = new ArrayList<>();
                lines.add(List.of(isBest ? Page.strong("★ " + text) : Page.plain(text)));
                if (figures.values().size() > 1) {
                    lines.add(List.of(Page.faint(Figure.spread(figures))));
                }
                if (failed > 0) {
                    lines.add(List.of(Page.faint(failed + " failed")));
                }
                yield new Cell(isBest ? Kind.BEST : Kind.NUMBER, lines);
            }
        };
    }

    private static Cell ratio(Verdict verdict) {
        List<List<Span>> lines = new ArrayList<>();
        Double ratio = verdict.ratio();
        lines.add(List.of(Page.plain(ratio == null ? "" : Figure.ratio(ratio))));
        if (verdict.interval() != null) {
            lines.add(List.of(Page.faint(Figure.interval(verdict.interval()))));
        }
        return new Cell(Kind.NUMBER, lines);
    }

    private static Cell verdict(Verdict verdict) {
        return switch (verdict.kind()) {
            case LEAD -> Cell.of(Kind.LEAD, "lead");
            case BEHIND -> Cell.of(Kind.BEHIND, "behind");
            case UNCOUNTED -> new Cell(Kind.TEXT, List.of(List.of(Page.faint("not counted"))));
            case TIE -> {
                List<List<Span>> lines = new ArrayList<>();
                lines.add(List.of(Page.plain("tie")));
                if (verdict.withinNoise()) {
                    lines.add(List.of(Page.faint("noise")));
                }
                yield new Cell(Kind.TIE, lines);
            }
        };
    }
}
