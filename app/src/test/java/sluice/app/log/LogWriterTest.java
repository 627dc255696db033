package sluice.app.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.testkit.Eventually;

final class LogWriterTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir private Path directory;

    @Test
    void writesLinesInTheirOrder() throws IOException {
        Path file = directory.resolve("a.log");
        LogWriter writer = new LogWriter(Output.file(file), Output.standardError());
        for (int i = 0; i < 1000; i++) {
            writer.offer(line("line " + i));
        }
        writer.close(20_000);
        assertThat(Files.readAllLines(file)).hasSize(1000);
        assertThat(Files.readAllLines(file).get(7)).isEqualTo("INFO  test: line 7");
    }

    @Test
    void foldsALineThatComesAgainAndAgain() throws IOException {
        Path file = directory.resolve("a.log");
        LogWriter writer = new LogWriter(Output.file(file), Output.standardError());
        for (int i = 0; i < 5; i++) {
            writer.offer(line("same"));
        }
        writer.offer(line("other"));
        writer.offer(line("other"));
        writer.close(20_000);
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "INFO  test: same",
                        "INFO  test: same (repeated 4 times)",
                        "INFO  test: other",
                        "INFO  test: other (repeated 1 time)");
    }

    @Test
    void aLineBehindATornOneBeginsALineOfItsOwn() throws IOException {
        Path file = directory.resolve("a.log");
        Files.createSymbolicLink(file, Path.of("/dev/full"));
        Output output = Output.file(file);
        assertThatThrownBy(() -> output.write("one\n")).isInstanceOf(IOException.class);
        output.close();
        Files.delete(file);
        Files.writeString(file, "zero\non");
        output.write("two\n");
        output.write("three\n");
        output.close();
        assertThat(Files.readAllLines(file)).containsExactly("zero", "on", "two", "three");
    }

    @Test
    void writesToTheNewFileAfterTheOldOneWasMovedAway() throws IOException {
        Path file = directory.resolve("a.log");
        Path old = directory.resolve("a.log.1");
        LogWriter writer = new LogWriter(Output.file(file), Output.standardError());
        writer.offer(line("one"));
        Eventually.await(SOON, () -> "the first line", () -> linesOf(file) == 1);
        Files.move(file, old);
        writer.offer(line("two"));
        Eventually.await(SOON, () -> "the second line", () -> linesOf(old) == 2);
        writer.reopen();
        writer.offer(line("three"));
        writer.close(20_000);
        assertThat(Files.readString(old)).contains("one", "two");
        assertThat(Files.readString(file)).isEqualTo("INFO  test: three\n");
    }

    @Test
    void changesItsOutput() throws IOException {
        LogWriter writer =
                new LogWriter(Output.file(directory.resolve("a")), Output.standardError());
        writer.offer(line("one"));
        Eventually.await(SOON, () -> "the first line", () -> linesOf(directory.resolve("a")) == 1);
        writer.writeTo(Output.file(directory.resolve("b")));
        writer.offer(line("two"));
        writer.close(20_000);
        assertThat(directory.resolve("a")).hasContent("INFO  test: one\n");
        assertThat(directory.resolve("b")).hasContent("INFO  test: two\n");
    }

    @Test
    void nobodyWaitsForAPipeThatNobodyReads() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        LogWriter writer = new LogWriter(Output.file(pipe), Output.standardError());
        long before = System.nanoTime();
        for (int i = 0; i < 50_000; i++) {
            writer.offer(line("line " + i));
        }
        writer.close(100);
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(10));
        // Somebody reads at last: what waited comes, and how many did not.
        Process reader = new ProcessBuilder("cat", pipe.toString()).start();
        String read = new String(reader.getInputStream().readAllBytes());
        assertThat(read).startsWith("INFO  test: line 0\n");
        assertThat(read).containsPattern("WARN  log: [0-9]{5} lines could not be written\n$");
        assertThat(read.lines().count()).isLessThanOrEqualTo(LogWriter.MOST_WAITING + 3L);
    }

    @Test
    void whatAFullDiskDoesNotTakeGoesToTheLastResort() throws IOException {
        Path last = directory.resolve("last");
        LogWriter writer = new LogWriter(Output.file(Path.of("/dev/full")), Output.file(last));
        for (int i = 0; i < 100; i++) {
            writer.offer(line("line " + i));
        }
        writer.close(20_000);
        assertThat(Files.readAllLines(last)).hasSize(101);
        assertThat(Files.readAllLines(last).getFirst())
                .startsWith("ERROR log: cannot write the log to /dev/full: ")
                .endsWith("; it goes to " + last + " until that can be written");
        assertThat(Files.readAllLines(last).getLast()).isEqualTo("INFO  test: line 99");
    }

    @Test
    void itWritesToItsFileAsSoonAsThatCanBeWritten() throws IOException {
        Path folder = directory.resolve("logs");
        Path file = folder.resolve("a.log");
        Path last = directory.resolve("last");
        LogWriter writer = new LogWriter(Output.file(file), Output.file(last));
        writer.offer(line("one"));
        Eventually.await(SOON, () -> "the last resort", () -> linesOf(last) == 2);
        Files.createDirectory(folder);
        writer.offer(line("two"));
        Eventually.await(SOON, () -> "the file", () -> linesOf(file) == 1);
        writer.close(20_000);
        assertThat(Files.readAllLines(last).getFirst())
                .contains("there is no folder " + folder + ";");
        assertThat(file).hasContent("INFO  test: two\n");
    }

    @Test
    void whatNobodyTakesIsCountedAndStopsNothing() {
        Output full = Output.file(Path.of("/dev/full"));
        LogWriter writer = new LogWriter(full, full);
        for (int i = 0; i < 100; i++) {
            writer.offer(line("line " + i));
        }
        long before = System.nanoTime();
        writer.close(20_000);
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(15));
    }

    @Test
    void peersCannotWriteLinesOfTheirOwn() {
        Line line =
                new Line(
                        Line.NO_TIME,
                        Level.DEBUG,
                        "flow",
                        "host a\n2026-01-01 INFO fake\r\u001b[31m\u2028x",
                        null);
        assertThat(line.toText(""))
                .isEqualTo("DEBUG flow: host a\n    2026-01-01 INFO fake\\u001b[31m\\u2028x\n");
    }

    @Test
    void aLineBeginsWithTheTimeInUtc() {
        assertThat(new Line(1_796_060_401_007L, Level.WARNING, "x", "m", null).toText(""))
                .isEqualTo("2026-11-30T17:40:01.007Z WARN  x: m\n");
        assertThat(new Line(-1, Level.ERROR, "x", "m", null).toText(""))
                .isEqualTo("1969-12-31T23:59:59.999Z ERROR x: m\n");
    }

    @Test
    void aThrowableIsShownWithItsStack() {
        Line line =
                new Line(Line.NO_TIME, Level.ERROR, "x", "broke", new IllegalStateException("why"));
        assertThat(line.toText(""))
                .startsWith(
                        "ERROR x: broke\n    java.lang.IllegalStateException: why\n        at ");
    }

    private static Line line(String message) {
        return new Line(Line.NO_TIME, Level.INFO, "test", message, null);
    }

    private static long linesOf(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
