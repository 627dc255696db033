package sluice.lab.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import sluice.testkit.Eventually;
import sluice.testkit.Program;

/// The product as an operator runs it: a process of its own with a configuration file, started with
/// the options of the launcher. It runs what the build made last; the variable SLUICE names another
/// launcher. [#close] stops it by its process id and removes its folder.
public final class SluiceProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration LIFE_LIMIT = Duration.ofMinutes(30);

    private final Program program;
    private final Path folder;
    private final Config config;

    private SluiceProcess(Program program, Path folder, Config config) {
        this.program = program;
        this.folder = folder;
        this.config = config;
    }

    /// Starts it and waits until every port of the configuration listens.
    public static SluiceProcess start(Config config) {
        return start(config, List.of());
    }

    /// As [#start(Config)].
    ///
    /// @param before a command that starts the command behind it, e.g. `prlimit --nofile=64`
    public static SluiceProcess start(Config config, List<String> before) {
        SluiceProcess sluice = launch(config, before);
        try {
            sluice.awaitPorts();
            return sluice;
        } catch (RuntimeException | Error failure) {
            sluice.close();
            throw failure;
        }
    }

    /// Starts it and waits for nothing.
    public static SluiceProcess launch(Config config, List<String> before) {
        Path folder = folder();
        Path file = folder.resolve("config.json");
        write(file, config.text());
        List<String> command = new ArrayList<>(before);
        command.addAll(command("run", "-c", file.toString()));
        return new SluiceProcess(
                builder(command, folder).limit(LIFE_LIMIT).start(), folder, config);
    }

    /// Runs one command of the product to its end.
    public static Program.Result command(Path folder, String... arguments) {
        return builder(command(arguments), folder).limit(START_LIMIT).run();
    }

    /// Checks a configuration that is written to a file of that name.
    public static Program.Result check(String fileName, byte[] content) {
        Path folder = folder();
        try {
            Path file = folder.resolve(fileName);
            Files.write(file, content);
            return command(folder, "check", "-c", file.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            delete(folder);
        }
    }

    /// Waits until every port listens.
    public void awaitPorts() {
        Eventually.await(
                START_LIMIT,
                () -> "its ports, of " + this,
                () -> {
                    if (!program.isAlive()) {
                        throw new AssertionError("ended before it listened: " + this);
                    }
                    return config.tcpPorts().stream().allMatch(Proc::isListening)
                            && config.udpPorts().stream().allMatch(Proc::isBound);
                });
    }

    /// Replaces the configuration file; the process learns of it by HUP.
    public void rewrite(String text) {
        write(folder.resolve("config.json"), text);
    }

    /// Its process id.
    public long pid() {
        return program.pid();
    }

    /// Its folder, which is its working directory.
    public Path home() {
        return folder;
    }

    /// Whether it runs.
    public boolean isAlive() {
        return program.isAlive();
    }

    /// What it has logged so far.
    public String log() {
        return program.out() + program.err();
    }

    /// Sends a signal by name.
    public void signal(String name) {
        program.signal(name);
    }

    /// Waits for its end.
    ///
    /// @return its exit code
    public int awaitEnd(Duration limit) {
        Eventually.await(limit, () -> "the end of " + this, () -> !program.isAlive());
        return program.result().exit();
    }

    /// Fails when it has ended or logged a Java stack trace.
    public void assertHealthy() {
        if (!program.isAlive()) {
            throw new AssertionError("has ended: " + this);
        }
        if (log().contains("\tat sluice.") || log().contains("AssertionError")) {
            throw new AssertionError("has logged a stack trace: " + this);
        }
    }

    @Override
    public void close() {
        program.close();
        delete(folder);
    }

    @Override
    public String toString() {
        return program + "\n--- config\n" + config.text();
    }

    /// The command line of the product.
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        String launcher = System.getenv("SLUICE");
        if (launcher != null) {
            command.add(launcher);
        } else {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(options());
            command.add("-cp");
            command.add(classPath());
            command.add("sluice.app.Main");
        }
        command.addAll(List.of(arguments));
        return command;
    }

    private static Program.Builder builder(List<String> command, Path folder) {
        return Program.of(command.getFirst(), command.stream().skip(1).toArray())
                .in(folder)
                .variable("SLUICE_NO_BUILD", "1")
                .variable("XDG_CONFIG_HOME", folder.toString())
                .variable("JAVA_TOOL_OPTIONS", "");
    }

    /// The options of the launcher.
    private static List<String> options() {
        Path file = root().resolve("app/src/main/dist/jvm.options");
        try {
            return Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// What the tests see, without what only tests need.
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry ->
                        !entry.matches(
                                ".*(test-classes|junit|assertj|archunit|surefire|testkit).*"))
                .reduce((all, entry) -> all + File.pathSeparator + entry)
                .orElseThrow();
    }

    private static Path root() {
        String told = System.getProperty("sluice.root");
        @Nullable Path root = Path.of(told != null ? told : System.getProperty("user.dir"));
        while (root != null && !Files.exists(root.resolve("mvnw"))) {
            root = root.getParent();
        }
        if (root == null) {
            throw new AssertionError("set -Dsluice.root to the root of the sources");
        }
        return root;
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("sluice-lab-");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
