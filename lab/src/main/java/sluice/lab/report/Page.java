package sluice.lab.report;

import java.util.List;

/// A page as blocks, the same for HTML and Markdown.
///
/// @param title what it is called
/// @param blocks top to bottom
record Page(String title, List<Block> blocks) {

    /// How a piece of text looks.
    enum Look {
        PLAIN,
        STRONG,
        FAINT,
        CODE
    }

    /// A piece of text.
    record Span(String text, Look look) {}

    /// What a cell of a table holds.
    enum Kind {
        /// The name of its row.
        NAME,
        TEXT,
        NUMBER,
        /// The best number of its row.
        BEST,
        LEAD,
        TIE,
        BEHIND
    }

    /// A cell of a table.
    ///
    /// @param lines each a row of spans
    record Cell(Kind kind, List<List<Span>> lines) {
        static Cell of(Kind kind, String text) {
            return new Cell(kind, List.of(List.of(plain(text))));
        }
    }

    /// A part of a page that stands alone.
    sealed interface Block {}

    /// @param level 2 or more
    record Heading(int level, String text) implements Block {}

    record Text(List<Span> spans) implements Block {}

    /// Something that a reader must not miss.
    record Notice(List<Span> spans) implements Block {}

    /// @param items each some lines
    /// @param ordered whether they are numbered
    record Items(List<List<List<Span>>> items, boolean ordered) implements Block {}

    record Grid(List<Cell> head, List<List<Cell>> rows) implements Block {}

    record Code(String text) implements Block {}

    /// Closed until somebody opens it.
    record Folded(String summary, List<Block> blocks) implements Block {}

    /// Something that only HTML shows; it is well-formed.
    record Drawing(String html) implements Block {}

    static Span plain(String text) {
        return new Span(text, Look.PLAIN);
    }

    static Span strong(String text) {
        return new Span(text, Look.STRONG);
    }

    static Span faint(String text) {
        return new Span(text, Look.FAINT);
    }

    static Span code(String text) {
        return new Span(text, Look.CODE);
    }

    static Text text(String text) {
        return new Text(List.of(plain(text)));
    }
}
