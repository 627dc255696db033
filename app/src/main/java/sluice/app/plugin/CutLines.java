package sluice.app.plugin;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/// The lines of somebody else's text, each cut to a length that memory bears: a program may print
/// without end and without a line end.
final class CutLines {

    /// Chosen: a page of text; longer lines are cut, and end in `…`.
    static final int MOST_CHARACTERS = 4096;

    private final Reader text;

    /// @param text read one character at a time, so it should be buffered; not closed here
    CutLines(Reader text) {
        this.text = text;
    }

    /// The next line without its end, or null behind the last one.
    @Nullable String nextOrNull() throws IOException {
        int c = text.read();
        if (c < 0) {
            return null;
        }
        StringBuilder line = new StringBuilder();
        boolean isCut = false;
        while (c >= 0 && c != '\n') {
            if (line.length() < MOST_CHARACTERS) {
                line.append((char) c);
            } else {
                isCut |= c != '\r';
            }
            c = text.read();
        }
        int last = line.length() - 1;
        if (isCut) {
            line.append('…');
        } else if (last >= 0 && line.charAt(last) == '\r') {
            line.setLength(last);
        }
        return line.toString();
    }
}
