package sluice.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

final class CutLinesTest {

    @Test
    void linesEndAsInTheText() throws IOException {
        CutLines lines = new CutLines(new StringReader("one\r\n\ntwo"));
        assertThat(lines.nextOrNull()).isEqualTo("one");
        assertThat(lines.nextOrNull()).isEmpty();
        assertThat(lines.nextOrNull()).isEqualTo("two");
        assertThat(lines.nextOrNull()).isNull();
    }

    @Test
    void aLineWithoutAnEndIsCut() throws IOException {
        CutLines lines = new CutLines(new Endless(100L << 20));
        assertThat(lines.nextOrNull()).isEqualTo("x".repeat(CutLines.MOST_CHARACTERS) + "…");
        assertThat(lines.nextOrNull()).isNull();
    }

    @Test
    void aLineOfJustThatLengthIsWhole() throws IOException {
        String whole = "y".repeat(CutLines.MOST_CHARACTERS);
        CutLines lines = new CutLines(new StringReader(whole + "\r\n" + whole));
        assertThat(lines.nextOrNull()).isEqualTo(whole);
        assertThat(lines.nextOrNull()).isEqualTo(whole);
    }

    private static final class Endless extends Reader {

        private long left;

        Endless(long characters) {
            this.left = characters;
        }

        @Override
        public int read() {
            return left-- > 0 ? 'x' : -1;
        }

        @Override
        public int read(char[] into, int offset, int length) {
            throw new AssertionError("read one by one");
        }

        @Override
        public void close() {}
    }
}
