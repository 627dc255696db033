package sluice.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.lab.report.Synthetic.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.lab.bed.Case;
import sluice.lab.log.RunLog;
import sluice.lab.log.RunRecord;
import sluice.lab.log.RunRecord.Outcome;

final class CommandsTest {
    private static final Case VLESS = Case.of("protocol", "vless");
    private static final Case TROJAN = Case.of("protocol", "trojan");

    @TempDir private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void withoutFilesTheMarkdownIsPrinted() throws IOException {
        Path log = log("a.jsonl", speed("sluice", 1, 100), speed("xray", 1, 200));

        assertThat(report(log, null, null)).isZero();
        assertThat(out()).startsWith("# Sluice beside other engines\n").contains("**0.50×**");
        assertThat(err()).isEmpty();
    }

    @Test
    void theSameLogMakesTheSameFilesTwice() throws IOException {
        Path log = log("a.jsonl", Synthetic.whole(5).subList(0, 600).toArray(RunRecord[]::new));
        Path copy = Files.copy(log, folder.resolve("another name.jsonl"));

        assertThat(report(log, folder.resolve("1.html"), folder.resolve("1.md"))).isZero();
        assertThat(report(copy, folder.resolve("2.html"), folder.resolve("2.md"))).isZero();
        assertThat(folder.resolve("2.html")).hasSameBinaryContentAs(folder.resolve("1.html"));
        assertThat(folder.resolve("2.md")).hasSameBinaryContentAs(folder.resolve("1.md"));
        assertThat(out()).contains("wrote " + folder.resolve("1.html"));
    }

    @Test
    void anEmptyLogSaysWhatToRun() throws IOException {
        assertThat(report(folder.resolve("none.jsonl"), null, null)).isEqualTo(1);
        assertThat(err()).contains("no runs in this log", "sluice lab run --quick");
        assertThat(out()).isEmpty();
    }

    @Test
    void unreadableLinesAreCountedAndTheRestIsReported() throws IOException {
        Path log = log("a.jsonl", speed("sluice", 1, 100));
        Files.writeString(log, "{\"torn\": ", StandardOpenOption.APPEND);

        assertThat(report(log, null, null)).isZero();
        assertThat(err()).contains("1 line could not be read").contains("line 2: ");
        assertThat(out()).contains("could not be read", "line 2: ").doesNotContain("a.jsonl");
    }

    @Test
    void causesBesideTheLogAreReadAndThoseOfNoLossAreSaid() throws IOException {
        Path log = log("a.jsonl", speed("sluice", 1, 100), speed("xray", 1, 200));
        Files.writeString(
                folder.resolve("a.causes.tsv"),
                "# by hand\nladder\tspeed\tvless\tone copy more\nladder\tspeed\ttypo\tnothing\n");

        assertThat(report(log, null, null)).isZero();
        assertThat(out()).contains("cause: one copy more");
        assertThat(err()).contains("no loss is ladder, speed, typo").doesNotContain("vless");
    }

    @Test
    void aBrokenFileOfCausesIsRefusedWithItsLine() throws IOException {
        Path log = log("a.jsonl", speed("sluice", 1, 100));
        Files.writeString(folder.resolve("a.causes.tsv"), "ladder speed vless text\n");

        assertThat(report(log, null, null)).isEqualTo(1);
        assertThat(err()).contains("a.causes.tsv:1: 1 fields");
    }

    @Test
    void aFileThatCannotBeWrittenIsAFailure() throws IOException {
        Path log = log("a.jsonl", speed("sluice", 1, 100));

        assertThat(report(log, folder.resolve("no/folder.html"), null)).isEqualTo(1);
        assertThat(err()).contains("folder.html");
    }

    @Test
    void twoLogsAreComparedByTheFiguresOfBThroughThoseOfA() throws IOException {
        Path a =
                log(
                        "a.jsonl",
                        speed("sluice", 1, 99),
                        speed("sluice", 2, 101),
                        speed("xray", 1, 100),
                        speed("xray", 2, 200),
                        run("ladder", TROJAN, "sluice").value("speed", 1).record(9));
        Path b =
                log(
                        "b.jsonl",
                        speed("sluice", 1, 199),
                        speed("sluice", 2, 201),
                        speed("xray", 1, 300),
                        speed("xray", 2, 150),
                        speed("mihomo", 1, 7));

        assertThat(compare(a, b)).isZero();
        assertThat(out())
                .contains(
                        "| VLESS | sluice | 100<br>99.0–101 | 200<br>199–201 | 2.00×<br>1.88–2.13× |"
                                + " better |")
                .contains("the same within the noise")
                .containsSubsequence("## Only in A", "Trojan + TLS, sluice")
                .containsSubsequence("## Only in B", "VLESS, mihomo")
                .contains("| cpu | Example CPU, 8 cores | the same |");
    }

    @Test
    void aLogOfTwoMachinesIsNotCompared() throws IOException {
        Path a = log("a.jsonl", speed("sluice", 1, 1));
        Path b =
                log(
                        "b.jsonl",
                        speed("sluice", 1, 1),
                        run("ladder", VLESS, "sluice").cpu("other").value("speed", 1).record(2));

        assertThat(compare(a, b)).isEqualTo(1);
        assertThat(err()).contains("b.jsonl: has runs of 2 machines");
    }

    @Test
    void aLogWithoutFiguresIsComparedWithoutComplaint() throws IOException {
        Path a = log("a.jsonl", run("ladder", VLESS, "sluice").failed("x").record(1));
        Path b =
                log(
                        "b.jsonl",
                        run("ladder", VLESS, "sluice").outcome(Outcome.UNSUPPORTED).record(1));

        assertThat(compare(a, b)).isZero();
        assertThat(out()).contains("Machines and versions").doesNotContain("B / A");
    }

    private static RunRecord speed(String engine, int round, double figure) {
        return run("ladder", VLESS, engine).round(round).value("speed", figure).record(round);
    }

    private Path log(String name, RunRecord... runs) throws IOException {
        Path file = folder.resolve(name);
        RunLog log = new RunLog(file);
        if (runs.length < 50) {
            for (RunRecord run : runs) {
                log.append(run);
            }
        } else {
            Files.write(file, List.of(runs).stream().map(RunRecord::toLine).toList());
        }
        return file;
    }

    private int report(Path log, @Nullable Path html, @Nullable Path markdown) {
        return ReportCommand.run(
                new ReportCommand.Request(log, html, markdown, null),
                Synthetic.CATALOGUE,
                stream(out),
                stream(err));
    }

    private int compare(Path a, Path b) {
        return CompareCommand.run(a, b, Synthetic.CATALOGUE, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
