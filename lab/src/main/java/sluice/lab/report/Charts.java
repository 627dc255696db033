package sluice.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import sluice.lab.bed.Case;
import sluice.lab.judge.Judge;
import sluice.lab.judge.Reading;
import sluice.lab.judge.Reading.Figures;
import sluice.lab.judge.Score;
import sluice.lab.judge.Table;

/// Drawings in SVG: bars with their figures written beside them, so that nothing is told by colour
/// or length alone.
final class Charts {
    /// Rows of a table without a number of streams that still make a chart.
    private static final int ROWS_MAX = 24;

    private static final String STREAMS = "streams";
    private static final int WIDTH = 340;
    private static final int LINE = 18;
    private static final int BARS_LEFT = 116;
    private static final int BARS_WIDTH = 138;

    private Charts() {}

    /// Lead, tie and behind of each judged table as one bar.
    static Page.Drawing scores(List<Part> parts) {
        StringBuilder html = new StringBuilder("<div class=\"scores\">\n");
        for (Part part : parts) {
            Score score = part.score();
            if (!part.judged() || score.rows() == 0) {
                continue;
            }
            String name = part.table().bed() + ", " + part.table().measure().name();
            String words =
                    score.lead() + " lead, " + score.tie() + " tie, " + score.behind() + " behind";
            html.append("<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 340 14\"")
                    .append(" role=\"img\" aria-label=\"")
                    .append(Html.escape(name + ": " + words))
                    .append("\">");
            double left = 0;
            left = piece(html, "lead", left, score.lead(), score.rows());
            left = piece(html, "tie", left, score.tie(), score.rows());
            piece(html, "behind", left, score.behind(), score.rows());
            html.append("</svg><figcaption><b>")
                    .append(Html.escape(name))
                    .append("</b>: ")
                    .append(words)
                    .append("</figcaption></figure>\n");
        }
        return new Page.Drawing(html.append("</div>\n").toString());
    }

    private static double piece(StringBuilder html, String word, double left, int count, int all) {
        double width = (double) WIDTH * count / all;
        if (count > 0) {
            html.append("<rect class=\"")
                    .append(word)
                    .append("\" x=\"")
                    .append(at(left))
                    .append("\" y=\"0\" width=\"")
                    .append(at(Math.max(1, width - 1)))
                    .append("\" height=\"14\"/>");
        }
        return left + width;
    }

    /// Bars of a table by protocol, or by whatever its first label is; nothing where they would be
    /// too many to read.
    static Optional<Page.Drawing> bars(Part part) {
        Table table = part.table();
        Optional<String> streams = streams(table);
        List<Table.Row> rows =
                table.rows().stream()
                        .filter(row ->
                                streams.isEmpty()
                                        || row.each().label(STREAMS).equals(streams.orElseThrow()))
                        .filter(row -> row.readings().values().stream().anyMatch(Charts::drawn))
                        .toList();
        if (rows.isEmpty() || (streams.isEmpty() && rows.size() > ROWS_MAX)) {
            return Optional.empty();
        }
        Map<String, List<Table.Row>> panels = new LinkedHashMap<>();
        for (Table.Row row : rows) {
            panels.computeIfAbsent(first(row.each()), _ -> new ArrayList<>()).add(row);
        }
        String unit = table.measure().unit();
        String caption =
                table.measure().name()
                        + (unit.isEmpty() ? "" : " in " + unit)
                        + streams.map(each -> ", " + Wording.value(STREAMS, each)).orElse("")
                        + (part.judged()
                                ? table.measure().higherIsBetter()
                                        ? ": longer is better"
                                        : ": shorter is better"
                                : "");
        StringBuilder html = new StringBuilder("<figure class=\"chart\"><figcaption>");
        html.append(Html.escape(caption))
                .append(
                        ". Each panel has its own scale from 0; the thin line is the spread over"
                                + " rounds; ★ is the best.</figcaption>\n<div class=\"panels\">\n");
        panels.forEach((name, each) -> panel(html, part, name, each));
        return Optional.of(new Page.Drawing(html.append("</div></figure>\n").toString()));
    }

    /// The number of streams that a chart shows: 8 where it was measured, else the most.
    private static Optional<String> streams(Table table) {
        List<String> all =
                table.rows().stream()
                        .map(row -> row.each().label(STREAMS))
                        .filter(each -> each.matches("\\d{1,9}"))
                        .distinct()
                        .toList();
        return all.contains("8")
                ? Optional.of("8")
                : all.stream().max((one, other) -> Integer.parseInt(one) - Integer.parseInt(other));
    }

    private static void panel(StringBuilder html, Part part, String name, List<Table.Row> rows) {
        double most = 0;
        int lines = 0;
        for (Table.Row row : rows) {
            lines += rest(row.each()).isEmpty() ? 0 : 1;
            for (Reading reading : row.readings().values()) {
                lines += drawn(reading) ? 1 : 0;
                most = reading instanceof Figures some ? Math.max(most, some.max()) : most;
            }
        }
        html.append("<div class=\"panel\"><h4>").append(Html.escape(name)).append("</h4>");
        html.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
                .append(WIDTH)
                .append(' ')
                .append(lines * LINE + 2)
                .append("\" role=\"img\" aria-label=\"")
                .append(Html.escape(part.table().measure().name() + ", " + name))
                .append("\">\n");
        int top = 0;
        for (Table.Row row : rows) {
            String rest = rest(row.each());
            if (!rest.isEmpty()) {
                label(html, "group", 0, top, rest);
                top += LINE;
            }
            double best = part.judged() ? Best.of(part.table(), row) : Double.NaN;
            for (String engine : part.table().engines()) {
                Reading reading = Judge.reading(row, engine);
                if (drawn(reading)) {
                    label(html, Wording.isSubject(engine) ? "own" : "other", 0, top, engine);
                    bar(html, Wording.isSubject(engine), top, reading, most, best);
                    top += LINE;
                }
            }
        }
        html.append("</svg></div>\n");
    }

    private static void bar(
            StringBuilder html, boolean own, int top, Reading reading, double most, double best) {
        if (!(reading instanceof Figures figures)) {
            label(html, "failed", BARS_LEFT, top, "failed");
            return;
        }
        double width = scaled(figures.median(), most);
        html.append("<rect class=\"")
                .append(own ? "bar own" : "bar other")
                .append("\" x=\"")
                .append(BARS_LEFT)
                .append("\" y=\"")
                .append(top + 3)
                .append("\" width=\"")
                .append(at(Math.max(width, 1)))
                .append("\" height=\"")
                .append(LINE - 6)
                .append("\"/>");
        double end = width;
        if (figures.values().size() > 1) {
            end = Math.max(width, scaled(figures.max(), most));
            html.append("<line class=\"spread\" x1=\"")
                    .append(at(BARS_LEFT + scaled(figures.min(), most)))
                    .append("\" x2=\"")
                    .append(at(BARS_LEFT + end))
                    .append("\" y1=\"")
                    .append(top + LINE / 2)
                    .append("\" y2=\"")
                    .append(top + LINE / 2)
                    .append("\"/>");
        }
        String mark = figures.median() == best ? " ★" : "";
        label(
                html,
                own ? "own" : "other",
                BARS_LEFT + end + 5,
                top,
                Figure.text(figures.median()) + mark);
    }

    private static double scaled(double value, double most) {
        return most <= 0 ? 0 : Math.max(0, value) / most * BARS_WIDTH;
    }

    private static void label(StringBuilder html, String look, double left, int top, String text) {
        html.append("<text class=\"")
                .append(look)
                .append("\" x=\"")
                .append(at(left))
                .append("\" y=\"")
                .append(top + 13)
                .append("\">")
                .append(Html.escape(text))
                .append("</text>\n");
    }

    /// A coordinate with one decimal, the same in every country.
    private static String at(double value) {
        return String.valueOf(Math.round(value * 10) / 10.0);
    }

    private static boolean drawn(Reading reading) {
        return reading instanceof Figures || reading instanceof Reading.Failed;
    }

    private static String leading(Case each) {
        return each.labels().containsKey("protocol")
                ? "protocol"
                : each.labels().keySet().stream().findFirst().orElse("");
    }

    private static String first(Case each) {
        String name = leading(each);
        return name.isEmpty() ? "all" : Wording.value(name, each.label(name));
    }

    private static String rest(Case each) {
        return each.labels().entrySet().stream()
                .filter(label -> !label.getKey().equals(leading(each)))
                .filter(label -> !label.getKey().equals(STREAMS))
                .map(label -> Wording.value(label.getKey(), label.getValue()))
                .collect(Collectors.joining(" · "));
    }
}
