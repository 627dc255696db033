package sluice.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.testkit.Eventually;

/// The way from [System#getLogger] to a file.
final class LogFinderTest {

    @TempDir private Path directory;

    @AfterEach
    void reset() {
        Log.configure(Level.INFO, null, true);
    }

    @Test
    void whatIsLoggedBecomesLines() throws Exception {
        Path file = directory.resolve("a.log");
        Log.configure(Level.DEBUG, file, false);
        System.Logger log = System.getLogger("sluice.test");
        log.log(Level.TRACE, "too little");
        log.log(Level.DEBUG, () -> "by supplier");
        log.log(Level.INFO, "with {0} and {1}", "one", 2);
        log.log(Level.INFO, "with a brace { alone");
        System.getLogger("some.library").log(Level.INFO, "talkative");
        System.getLogger("some.library").log(Level.WARNING, "worried");
        Eventually.await(
                Duration.ofSeconds(20),
                () -> "the last line",
                () -> {
                    try {
                        return Files.exists(file) && Files.readString(file).contains("worried");
                    } catch (java.io.IOException fault) {
                        throw new AssertionError(fault);
                    }
                });
        assertThat(Files.readString(file))
                .isEqualTo(
                        """
                        DEBUG test: by supplier
                        INFO  test: with one and 2
                        INFO  test: with a brace { alone
                        WARN  some.library: worried
                        """);
    }

    @Test
    void offIsOff() {
        Log.configure(Level.OFF, null, true);
        System.Logger log = System.getLogger("sluice.test");
        assertThat(log.isLoggable(Level.ERROR)).isFalse();
        assertThat(log.isLoggable(Level.OFF)).isFalse();
    }
}
