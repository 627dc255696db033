package sluice.lab.report;

import java.util.ArrayList;
import java.util.List;
import sluice.lab.report.Page.Block;
import sluice.lab.report.Page.Cell;
import sluice.lab.report.Page.Kind;

/// The end of a page: under which conditions the figures came about, and what they do not say.
final class Conditions {
    private static final List<String> LIMITS =
            List.of(
                    "Loopback, not a network: no delay, no loss, no congestion, packets as large as"
                            + " the kernel makes them. A difference here may vanish behind a slow"
                            + " line.",
                    "Load, reference engine and the engine under test share one machine. Throughput"
                            + " is what all of them together leave; processor time and memory are"
                            + " of the engine under test alone.",
                    "Every engine has its default settings. Its author may know better ones.",
                    "Figures of other machines, other settings or another version of the lab do not"
                            + " compare with these; ratios within one log do.",
                    "An interval from few rounds is wide, and it knows nothing of what disturbed"
                            + " all rounds alike.");

    private final Report report;
    private final List<Block> blocks;

    Conditions(Report report, List<Block> blocks) {
        this.report = report;
        this.blocks = blocks;
    }

    void add() {
        blocks.add(new Page.Heading(2, "Conditions"));
        machines();
        engines();
        busy();
        configurations();
        blocks.add(new Page.Heading(2, "Limits"));
        blocks.add(
                new Page.Items(
                        LIMITS.stream().map(each -> List.of(List.of(Page.plain(each)))).toList(),
                        false));
        if (!report.complaints().isEmpty()) {
            blocks.add(new Page.Heading(2, "Lines of the log that could not be read"));
            blocks.add(
                    new Page.Items(
                            report.complaints().stream()
                                    .map(each -> List.of(List.of(Page.plain(each))))
                                    .toList(),
                            false));
        }
    }

    private void machines() {
        report.machines()
                .forEach((letter, machine) -> {
                    blocks.add(
                            new Page.Heading(
                                    3, report.severalMachines() ? "Machine " + letter : "Machine"));
                    if (machine.facts().isEmpty()) {
                        blocks.add(Page.text("The log does not say what it is."));
                        return;
                    }
                    List<List<Cell>> rows = new ArrayList<>();
                    machine.facts()
                            .forEach((name, value) ->
                                    rows.add(
                                            List.of(
                                                    Cell.of(Kind.NAME, name),
                                                    Cell.of(Kind.TEXT, value))));
                    blocks.add(
                            new Page.Grid(
                                    List.of(
                                            Cell.of(Kind.NAME, "what"),
                                            Cell.of(Kind.TEXT, "value")),
                                    rows));
                });
    }

    private void engines() {
        blocks.add(new Page.Heading(3, "Engines"));
        List<List<Cell>> rows = new ArrayList<>();
        for (Report.Binary binary : report.binaries()) {
            rows.add(
                    List.of(
                            Cell.of(
                                    Kind.NAME,
                                    binary.engine()
                                            + (report.severalMachines()
                                                    ? ", machine " + binary.machine()
                                                    : "")),
                            Cell.of(Kind.TEXT, known(binary.version())),
                            Cell.of(Kind.NUMBER, String.valueOf(binary.runs())),
                            new Cell(
                                    Kind.TEXT,
                                    List.of(List.of(Page.code(known(binary.sha256())))))));
        }
        blocks.add(
                new Page.Grid(
                        List.of(
                                Cell.of(Kind.NAME, "engine"),
                                Cell.of(Kind.TEXT, "version"),
                                Cell.of(Kind.NUMBER, "runs"),
                                Cell.of(Kind.TEXT, "SHA-256")),
                        rows));
        blocks.add(
                Page.text(
                        (report.references().isEmpty()
                                        ? "No engine at the other end. "
                                        : "At the other end: "
                                                + String.join(", ", report.references())
                                                + ". ")
                                + "Version of the lab: "
                                + String.join(", ", report.labs())
                                + "."));
    }

    private static String known(String text) {
        return text.isEmpty() ? "not known" : text;
    }

    private void busy() {
        if (report.busy().isEmpty()) {
            return;
        }
        blocks.add(new Page.Heading(3, "Runs on a busy machine"));
        List<List<Cell>> rows = new ArrayList<>();
        for (Report.Busy each : report.busy()) {
            List<String> signs = new ArrayList<>();
            Machine.before(each.run())
                    .forEach((name, value) -> {
                        if (!name.equals("busy")) {
                            signs.add(name + " " + value);
                        }
                    });
            rows.add(
                    List.of(
                            Cell.of(Kind.NAME, each.run().engine()),
                            Cell.of(
                                    Kind.TEXT,
                                    each.run().bed() + ", " + Wording.of(each.run().each())),
                            Cell.of(Kind.NUMBER, String.valueOf(each.run().round())),
                            Cell.of(Kind.TEXT, String.join(", ", signs))));
        }
        blocks.add(
                new Page.Folded(
                        Wording.count(rows.size(), "run", "runs"),
                        List.of(
                                new Page.Grid(
                                        List.of(
                                                Cell.of(Kind.NAME, "engine"),
                                                Cell.of(Kind.TEXT, "case"),
                                                Cell.of(Kind.NUMBER, "round"),
                                                Cell.of(Kind.TEXT, "before it")),
                                        rows))));
    }

    private void configurations() {
        if (report.configurations().isEmpty()) {
            return;
        }
        blocks.add(new Page.Heading(3, "Exact configurations"));
        blocks.add(
                Page.text(
                        "Ports and folders differ from run to run; these are of the newest run of"
                                + " each kind. The log has all of them."));
        for (Configuration each : report.configurations()) {
            List<Block> inside = new ArrayList<>();
            inside.add(Page.text("Used in: " + String.join(", ", each.uses())));
            each.files()
                    .forEach((name, content) -> {
                        if (!name.isEmpty()) {
                            inside.add(new Page.Text(List.of(Page.code(name))));
                        }
                        inside.add(new Page.Code(content));
                    });
            String first = each.uses().iterator().next();
            int more = each.uses().size() - 1;
            blocks.add(
                    new Page.Folded(
                            each.engine()
                                    + ", "
                                    + each.label()
                                    + ": "
                                    + first
                                    + (more > 0 ? " and " + more + " more" : ""),
                            inside));
        }
    }
}
