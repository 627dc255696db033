package sluice.app.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.app.config.JsonLexer.Token;

/// Lays JSON out anew, with its comments: two blanks a level, one key a line, lists of scalars on
/// one line where they fit. Formatting what it wrote changes nothing.
final class JsonFormatter {

    private static final int WIDTH = 100;

    /// A value with what is written around it.
    private static final class Piece {
        /// Comments on lines of their own above it; an empty text is an empty line.
        final List<String> above = new ArrayList<>();

        /// Comments behind it on its last line.
        final List<String> behind = new ArrayList<>();

        @Nullable String key;
        String scalar = "";
        char open;
        final List<Piece> children = new ArrayList<>();

        /// Comments below the last child.
        final List<String> below = new ArrayList<>();
    }

    private final JsonLexer lexer;
    private final StringBuilder out = new StringBuilder();
    private Token token = Token.END;
    private List<String> comments = new ArrayList<>();
    private int lastLine = 1;
    private @Nullable Piece last;

    private JsonFormatter(SourceText source) {
        lexer = new JsonLexer(source);
    }

    /// The text in its new layout.
    ///
    /// @throws SyntaxFault where it is not JSON
    static String format(SourceText source) {
        JsonReader.read(source);
        JsonFormatter formatter = new JsonFormatter(source);
        formatter.advance();
        dropBlankLines(formatter.comments);
        Piece root = formatter.piece(false);
        formatter.writeComments(root.above, 0);
        formatter.write(root, 0, false);
        formatter.out.append('\n');
        dropBlankLines(formatter.comments.reversed());
        formatter.writeComments(formatter.comments, 0);
        return formatter.out.toString();
    }

    /// Goes to the next token that is no comment. A comment on the line where the last piece ended
    /// belongs to that piece, the others to what follows.
    private void advance() {
        int before = lexer.endLine();
        while (true) {
            token = lexer.next();
            if (token != Token.COMMENT) {
                if (comments.isEmpty()) {
                    addBlankLine(before);
                }
                return;
            }
            String comment = lexer.written().stripTrailing();
            if (last != null && lexer.startLine() == lastLine && comments.isEmpty()) {
                last.behind.add(comment);
                lastLine = lexer.endLine();
            } else {
                addBlankLine(before);
                comments.add(comment);
            }
            before = lexer.endLine();
        }
    }

    /// Keeps one of the empty lines between the line `before` and the present token.
    private void addBlankLine(int before) {
        if (lexer.startLine() > before + 1
                && (comments.isEmpty() || !comments.getLast().isEmpty())) {
            comments.add("");
        }
    }

    private List<String> takeComments() {
        List<String> taken = comments;
        comments = new ArrayList<>();
        return taken;
    }

    /// Reads the value at the present token, or the key and the value behind it. Comments between
    /// the two move above the key.
    private Piece piece(boolean keyed) {
        Piece piece = new Piece();
        piece.above.addAll(takeComments());
        if (keyed) {
            piece.key = lexer.written();
            last = null;
            advance();
            advance();
            List<String> between = takeComments();
            between.removeIf(String::isEmpty);
            piece.above.addAll(between);
        }
        if (token == Token.OPEN_OBJECT || token == Token.OPEN_LIST) {
            container(piece);
        } else {
            piece.scalar = lexer.written();
        }
        last = piece;
        lastLine = lexer.endLine();
        advance();
        return piece;
    }

    private void container(Piece piece) {
        piece.open = token == Token.OPEN_OBJECT ? '{' : '[';
        last = null;
        advance();
        dropBlankLines(comments);
        while (token != Token.CLOSE_OBJECT && token != Token.CLOSE_LIST) {
            piece.children.add(piece(piece.open == '{'));
            if (token == Token.COMMA) {
                advance();
            }
        }
        piece.below.addAll(takeComments());
        dropBlankLines(piece.below.reversed());
    }

    /// Drops empty lines at the head.
    private static void dropBlankLines(List<String> lines) {
        while (!lines.isEmpty() && lines.getFirst().isEmpty()) {
            lines.removeFirst();
        }
    }

    private void write(Piece piece, int level, boolean comma) {
        if (piece.key != null) {
            out.append(piece.key).append(": ");
        }
        String line = oneLine(piece, level);
        if (line != null) {
            out.append(line);
        } else {
            out.append(piece.open).append('\n');
            for (int i = 0; i < piece.children.size(); i++) {
                Piece child = piece.children.get(i);
                writeComments(child.above, level + 1);
                indent(level + 1);
                write(child, level + 1, i < piece.children.size() - 1);
                out.append('\n');
            }
            writeComments(piece.below, level + 1);
            indent(level);
            out.append(piece.open == '{' ? '}' : ']');
        }
        if (comma) {
            out.append(',');
        }
        for (String comment : piece.behind) {
            out.append(' ').append(comment);
        }
    }

    /// A scalar, an empty container, or a short list of scalars; else null.
    private @Nullable String oneLine(Piece piece, int level) {
        if (piece.open == 0) {
            return piece.scalar;
        }
        if (!piece.below.isEmpty()) {
            return null;
        }
        if (piece.children.isEmpty()) {
            return piece.open == '{' ? "{}" : "[]";
        }
        if (piece.open == '{') {
            return null;
        }
        StringBuilder line = new StringBuilder("[");
        for (Piece child : piece.children) {
            if (child.open != 0 || !child.behind.isEmpty() || !child.above.isEmpty()) {
                return null;
            }
            line.append(line.length() == 1 ? "" : ", ").append(child.scalar);
        }
        int keyLength = piece.key == null ? 0 : piece.key.length() + 2;
        return 2 * level + keyLength + line.length() + 2 > WIDTH
                ? null
                : line.append(']').toString();
    }

    private void writeComments(List<String> lines, int level) {
        for (String line : lines) {
            if (!line.isEmpty()) {
                indent(level);
            }
            out.append(line).append('\n');
        }
    }

    private void indent(int level) {
        out.append("  ".repeat(level));
    }
}
