package sluice.base.config;

/// Text from outside, made fit for a message: one line, not too long, nothing invisible.
public final class Shown {

    /// Chosen: long enough for a domain or a key in Base64, short enough for a line.
    private static final int MOST_CHARACTERS = 72;

    private Shown() {}

    /// The text in double quotes.
    public static String quoted(String text) {
        return '"' + plain(text) + '"';
    }

    /// The text without quotes. Control, format and private characters, unpaired surrogates and
    /// unusual blanks become `\n` or `\u200b`.
    public static String plain(String text) {
        return escaped(text, MOST_CHARACTERS);
    }

    /// The text as [#plain] shows it, however long it is.
    public static String whole(String text) {
        return escaped(text, Integer.MAX_VALUE);
    }

    private static String escaped(String text, int mostCharacters) {
        StringBuilder shown = new StringBuilder();
        int characters = 0;
        for (int i = 0; i < text.length(); ) {
            if (characters++ == mostCharacters) {
                return shown.append('…').toString();
            }
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '\n' -> shown.append("\\n");
                case '\r' -> shown.append("\\r");
                case '\t' -> shown.append("\\t");
                default -> {
                    if (isVisible(c)) {
                        shown.appendCodePoint(c);
                    } else {
                        for (char unit : Character.toChars(c)) {
                            shown.append("\\u").append(hex(unit));
                        }
                    }
                }
            }
        }
        return shown.toString();
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }

    private static String hex(char unit) {
        String digits = Integer.toHexString(unit);
        return "0000".substring(digits.length()) + digits;
    }
}
