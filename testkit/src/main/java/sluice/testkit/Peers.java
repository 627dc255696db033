package sluice.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/// Foreign programs that tests talk to: `curl`, `ss-server` and the like. They are looked for in
/// the directories of the environment variable `PEERS`, then in those of `PATH`.
public final class Peers {
    /// With this variable set to 1 a missing program is a failure, so that a build server cannot
    /// skip in silence.
    static final String REQUIRE = "SLUICE_REQUIRE_PEERS";

    private Peers() {}

    /// Where `program` is, if it is here.
    public static Optional<Path> find(String program) {
        return find(program, variable("PEERS") + File.pathSeparator + variable("PATH"));
    }

    /// Where `program` is. Without it the calling test is skipped, and says so; with
    /// `SLUICE_REQUIRE_PEERS=1` it fails.
    public static Path require(String program) {
        return find(program).orElseGet(() -> missing(program, variable(REQUIRE).equals("1")));
    }

    static Optional<Path> find(String program, String directories) {
        for (String directory : directories.split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory, program);
            if (!directory.isEmpty()
                    && Files.isRegularFile(candidate)
                    && Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    static Path missing(String program, boolean required) {
        String message = program + " is neither in PEERS nor on PATH";
        if (required) {
            throw new AssertionError(message + ", but " + REQUIRE + "=1 asks for it");
        }
        return Assumptions.abort(message);
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        return value == null ? "" : value;
    }
}
