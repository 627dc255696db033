package sluice.lab.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import sluice.lab.process.Programs;

/// Finds the engines of this machine: in a folder that is named, then in the one that $PEERS names,
/// then on PATH.
public final class Roster {

    private static final Duration MOST = Duration.ofSeconds(10);
    private static final int MOST_LETTERS = 80;
    private static final Pattern VERSION = Pattern.compile(".*[0-9]+\\.[0-9].*");

    private final List<Path> folders;
    private final @Nullable Path sluice;

    /// @param folders where to look before PATH
    /// @param sluice the launcher of Sluice, or null to find it as the others
    public Roster(List<Path> folders, @Nullable Path sluice) {
        this.folders = List.copyOf(folders);
        this.sluice = sluice;
    }

    /// What was found.
    ///
    /// @param installed engines that start
    /// @param unusable engine to why it cannot be used, of those whose executables are there
    public record Found(List<Installed> installed, Map<String, String> unusable) {}

    /// The roster of the environment.
    ///
    /// @param peers the folder of `--peers`, or null
    public static Roster of(@Nullable Path peers) {
        List<Path> folders = new ArrayList<>();
        if (peers != null) {
            folders.add(peers.toAbsolutePath());
        }
        String named = System.getenv("PEERS");
        if (named != null && !named.isEmpty()) {
            folders.add(Path.of(named).toAbsolutePath());
        }
        String launcher = System.getenv("SLUICE_HOME_BIN");
        return new Roster(folders, launcher == null ? null : Path.of(launcher));
    }

    /// Looks for engines and asks each for its version; takes seconds at most.
    public Found find(List<Engine> engines) throws InterruptedException {
        List<Installed> installed = new ArrayList<>();
        Map<String, String> unusable = new LinkedHashMap<>();
        for (Engine engine : engines) {
            Map<String, Path> programs = programs(engine);
            if (programs.isEmpty()) {
                continue;
            }
            try {
                installed.add(look(engine, programs));
            } catch (IOException reason) {
                unusable.put(engine.name(), String.valueOf(reason.getMessage()));
            }
        }
        return new Found(List.copyOf(installed), unusable);
    }

    private Map<String, Path> programs(Engine engine) {
        Map<String, Path> programs = new LinkedHashMap<>();
        for (String name : engine.programs()) {
            Path program = program(name);
            if (program != null) {
                programs.put(name, program);
            }
        }
        return programs;
    }

    private @Nullable Path program(String name) {
        if (sluice != null && name.equals("sluice")) {
            return sluice;
        }
        for (Path folder : folders) {
            Path program = folder.resolve(name);
            if (Files.isRegularFile(program)) {
                return program;
            }
        }
        return Programs.onPath(name).orElse(null);
    }

    private Installed look(Engine engine, Map<String, Path> programs)
            throws IOException, InterruptedException {
        for (String name : engine.programs()) {
            Path program = programs.get(name);
            if (program == null) {
                throw new IOException(name + " is missing beside " + programs.values());
            }
            if (!Files.isExecutable(program)) {
                throw new IOException(program + " is not executable");
            }
        }
        Path first = programs.get(engine.programs().getFirst());
        if (first == null) {
            throw new IOException("has no program");
        }
        return new Installed(engine, programs, version(engine, first), sha256(first));
    }

    private static String version(Engine engine, Path program)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(engine.versionArguments());
        Path output = Files.createTempFile("sluice-lab-version", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectOutput(output.toFile())
                            .start();
            try {
                if (!process.waitFor(MOST.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IOException(
                            String.join(" ", command)
                                    + " did not end within "
                                    + MOST.toSeconds()
                                    + " s");
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            return versionIn(output, command, process.exitValue());
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static String versionIn(Path output, List<String> command, int exit)
            throws IOException {
        List<String> lines =
                new String(Files.readAllBytes(output), java.nio.charset.StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.strip().replaceAll("\\p{Cntrl}", ""))
                        .filter(line -> !line.isEmpty())
                        .toList();
        return lines.stream()
                .filter(line -> VERSION.matcher(line).matches())
                .findFirst()
                .map(line -> line.substring(0, Math.min(line.length(), MOST_LETTERS)))
                .orElseThrow(() ->
                        new IOException(
                                String.join(" ", command)
                                        + " says no version: exit code "
                                        + exit
                                        + (lines.isEmpty() ? "" : ", " + lines.getLast())));
    }

    /// Of a launcher of Sluice, its jars count; of another program, its file.
    private static String sha256(Path program) throws IOException {
        Path jars = program.toAbsolutePath().resolveSibling("../lib").normalize();
        List<Path> files = List.of(program);
        if (Files.exists(jars.resolve("sluice.jar"))) {
            try (Stream<Path> all = Files.list(jars)) {
                files = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
            }
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] block = new byte[1 << 16];
            for (Path file : files) {
                try (InputStream in = Files.newInputStream(file)) {
                    for (int got = in.read(block); got >= 0; got = in.read(block)) {
                        digest.update(block, 0, got);
                    }
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
