package sluice.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import sluice.lab.judge.Interval;
import sluice.lab.judge.Judge;
import sluice.lab.judge.Reading;
import sluice.lab.judge.Reading.Figures;
import sluice.lab.judge.Score;
import sluice.lab.judge.Table;
import sluice.lab.judge.Verdict;
import sluice.lab.report.Page.Block;
import sluice.lab.report.Page.Cell;
import sluice.lab.report.Page.Kind;
import sluice.lab.report.Page.Span;

/// A report in words: what a reader wants first comes first, losses before leads.
final class ReportPage {
    private final Report report;
    private final Causes causes;
    private final List<Block> blocks = new ArrayList<>();

    private ReportPage(Report report, Causes causes) {
        this.report = report;
        this.causes = causes;
    }

    static Page of(Report report, Catalogue catalogue, Causes causes) {
        ReportPage page = new ReportPage(report, causes);
        page.opening();
        page.headline();
        page.losses();
        page.hiddenLosses();
        page.leads();
        page.failures();
        for (String bed : report.beds()) {
            page.bed(bed, catalogue);
        }
        new Conditions(report, page.blocks).add();
        return new Page("Sluice beside other engines", List.copyOf(page.blocks));
    }

    private void opening() {
        text(
                Wording.count(report.runs(), "run", "runs")
                        + ", the first ended "
                        + report.first()
                        + ", the last "
                        + report.last()
                        + ". Everything here is computed from the log of these runs.");
        report.notes().forEach(note -> blocks.add(new Page.Notice(List.of(Page.plain(note)))));
        if (!report.busy().isEmpty()) {
            notice(
                    Wording.count(report.busy().size(), "run", "runs")
                            + " of "
                            + report.runs()
                            + " began while the machine was busy with something else. Their figures"
                            + " may be too bad; they are listed under Conditions.");
        }
        if (report.parts().stream().anyMatch(part -> part.table().settings().startsWith("quick"))) {
            notice(
                    "Quick settings give a first impression, no more: measure again before you"
                            + " believe a difference.");
        }
        if (report.parts().stream().noneMatch(Part::judged)) {
            notice("Nothing is judged: a verdict takes Sluice and another engine in one bed.");
        } else if (report.parts().stream().anyMatch(ReportPage::hasOneRound)) {
            notice(
                    "Some cases were measured in one round only. They have no interval, so nothing"
                            + " says how much of a difference is noise.");
        }
        if (!report.complaints().isEmpty()) {
            notice(
                    Wording.count(report.complaints().size(), "line", "lines")
                            + " of the log could not be read; see the end.");
        }
    }

    private static boolean hasOneRound(Part part) {
        return part.verdicts().stream()
                .anyMatch(each -> each.ratio() != null && each.interval() == null);
    }

    private void headline() {
        heading(2, "In short");
        text(
                "In every case Sluice stands against the best of the others, by medians over rounds. A"
                        + " ratio above 1 means that Sluice is better: that many times the throughput, or"
                        + " that many times less of a cost. More than 5 % is a lead or behind, less is a"
                        + " tie, and so is a difference that the rounds do not agree on.");
        blocks.add(Charts.scores(report.parts()));
        List<Cell> head = new ArrayList<>(List.of(Cell.of(Kind.NAME, "bed, figure")));
        for (String name : List.of("cases", "lead", "tie", "behind", "mean ratio")) {
            head.add(Cell.of(Kind.NUMBER, name));
        }
        List<List<Cell>> rows = new ArrayList<>();
        for (Part part : report.parts()) {
            if (part.judged()) {
                rows.add(headlineRow(part));
            }
        }
        if (!rows.isEmpty()) {
            blocks.add(new Page.Grid(head, rows));
            text(
                    "The mean is the geometric mean of the ratios. Not counted: cases that Sluice or"
                            + " all others do not have or were not measured in, and those that nobody"
                            + " finished.");
        }
    }

    private List<Cell> headlineRow(Part part) {
        Score score = part.score();
        Double mean = score.geometricMean();
        List<Span> tie = new ArrayList<>();
        tie.add(Page.plain(String.valueOf(score.tie())));
        if (score.withinNoise() > 0) {
            tie.add(Page.faint(" (" + score.withinNoise() + " within the noise)"));
        }
        return List.of(
                Cell.of(Kind.NAME, name(part)),
                Cell.of(Kind.NUMBER, String.valueOf(score.rows())),
                Cell.of(Kind.NUMBER, String.valueOf(score.lead())),
                new Cell(Kind.NUMBER, List.of(tie)),
                new Cell(
                        Kind.NUMBER, List.of(List.of(Page.strong(String.valueOf(score.behind()))))),
                Cell.of(Kind.NUMBER, mean == null ? "" : Figure.ratio(mean)));
    }

    /// A part's name: as long as it must be to tell it from others in this report.
    private String name(Part part) {
        Table table = part.table();
        return table.bed()
                + ", "
                + table.measure().name()
                + (report.severalSettings() ? " (" + table.settings() + ")" : "")
                + (report.severalMachines() ? ", machine " + part.machine() : "");
    }

    private void losses() {
        List<Finding> losses = report.losses();
        heading(2, "Where Sluice is behind");
        if (losses.isEmpty()) {
            text("Nowhere in this log.");
            return;
        }
        items(losses);
    }

    private void hiddenLosses() {
        List<Finding> hidden = report.hiddenLosses();
        if (!hidden.isEmpty()) {
            heading(2, "Ties within the noise that look like losses");
            text("The medians are behind, the rounds do not agree. More rounds would tell.");
            items(hidden);
        }
    }

    private void items(List<Finding> findings) {
        List<List<List<Span>>> items = new ArrayList<>();
        for (Finding finding : findings) {
            Verdict verdict = finding.verdict();
            Double ratio = verdict.ratio();
            Interval interval = verdict.interval();
            List<Span> first = new ArrayList<>();
            first.add(Page.strong(ratio == null ? "no ratio" : Figure.ratio(ratio)));
            first.add(
                    Page.faint(
                            interval == null
                                    ? " (no interval)"
                                    : " (" + Figure.interval(interval) + ")"));
            first.add(Page.plain(" " + name(finding.part()) + ": "));
            first.add(Page.strong(Wording.of(finding.each())));
            List<List<Span>> item = new ArrayList<>();
            item.add(first);
            item.add(List.of(Page.plain(figures(finding))));
            item.add(
                    List.of(
                            Page.faint("cause: "),
                            Page.plain(causes.of(finding).orElse(Causes.UNKNOWN))));
            items.add(item);
        }
        blocks.add(new Page.Items(items, true));
    }

    private static String figures(Finding finding) {
        String rival = finding.verdict().rival();
        String own = engine(finding, finding.table().subject());
        return rival == null ? own : own + "; " + engine(finding, rival);
    }

    private static String engine(Finding finding, String engine) {
        String unit = finding.table().measure().unit();
        Reading reading = Judge.reading(finding.verdict().row(), engine);
        return switch (reading) {
            case Figures figures ->
                    engine
                            + " "
                            + Figure.text(figures.median())
                            + (unit.isEmpty() ? "" : " " + unit)
                            + (figures.values().size() > 1
                                    ? " (" + Figure.spread(figures) + ")"
                                    : "");
            case Reading.Failed failed -> engine + " failed: " + failed.reason();
            case Reading.Unsupported _, Reading.Absent _ -> engine + " –";
        };
    }

    private void leads() {
        heading(2, "Where Sluice leads");
        List<List<List<Span>>> items = new ArrayList<>();
        for (Part part : report.parts()) {
            List<Finding> leads = part.findings(Verdict.Kind.LEAD);
            if (leads.isEmpty()) {
                continue;
            }
            List<Span> line = new ArrayList<>();
            line.add(Page.strong(name(part)));
            line.add(Page.plain(": " + leads.size() + " of " + part.score().rows()));
            leads.stream()
                    .filter(each -> each.verdict().ratio() != null)
                    .max(Comparator.comparing(each -> each.verdict().ratioIfAny().orElse(0.0)))
                    .ifPresent(widest ->
                            line.add(
                                    Page.plain(
                                            ", the widest "
                                                    + Figure.ratio(
                                                            widest.verdict()
                                                                    .ratioIfAny()
                                                                    .orElse(0.0))
                                                    + " in "
                                                    + Wording.of(widest.each()))));
            items.add(List.of(line));
        }
        if (items.isEmpty()) {
            text("Nowhere in this log.");
        } else {
            blocks.add(new Page.Items(items, false));
        }
    }

    private void failures() {
        heading(2, "What could not finish");
        if (report.failures().isEmpty()) {
            text("Every run finished.");
            return;
        }
        List<List<Cell>> rows = new ArrayList<>();
        for (Report.Failure failure : report.failures()) {
            List<String> rounds = failure.rounds().stream().map(String::valueOf).toList();
            String reason = failure.run().reason();
            List<String> exits = new ArrayList<>();
            failure.run().exits().forEach((label, how) -> exits.add(label + ": " + how));
            rows.add(
                    List.of(
                            Cell.of(Kind.NAME, failure.run().engine()),
                            Cell.of(
                                    Kind.TEXT,
                                    failure.run().bed()
                                            + ", "
                                            + Wording.of(failure.run().each())
                                            + (report.severalMachines()
                                                    ? ", machine " + failure.machine()
                                                    : "")),
                            Cell.of(Kind.NUMBER, String.join(", ", rounds)),
                            Cell.of(Kind.TEXT, reason.isEmpty() ? "no reason given" : reason),
                            Cell.of(Kind.TEXT, String.join("; ", exits))));
        }
        blocks.add(
                new Page.Grid(
                        List.of(
                                Cell.of(Kind.NAME, "engine"),
                                Cell.of(Kind.TEXT, "case"),
                                Cell.of(Kind.NUMBER, "rounds"),
                                Cell.of(Kind.TEXT, "reason"),
                                Cell.of(Kind.TEXT, "how its processes ended")),
                        rows));
    }

    private void bed(String bed, Catalogue catalogue) {
        heading(2, "Bed: " + bed);
        String about = catalogue.about().getOrDefault(bed, "");
        text(about.isEmpty() ? "This version of the lab does not know this bed." : about);
        for (Part part : report.parts()) {
            if (!part.table().bed().equals(bed)) {
                continue;
            }
            String unit = part.table().measure().unit();
            heading(3, part.table().measure().name() + (unit.isEmpty() ? "" : ", " + unit));
            String better =
                    !part.known()
                            ? "This version of the lab does not know this figure"
                            : part.table().measure().higherIsBetter()
                                    ? "More is better"
                                    : "Less is better";
            text(
                    better
                            + ". Settings: "
                            + part.table().settings()
                            + (report.severalMachines() ? ". Machine " + part.machine() : "")
                            + ". Medians over rounds, least and greatest below them; ★ is the best,"
                            + " – is not supported, a tie by noise is one that the rounds do not"
                            + " agree on.");
            Charts.bars(part).ifPresent(blocks::add);
            blocks.add(TableGrid.of(part));
        }
    }

    private void heading(int level, String text) {
        blocks.add(new Page.Heading(level, text));
    }

    private void text(String text) {
        blocks.add(Page.text(text));
    }

    private void notice(String text) {
        blocks.add(new Page.Notice(List.of(Page.plain(text))));
    }
}
