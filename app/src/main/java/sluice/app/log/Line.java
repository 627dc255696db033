package sluice.app.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/// One thing to write down.
///
/// @param epochMillis when it happened, or [#NO_TIME] for a line without time
/// @param level how bad it is
/// @param logger who says it
/// @param message what it says
/// @param thrown shown with its stack, or null
record Line(
        long epochMillis, Level level, String logger, String message, @Nullable Throwable thrown) {

    /// No time at the head of the line.
    static final long NO_TIME = Long.MIN_VALUE;

    /// Whether the other line says the same, at another time.
    boolean saysTheSameAs(@Nullable Line other) {
        return other != null
                && other.level == level
                && other.message.equals(message)
                && other.logger.equals(logger)
                && other.thrown == null
                && thrown == null;
    }

    /// The text to write, with a line end. Later lines of a message are indented, and what a
    /// terminal would obey is escaped, so that no peer can write lines of its own into the log.
    ///
    /// @param tail put behind the message
    String toText(String tail) {
        StringBuilder text = new StringBuilder(message.length() + 64);
        if (epochMillis != NO_TIME) {
            appendTime(text);
            text.append(' ');
        }
        text.append(word());
        text.append(' ').append(logger).append(": ");
        appendEscaped(message, text);
        text.append(tail).append('\n');
        if (thrown != null) {
            StringWriter stack = new StringWriter();
            thrown.printStackTrace(new PrintWriter(stack, true));
            text.append("    ");
            appendEscaped(stack.toString().strip(), text);
            text.append('\n');
        }
        return text.toString();
    }

    /// Five letters, so that the rest stands in columns.
    private String word() {
        return switch (level) {
            case TRACE, ALL -> "TRACE";
            case DEBUG -> "DEBUG";
            case INFO -> "INFO ";
            case WARNING -> "WARN ";
            case ERROR, OFF -> "ERROR";
        };
    }

    private void appendTime(StringBuilder text) {
        LocalDateTime time =
                LocalDateTime.ofEpochSecond(
                        Math.floorDiv(epochMillis, 1000),
                        (int) Math.floorMod(epochMillis, 1000L) * 1_000_000,
                        ZoneOffset.UTC);
        text.append(time.getYear());
        two('-', time.getMonthValue(), text);
        two('-', time.getDayOfMonth(), text);
        two('T', time.getHour(), text);
        two(':', time.getMinute(), text);
        two(':', time.getSecond(), text);
        int millis = time.getNano() / 1_000_000;
        text.append('.').append((char) ('0' + millis / 100));
        text.append((char) ('0' + millis / 10 % 10)).append((char) ('0' + millis % 10)).append('Z');
    }

    private static void two(char before, int value, StringBuilder text) {
        text.append(before).append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
    }

    private static void appendEscaped(String message, StringBuilder text) {
        for (int i = 0; i < message.length(); i++) {
            char c = message.charAt(i);
            if (c == '\n') {
                text.append("\n    ");
            } else if (c == '\t') {
                text.append("    ");
            } else if (c < ' ' && c != '\r'
                    || c >= 0x7f && c < 0xa0
                    || c == 0x2028
                    || c == 0x2029) {
                text.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    text.append(Character.forDigit(c >> shift & 15, 16));
                }
            } else if (c != '\r') {
                text.append(c);
            }
        }
    }
}
