package sluice.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import sluice.lab.report.Page.Block;
import sluice.lab.report.Page.Cell;
import sluice.lab.report.Page.Kind;
import sluice.lab.report.Page.Span;

/// A page as HTML that is XML as well, complete in one file: no script, nothing from elsewhere.
final class Html {
    private final StringBuilder out = new StringBuilder();

    private Html() {}

    static String of(Page page) {
        Html html = new Html();
        html.out
                .append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>")
                .append("\n<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>")
                .append(escape(page.title()))
                .append("</title>\n<style>\n")
                .append(style())
                .append("</style>\n</head>\n<body>\n<main>\n<h1>")
                .append(escape(page.title()))
                .append("</h1>\n");
        page.blocks().forEach(html::block);
        html.out.append("</main>\n</body>\n</html>\n");
        return html.out.toString();
    }

    /// Text as it may stand between tags and in quoted attributes. What no XML document may hold
    /// becomes a replacement character.
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(point -> {
                    switch (point) {
                        case '&' -> escaped.append("&amp;");
                        case '<' -> escaped.append("&lt;");
                        case '>' -> escaped.append("&gt;");
                        case '"' -> escaped.append("&quot;");
                        case '\'' -> escaped.append("&#39;");
                        default -> escaped.appendCodePoint(isXml(point) ? point : 0xFFFD);
                    }
                });
        return escaped.toString();
    }

    private static boolean isXml(int point) {
        return point == '\t'
                || point == '\n'
                || (point >= 0x20 && point < 0x7F)
                || (point >= 0xA0 && point < 0xD800)
                || (point >= 0xE000 && point < 0xFFFE)
                || point >= 0x10000;
    }

    private static String style() {
        try (InputStream in = Html.class.getResourceAsStream("page.css")) {
            return new String(
                    Objects.requireNonNull(in, "page.css").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void block(Block block) {
        switch (block) {
            case Page.Heading heading -> {
                String tag = "h" + heading.level();
                tag(tag, "", heading.text());
            }
            case Page.Text text -> {
                out.append("<p>");
                spans(text.spans());
                out.append("</p>\n");
            }
            case Page.Notice notice -> {
                out.append("<p class=\"notice\">");
                spans(notice.spans());
                out.append("</p>\n");
            }
            case Page.Items items -> items(items);
            case Page.Grid grid -> grid(grid);
            case Page.Code code -> tag("pre", " tabindex=\"0\"", code.text());
            case Page.Folded folded -> {
                out.append("<details>\n");
                tag("summary", "", folded.summary());
                folded.blocks().forEach(this::block);
                out.append("</details>\n");
            }
            case Page.Drawing drawing -> out.append(drawing.html());
        }
    }

    private void tag(String tag, String attributes, String text) {
        out.append('<').append(tag).append(attributes).append('>');
        out.append(escape(text)).append("</").append(tag).append(">\n");
    }

    private void items(Page.Items items) {
        String tag = items.ordered() ? "ol" : "ul";
        out.append('<').append(tag).append(">\n");
        for (List<List<Span>> item : items.items()) {
            out.append("<li>");
            lines(item);
            out.append("</li>\n");
        }
        out.append("</").append(tag).append(">\n");
    }

    private void grid(Page.Grid grid) {
        out.append("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>");
        for (Cell cell : grid.head()) {
            out.append("<th scope=\"col\"").append(kind(cell)).append('>');
            lines(cell.lines());
            out.append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        for (List<Cell> row : grid.rows()) {
            out.append("<tr>");
            for (Cell cell : row) {
                String tag = cell.kind() == Kind.NAME ? "th" : "td";
                out.append('<').append(tag);
                out.append(cell.kind() == Kind.NAME ? " scope=\"row\"" : "");
                out.append(kind(cell)).append('>');
                lines(cell.lines());
                out.append("</").append(tag).append('>');
            }
            out.append("</tr>\n");
        }
        out.append("</tbody>\n</table></div>\n");
    }

    private static String kind(Cell cell) {
        return switch (cell.kind()) {
            case NAME -> " class=\"name\"";
            case TEXT -> "";
            case NUMBER -> " class=\"number\"";
            case BEST -> " class=\"number best\"";
            case LEAD -> " class=\"lead\"";
            case TIE -> " class=\"tie\"";
            case BEHIND -> " class=\"behind\"";
        };
    }

    private void lines(List<List<Span>> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (i > 0) {
                out.append("<br/>");
            }
            spans(lines.get(i));
        }
    }

    private void spans(List<Span> spans) {
        for (Span span : spans) {
            String text = escape(span.text());
            switch (span.look()) {
                case PLAIN -> out.append(text);
                case STRONG -> out.append("<b>").append(text).append("</b>");
                case FAINT -> out.append("<small>").append(text).append("</small>");
                case CODE -> out.append("<code>").append(text).append("</code>");
            }
        }
    }
}
