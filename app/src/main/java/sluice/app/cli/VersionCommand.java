package sluice.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import sluice.base.os.OperatingSystem;

/// `sluice version`.
final class VersionCommand implements Command {

    private final Doors doors;

    VersionCommand(Doors doors) {
        this.doors = doors;
    }

    @Override
    public String help() {
        return """
        sluice version

        Prints the version, the commit it was built from, the Java machine that runs it, and what
        the system offers.

        Example:
          sluice version
        """;
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public int run(Arguments arguments, Console console) throws IOException {
        arguments.noWords();
        OperatingSystem system = doors.system();
        console.out().println("sluice " + text("version.txt"));
        String commit = text("commit.txt");
        if (commit.matches("[0-9a-f]{7,64}.*")) {
            line(console, "commit", commit);
        }
        line(console, "java", Runtime.version() + ", " + System.getProperty("java.vm.vendor"));
        line(
                console,
                "system",
                System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.version")
                        + ", "
                        + System.getProperty("os.arch"));
        line(console, "driver", system.name());
        for (Map.Entry<String, String> feature : system.features().entrySet()) {
            line(console, feature.getKey(), feature.getValue());
        }
        return DONE;
    }

    private static void line(Console console, String name, String value) {
        console.out().println("  " + name + " ".repeat(Math.max(1, 26 - name.length())) + value);
    }

    /// A text that the build put beside the program.
    private static String text(String name) throws IOException {
        try (InputStream in = VersionCommand.class.getResourceAsStream("/sluice/app/" + name)) {
            return in == null
                    ? "unknown"
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
