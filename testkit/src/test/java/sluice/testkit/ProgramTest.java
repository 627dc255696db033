package sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir private Path directory;

    @Test
    void keepsBothStreamsAndTheExitCode() {
        var result = Program.run("sh", "-c", "echo out; echo err >&2; exit 3");
        assertThat(result).isEqualTo(new Program.Result(3, "out\n", "err\n"));
    }

    @Test
    void setsDirectoryAndVariables() {
        var result =
                Program.of("/bin/sh", "-c", "pwd; echo $COLOUR$HOME")
                        .in(directory)
                        .emptyEnvironment()
                        .variable("COLOUR", "red")
                        .run();
        assertThat(result.out()).isEqualTo(directory + "\nred\n");
    }

    @Test
    void readsWhatIsTyped() {
        try (Program cat = Program.of("cat").start()) {
            cat.type("hello\n");
            cat.awaitOutput(SOON, "hello");
        }
    }

    @Test
    void endsAProgramThatOverstaysItsLimit() {
        assertThatThrownBy(() -> Program.of("sleep", 60).limit(Duration.ofMillis(50)).run())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("still running");
    }

    @Test
    void failsAtOnceWhenAnAwaitedProgramEnds() {
        try (Program program = Program.of("sh", "-c", "echo no").start()) {
            assertThatThrownBy(() -> program.awaitOutput(Duration.ofMinutes(5), "yes"))
                    .hasMessageContaining("ended without");
        }
    }

    @Test
    void killsWhatTheProgramLeftBehind() {
        long orphan;
        try (Program program = Program.of("sh", "-c", "(sleep 60 & echo $!)").start()) {
            program.awaitOutput(SOON, "\n");
            orphan = Long.parseLong(program.out().strip());
            assertThat(ProcessHandle.of(orphan)).isPresent();
        }
        Eventually.await(
                SOON, () -> ProcessHandle.of(orphan).map(ProcessHandle::isAlive).isEmpty());
    }
}
