package sluice.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.testkit.Eventually;

final class LocalChildTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir private Path folder;

    private LocalChild child;

    @AfterEach
    void stop() {
        if (child != null) {
            child.stop();
        }
    }

    @Test
    void readsTheTimeAndThePeakOfAKnownProgram() throws IOException {
        child =
                start(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Burner.class.getName());
        says("burnt");
        assertThat(child.cpuSeconds()).isBetween(Burner.SECONDS, Burner.SECONDS + 3);
        long peak = child.peakKib();
        assertThat(peak).isGreaterThan(child.residentKib() + Burner.MIB * 1024 * 8 / 10);
        child.resetPeak();
        assertThat(child.peakKib()).isLessThan(peak - Burner.MIB * 1024 * 8 / 10);
        assertThat(child.contextSwitches()).isPositive();
    }

    @Test
    void countsTheTimeOfDescendantsThatEnded() throws IOException {
        child =
                start(
                        "sh",
                        "-c",
                        "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done';"
                                + " times; echo done; sleep 60");
        says("done");
        // The second line is of the children: minutes and seconds of user and of system time.
        String user = child.output().lines().toList().get(1).split(" ")[0];
        double seconds =
                Double.parseDouble(user.substring(user.indexOf('m') + 1, user.length() - 1));
        assertThat(seconds).isGreaterThan(0.05);
        assertThat(child.cpuSeconds()).isBetween(seconds - 0.03, seconds + 1);
    }

    @Test
    void leavesNothingOfATreeThatForkedAndLeftItsSession() throws IOException {
        child =
                start(
                        "sh",
                        "-c",
                        "(setsid sh -c 'trap \"\" TERM; while :; do sleep 0.2; done' &) ;"
                                + " (sleep 60 &) ; echo forked; exec sleep 60");
        says("forked");
        assertThat(child.anyLeft()).isTrue();
        assertThat(child.stop()).isEqualTo(128 + 15);
        assertThat(child.anyLeft()).isFalse();
        assertThat(child.stop()).isEqualTo(128 + 15);
    }

    @Test
    void killsWhatIgnoresTerm() throws IOException {
        child = start("sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 0.1; done");
        says("deaf");
        assertThat(child.stop()).isEqualTo(128 + 9);
        assertThat(child.alive()).isFalse();
    }

    @Test
    void keepsTheBeginningOfMuchOutputAndTheEndOfWords() throws Exception {
        child = start("sh", "-c", "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo last words");
        assertThat(child.await(SOON)).isEqualTo(0);
        assertThat(child.output()).hasSize(Printed.OUTPUT_BYTES).startsWith("xxx");
        assertThat(child.lastWords()).endsWith("x last words").hasSize(300);
    }

    @Test
    void saysHowItEnded() throws Exception {
        child = start("sh", "-c", "echo bad configuration >&2; exit 23");
        assertThat(child.await(SOON)).isEqualTo(23);
        assertThat(child.lastWords()).isEqualTo("bad configuration");
        assertThat(child.output()).isEmpty();
        assertThat(child.stop()).isEqualTo(23);
    }

    @Test
    void namesAProgramThatIsNotThere() {
        assertThatThrownBy(() -> start("no-such-program"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-program");
    }

    private LocalChild start(String... command) throws IOException {
        return LocalChild.start(List.of(command), folder, Map.of());
    }

    private void says(String word) {
        Eventually.await(
                SOON, () -> "it says " + child.lastWords(), () -> child.output().contains(word));
    }
}
