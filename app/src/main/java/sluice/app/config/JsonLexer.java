package sluice.app.config;

import org.jspecify.annotations.Nullable;
import sluice.base.config.Place;
import sluice.base.config.Shown;

/// Cuts JSON with comments (`//`, `#` and `/* */`) into tokens that know their places.
final class JsonLexer {

    /// What a token is.
    enum Token {
        OPEN_OBJECT,
        CLOSE_OBJECT,
        OPEN_LIST,
        CLOSE_LIST,
        COLON,
        COMMA,
        TEXT,
        NUMBER,
        TRUE,
        FALSE,
        NULL,
        COMMENT,
        END
    }

    private final SourceText source;
    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;

    private int start;
    private int startLine = 1;
    private int startLineStart;
    private String value = "";

    JsonLexer(SourceText source) {
        this.source = source;
        this.text = source.text();
    }

    /// Reads the next token, comments included.
    ///
    /// @throws SyntaxFault where none begins
    Token next() {
        skipBlanks();
        start = at;
        startLine = line;
        startLineStart = lineStart;
        if (at == text.length()) {
            return Token.END;
        }
        char c = text.charAt(at);
        return switch (c) {
            case '{' -> one(Token.OPEN_OBJECT);
            case '}' -> one(Token.CLOSE_OBJECT);
            case '[' -> one(Token.OPEN_LIST);
            case ']' -> one(Token.CLOSE_LIST);
            case ':' -> one(Token.COLON);
            case ',' -> one(Token.COMMA);
            case '"' -> quoted();
            case '#' -> lineComment();
            case '/' -> comment();
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> word(c);
        };
    }

    /// Where the last token begins.
    Place place() {
        return new Place(source.name(), startLine, text.codePointCount(startLineStart, start) + 1);
    }

    /// The line on which the last token begins, from 1.
    int startLine() {
        return startLine;
    }

    /// The line on which the last token ends, from 1.
    int endLine() {
        return line;
    }

    /// The last token as it is written.
    String written() {
        return text.substring(start, at);
    }

    /// The last token's value: text without quotes and escapes, a number as it is written.
    String value() {
        return value;
    }

    /// A fault at the last token.
    SyntaxFault fault(String reason, @Nullable String mend) {
        return new SyntaxFault(place(), reason, mend);
    }

    private Token one(Token token) {
        at++;
        return token;
    }

    private void skipBlanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                line++;
                lineStart = at + 1;
            } else if (c != ' ' && c != '\t' && c != '\r') {
                return;
            }
            at++;
        }
    }

    private Token lineComment() {
        while (at < text.length() && text.charAt(at) != '\n') {
            at++;
        }
        return Token.COMMENT;
    }

    private Token comment() {
        if (text.startsWith("//", at)) {
            return lineComment();
        }
        if (!text.startsWith("/*", at)) {
            throw fault("\"/\" where a value or a key is expected", "a comment begins with //");
        }
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
            throw fault("the comment that begins here does not end", "end it with */");
        }
        for (; at < end + 2; at++) {
            if (text.charAt(at) == '\n') {
                line++;
                lineStart = at + 1;
            }
        }
        return Token.COMMENT;
    }

    private Token quoted() {
        StringBuilder plain = new StringBuilder();
        at++;
        while (true) {
            char c = at < text.length() ? text.charAt(at) : '\n';
            if (c == '\n' || c == '\r') {
                throw fault("the text that begins here does not end on its line", "add a \"");
            }
            if (c == '"') {
                at++;
                value = plain.toString();
                return Token.TEXT;
            }
            if (c == '\\') {
                escape(plain);
                continue;
            }
            if (c < ' ') {
                throw faultHere("a control character in a text", "write " + Shown.plain("" + c));
            }
            plain.append(c);
            at++;
        }
    }

    private void escape(StringBuilder plain) {
        char c = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        switch (c) {
            case '"', '\\', '/' -> plain.append(c);
            case 'b' -> plain.append('\b');
            case 'f' -> plain.append('\f');
            case 'n' -> plain.append('\n');
            case 'r' -> plain.append('\r');
            case 't' -> plain.append('\t');
            case 'u' -> {
                plain.append(hexEscape());
                at += 4;
            }
            default ->
                    throw faultHere(
                            "no escape begins with \\" + Shown.plain("" + c),
                            "write \\\\ for a backslash");
        }
        at += 2;
    }

    private char hexEscape() {
        int unit = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0 || text.charAt(i) > 'f') {
                throw faultHere("\\u without four hexadecimal digits", null);
            }
            unit = unit << 4 | digit;
        }
        return (char) unit;
    }

    /// RFC 8259 §6.
    private Token number() {
        int from = at;
        if (text.charAt(at) == '-') {
            at++;
        }
        int whole = at;
        skipDigits();
        boolean isNumber = at > whole && (text.charAt(whole) != '0' || at == whole + 1);
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            int fraction = at;
            skipDigits();
            isNumber &= at > fraction;
        }
        if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
            at++;
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                at++;
            }
            int exponent = at;
            skipDigits();
            isNumber &= at > exponent;
        }
        if (!isNumber || at < text.length() && isWordCharacter(text.charAt(at))) {
            skipWord();
            throw fault(
                    Shown.quoted(text.substring(from, at)) + " is not a number",
                    "text stands in double quotes");
        }
        value = text.substring(from, at);
        return Token.NUMBER;
    }

    private Token word(char c) {
        if (c == '\'' || c == '\u201c' || c == '\u201d' || c == '\u2018' || c == '\u2019') {
            throw fault(c + " is not a quotation mark of JSON", "write \"");
        }
        int from = at;
        skipWord();
        String word = text.substring(from, at);
        return switch (word) {
            case "true" -> Token.TRUE;
            case "false" -> Token.FALSE;
            case "null" -> Token.NULL;
            case "" ->
                    throw fault(
                            "\""
                                    + Shown.plain(Character.toString(text.codePointAt(from)))
                                    + "\" belongs to nothing here",
                            "remove it");
            default ->
                    throw fault(
                            Shown.quoted(word) + " stands without quotes",
                            "text stands in double quotes");
        };
    }

    private void skipDigits() {
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
    }

    private void skipWord() {
        while (at < text.length() && isWordCharacter(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isWordCharacter(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '+';
    }

    private SyntaxFault faultHere(String reason, @Nullable String mend) {
        return new SyntaxFault(
                new Place(source.name(), line, text.codePointCount(lineStart, at) + 1),
                reason,
                mend);
    }
}
