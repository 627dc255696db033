package sluice.lab.report;

import java.util.List;
import java.util.stream.Collectors;
import sluice.lab.report.Page.Block;
import sluice.lab.report.Page.Cell;
import sluice.lab.report.Page.Kind;
import sluice.lab.report.Page.Span;

/// A page as Markdown with tables (GitHub's). Drawings are left out; their figures are in tables.
final class Markdown {
    private final StringBuilder out = new StringBuilder();

    private Markdown() {}

    static String of(Page page) {
        Markdown markdown = new Markdown();
        markdown.out.append("# ").append(escape(page.title())).append("\n\n");
        page.blocks().forEach(markdown::block);
        return markdown.out.toString();
    }

    /// Text that means itself, on one line.
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            switch (each) {
                case '\\', '`', '*', '[', ']', '|', '~', '$' -> escaped.append('\\').append(each);
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '_' -> escaped.append(withinWord(text, i) ? "_" : "\\_");
                case '#', '+', '-' -> escaped.append(i == 0 ? "\\" : "").append(each);
                default -> escaped.append(Character.isISOControl(each) ? ' ' : each);
            }
        }
        return escaped.toString();
    }

    private static boolean withinWord(String text, int at) {
        return at > 0
                && at + 1 < text.length()
                && Character.isLetterOrDigit(text.charAt(at - 1))
                && Character.isLetterOrDigit(text.charAt(at + 1));
    }

    private void block(Block block) {
        switch (block) {
            case Page.Heading heading ->
                    out.append("#".repeat(heading.level()))
                            .append(' ')
                            .append(escape(heading.text()))
                            .append("\n\n");
            case Page.Text text -> out.append(spans(text.spans())).append("\n\n");
            case Page.Notice notice ->
                    out.append("> **Note:** ").append(spans(notice.spans())).append("\n\n");
            case Page.Items items -> items(items);
            case Page.Grid grid -> grid(grid);
            case Page.Code code -> fenced(code.text());
            case Page.Folded folded -> {
                out.append("<details><summary>")
                        .append(Html.escape(folded.summary()))
                        .append("</summary>\n\n");
                folded.blocks().forEach(this::block);
                out.append("</details>\n\n");
            }
            case Page.Drawing _ -> {}
        }
    }

    private void items(Page.Items items) {
        int number = 0;
        for (List<List<Span>> item : items.items()) {
            number++;
            String mark = items.ordered() ? number + ". " : "- ";
            out.append(mark).append(lines(item, "  \n" + " ".repeat(mark.length()))).append('\n');
        }
        out.append('\n');
    }

    private void grid(Page.Grid grid) {
        row(grid.head());
        out.append('|');
        for (Cell cell : grid.head()) {
            out.append(cell.kind() == Kind.NUMBER ? " ---: |" : " --- |");
        }
        out.append('\n');
        grid.rows().forEach(this::row);
        out.append('\n');
    }

    private void row(List<Cell> cells) {
        out.append('|');
        for (Cell cell : cells) {
            String text = lines(cell.lines(), "<br>");
            boolean strong = cell.kind() == Kind.BEHIND && !text.isEmpty();
            out.append(' ').append(strong ? "**" + text + "**" : text).append(" |");
        }
        out.append('\n');
    }

    /// A fence longer than any run of backticks inside.
    private void fenced(String text) {
        String fence = "```";
        while (text.contains(fence)) {
            fence += "`";
        }
        out.append(fence).append('\n').append(text);
        out.append(text.endsWith("\n") ? "" : "\n").append(fence).append("\n\n");
    }

    private static String lines(List<List<Span>> lines, String between) {
        return lines.stream().map(Markdown::spans).collect(Collectors.joining(between));
    }

    private static String spans(List<Span> spans) {
        StringBuilder text = new StringBuilder();
        for (Span span : spans) {
            String escaped = escape(span.text());
            switch (span.look()) {
                case PLAIN, FAINT -> text.append(escaped);
                case STRONG -> text.append("**").append(escaped).append("**");
                case CODE -> text.append("<code>").append(escaped).append("</code>");
            }
        }
        return text.toString();
    }
}
