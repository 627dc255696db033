package sluice.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Settings;
import sluice.lab.engine.Installed;
import sluice.lab.log.RunLog;
import sluice.lab.log.RunRecord;
import sluice.lab.log.RunRecord.Outcome;

final class RunnerTest {
    private static final Settings ONCE = new Settings("full", 1, 0, 1, Set.of());
    private static final List<Bed> BEDS = List.of(new FakeBed(60));

    @TempDir private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private RunLog log;

    @BeforeEach
    void open() {
        log = new RunLog(folder.resolve("log.jsonl"));
    }

    @Test
    void writesALineForEachJobWithAllThatTookPart() throws Exception {
        assertThat(run(FakeEngine.good("a"), FakeEngine.good("without"))).isTrue();
        assertThat(lines())
                .containsExactly(
                        "one a OK",
                        "one without UNSUPPORTED",
                        "two a OK",
                        "two without UNSUPPORTED");
        RunRecord line = log.read().records().getFirst();
        assertThat(line.values()).containsEntry("speed", 1.0);
        assertThat(line.configs().toString()).contains("engine.conf=name=a");
        assertThat(line.exits()).containsEntry("under test", "stopped: 143");
        assertThat(line.machine()).containsKeys("cpu", "sysctls", "busy_share", "load_average");
        assertThat(line.version()).isEqualTo("1.0");
    }

    @Test
    void aCrashedEngineIsALineWithItsLastWordsAndTheRunGoesOn() throws Exception {
        Installed crashes =
                FakeEngine.installed("crashes", "echo address already in use >&2; exit 7");
        assertThat(run(crashes, FakeEngine.good("b"))).isTrue();
        assertThat(lines())
                .containsExactly(
                        "one crashes FAILED", "one b OK", "two crashes FAILED", "two b OK");
        RunRecord line = log.read().records().getFirst();
        assertThat(line.reason()).isEqualTo("ended with 7: address already in use");
        assertThat(line.exits()).containsEntry("under test", "7");
        assertThat(said()).contains("failed: ended with 7");
    }

    @Test
    void aHangingEngineThatIgnoresTermIsEndedAndTheRunGoesOn() throws Exception {
        Installed hangs =
                FakeEngine.installed("endless", "trap '' TERM; while :; do sleep 0.05; done");
        assertThat(run(hangs, FakeEngine.good("b"))).isTrue();
        RunRecord line = log.read().records().getFirst();
        assertThat(line.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(line.reason()).startsWith("hung");
        assertThat(line.exits()).containsEntry("under test", "stopped: 137");
        assertThat(lines()).contains("one b OK", "two b OK");
    }

    @Test
    void anEngineThatCannotBeStartedIsALine() throws Exception {
        Installed gone =
                new Installed(
                        new FakeEngine("gone", ""),
                        Map.of("sh", Path.of("/no/such/program")),
                        "",
                        "");
        assertThat(run(gone, FakeEngine.good("b"))).isTrue();
        assertThat(lines()).contains("one gone FAILED", "one b OK");
    }

    @Test
    void aFigureThatIsNoNumberIsAFailure() throws Exception {
        run(FakeEngine.good("nothing"));
        assertThat(log.read().records().getFirst().reason()).isEqualTo("speed is NaN");
        assertThat(log.read().complaints()).isEmpty();
    }

    @Test
    void leavesOutWhatTheLogHoldsOfTheSameBinary() throws Exception {
        run(FakeEngine.good("a"), FakeEngine.good("without"));
        run(FakeEngine.good("a"), FakeEngine.good("without"));
        assertThat(lines()).hasSize(4);
        assertThat(said()).contains("4 of 4 are in");
        Installed a = FakeEngine.good("a");
        run(new Installed(a.engine(), a.programs(), "1.1", "another"));
        assertThat(lines()).hasSize(6);
    }

    @Test
    void measuresAgainBesideAnotherReference() throws Exception {
        List<Installed> engines = List.of(FakeEngine.good("a"));
        Plan plan = Plan.of(BEDS, engines, ONCE);
        runner(ONCE, log).run(plan);
        runner(ONCE, log, FakeEngine.good("other")).run(plan);
        assertThat(log.read().records())
                .extracting(RunRecord::settings)
                .containsExactly(
                        ONCE.text() + ", beside reference",
                        ONCE.text() + ", beside reference",
                        ONCE.text() + ", beside other",
                        ONCE.text() + ", beside other");
    }

    @Test
    void aFullDiskEndsTheRunBeforeMoreIsMeasured() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        String[] mount = {"mount", "-t", "tmpfs", "-o", "size=128k", "lab", disk.toString()};
        Assumptions.assumeTrue(succeeds(mount), "may mount a small disk");
        try {
            Path fill = disk.resolve("fill");
            String fills = "head -c 999999 /dev/zero > " + fill;
            assertEndsAfterOneJob(new RunLog(disk.resolve("log.jsonl")), fills, "No space left");
            assertThat(disk.resolve("log.jsonl")).isEmptyFile();
        } finally {
            assertThat(succeeds("umount", disk.toString())).isTrue();
        }
    }

    @Test
    void aLogWhoseFolderVanishesEndsTheRunBeforeMoreIsMeasured() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        assertEndsAfterOneJob(
                new RunLog(home.resolve("log.jsonl")), "rm -r " + home, "does not exist");
    }

    private void assertEndsAfterOneJob(RunLog to, String spoils, String says) throws IOException {
        Path seen = folder.resolve("seen");
        Installed engine =
                FakeEngine.installed(
                        "spoils", "echo x >> " + seen + "; " + spoils + "; exec sleep 300");
        assertThatThrownBy(() -> runner(ONCE, to).run(Plan.of(BEDS, List.of(engine), ONCE)))
                .isInstanceOf(Runner.LogFault.class)
                .hasMessageContaining(to.file().toString())
                .hasMessageContaining(says);
        assertThat(Files.readAllLines(seen)).hasSize(1);
    }

    private static boolean succeeds(String... command) throws Exception {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException none) {
            return false;
        }
    }

    @Test
    void aLogThatCannotBeWrittenEndsTheRunAtOnce() {
        assertThatThrownBy(() -> runner(ONCE, new RunLog(folder.resolve("none/log"))))
                .isInstanceOf(Runner.LogFault.class)
                .hasMessageContaining("its folder does not exist");
    }

    @Test
    void repeatsOnlyWhatIsUnclearAndGivesUp() throws Exception {
        List<Installed> engines = List.of(FakeEngine.good("a"), FakeEngine.good("without"));
        Runner runner = runner(ONCE, log);
        runner.run(Plan.of(BEDS, engines, ONCE));
        Clarity twoIsUnclear =
                (table, row) -> {
                    assertThat(table.subject()).isEqualTo("a");
                    return row.each().label("kind").equals("one");
                };
        runner.runUntilClear(BEDS, engines, new Runner.UntilClear(twoIsUnclear, "a", 3));
        assertThat(log.read().records())
                .filteredOn(each -> each.round() > 1)
                .extracting(each -> each.each() + " " + each.engine() + " " + each.round())
                .containsExactly("two a 2", "two a 3");
    }

    @Test
    void aStoppedRunWritesNothingMore() throws Exception {
        Runner runner = runner(ONCE, log);
        Thread.ofVirtual()
                .start(() -> {
                    while (log.file().toFile().length() == 0) {
                        Thread.onSpinWait();
                    }
                    runner.stop();
                });
        List<Installed> engines = List.of(FakeEngine.good("a"), FakeEngine.good("b"));
        Settings often = new Settings("full", 1, 0, 100, Set.of());
        assertThat(runner.run(Plan.of(BEDS, engines, often))).isFalse();
        long size = Files.size(log.file());
        assertThat(log.read().records()).hasSizeBetween(1, 10);
        Thread.sleep(100);
        assertThat(Files.size(log.file())).isEqualTo(size);
    }

    private boolean run(Installed... engines) throws Exception {
        return runner(ONCE, log).run(Plan.of(BEDS, List.of(engines), ONCE));
    }

    private Runner runner(Settings settings, RunLog to) throws IOException {
        return runner(settings, to, FakeEngine.good("reference"));
    }

    private Runner runner(Settings settings, RunLog to, Installed reference) throws IOException {
        Runner.Setup setup =
                new Runner.Setup(
                        "lab 1",
                        settings,
                        to,
                        folder.resolve("work"),
                        folder,
                        folder,
                        reference,
                        Duration.ofMillis(600),
                        Duration.ofMillis(5));
        return new Runner(setup, new PrintStream(printed, true, StandardCharsets.UTF_8), false);
    }

    private List<String> lines() throws IOException {
        return log.read().records().stream()
                .map(each -> each.each() + " " + each.engine() + " " + each.outcome())
                .toList();
    }

    private String said() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
