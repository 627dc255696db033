package sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.log.RunLog;
import sluice.testkit.Eventually;

/// The lab as a process that is ended in the middle of a run.
final class InterruptionTest {

    @TempDir private Path folder;

    private Process lab;

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void leavesNoProcessAndHalfALineNowhere(String signal) throws Exception {
        start("9");
        awaitLines(2);
        awaitEngine();
        new ProcessBuilder("kill", "-" + signal, Long.toString(lab.pid())).start().waitFor();
        assertThat(lab.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(lab.exitValue()).isEqualTo(130);
        assertThat(left()).isEmpty();
        assertThat(log().read().complaints()).isEmpty();
        assertThat(Files.readString(folder.resolve("err"))).contains("goes on from here");
    }

    @Test
    void goesOnAfterAKillAndATornLine() throws Exception {
        start("2");
        awaitLines(2);
        awaitEngine();
        lab.destroyForcibly().waitFor();
        assertThat(left()).contains("sleep 301", "sleep 302", "sleep 303");
        Files.writeString(log().file(), "{\"schema\":1,\"ti", StandardOpenOption.APPEND);

        start("2");
        assertThat(lab.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(folder.resolve("err")))
                .contains("that an interrupted run had left", "are in", "skipped");
        assertThat(lab.exitValue()).isZero();
        assertThat(left()).isEmpty();
        assertThat(log().read().complaints()).hasSize(1);
        assertThat(log().read().records())
                .extracting(each -> each.each() + " " + each.engine() + " " + each.round())
                .hasSize(8)
                .doesNotHaveDuplicates();
    }

    private void start(String rounds) throws IOException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        // A lab that is killed leaves its folder behind.
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        FakeLab.class.getName(),
                        "run",
                        "--quick",
                        "--rounds",
                        rounds,
                        "--log",
                        log().file().toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("INTERRUPTION_TEST", folder.toString());
        lab =
                builder.redirectOutput(folder.resolve("out").toFile())
                        .redirectError(folder.resolve("err").toFile())
                        .start();
    }

    private RunLog log() {
        return new RunLog(folder.resolve("log.jsonl"));
    }

    private void awaitLines(int count) {
        Eventually.await(
                Duration.ofSeconds(20),
                () -> "the log has too few lines",
                () -> {
                    try {
                        return log().read().records().size() >= count;
                    } catch (IOException unreadable) {
                        return false;
                    }
                });
    }

    private void awaitEngine() {
        Eventually.await(
                Duration.ofSeconds(20),
                () -> "only " + left(),
                () -> left().containsAll(List.of("sleep 301", "sleep 302", "sleep 303")));
    }

    /// Processes of this test, wherever they went.
    private List<String> left() {
        return ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .filter(each -> environment(each).contains("INTERRUPTION_TEST=" + folder + "\0"))
                .map(each -> each.info().commandLine().orElse("?").replaceAll(".*/", ""))
                .toList();
    }

    private static String environment(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/environ"));
        } catch (IOException gone) {
            return "";
        }
    }
}
