package sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import sluice.testkit.Program;

/// The archive that users get, on a machine that has nothing: unpacked into an empty root when the
/// test may do that, else run without any environment.
@Tag("package")
@EnabledOnOs(OS.LINUX)
final class PackageIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");

    private static final Path CHROOT = Path.of("/usr/sbin/chroot");
    private static final Path UNSHARE = Path.of("/usr/bin/unshare");

    @TempDir private static Path world;
    private static Path home;
    private static boolean canChangeRoot;

    @BeforeAll
    static void unpackIntoAnEmptyWorld() throws IOException {
        Path root = House.root();
        var made =
                run(
                        "sh",
                        root.resolve("app/src/main/dist/package.sh"),
                        javaHome(),
                        root,
                        root.resolve("app/target/lib"),
                        root.resolve("lab/target/lib"));
        Path archive = Path.of(made.out().strip());
        assertThat(archive.getFileName().toString()).matches("sluice-.*-linux-.*\\.tar\\.gz");

        run("tar", "-xzf", archive, "-C", world);
        try (Stream<Path> folders = Files.list(world)) {
            home = folders.findFirst().orElseThrow();
        }
        canChangeRoot = "root".equals(System.getProperty("user.name")) && furnish();
    }

    @Test
    void saysItsVersion() {
        var result = sluice("version");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("sluice ");
        assertThat(result.exit()).isZero();
    }

    @Test
    void bringsTheLab() {
        var result = sluice("lab", "help");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("sluice lab run");
        assertThat(result.exit()).isZero();
    }

    @Test
    void startsFromItsCache() {
        assertThat(home.resolve("lib/sluice.aot")).exists();
        var result = sluiceWith("-Xlog:class+load", "version");
        assertThat(result.out()).contains("sluice.app.Main source: shared objects file");
    }

    @Test
    void acceptsEveryExample() throws IOException {
        Path examples = home.resolve("examples");
        if (Files.exists(examples)) {
            for (Path example : list(examples)) {
                var result = sluice("check", "-c", inside(example));
                assertThat(result.exit()).as("%s: %s", example, result).isZero();
            }
        }
    }

    @Test
    void bringsItsServiceAndItsLicence() {
        assertThat(home.resolve("etc/systemd/sluice.service")).content().contains("LimitNOFILE");
        assertThat(home.resolve("LICENSE")).exists();
        assertThat(home.resolve("README")).exists();
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(json|jsonc|yaml|yml)"))
                    .sorted()
                    .toList();
        }
    }

    private static Program.Result sluice(Object... arguments) {
        return sluiceWith("", arguments);
    }

    private static Program.Result sluiceWith(String javaOptions, Object... arguments) {
        String program = inside(home.resolve("bin/sluice"));
        Program.Builder builder =
                canChangeRoot
                        ? Program.of(
                                UNSHARE, "--mount-proc=" + world + "/proc", CHROOT, world, program)
                        : Program.of(program);
        return builder.with(arguments)
                .emptyEnvironment()
                .variable("SLUICE_JAVA_OPTS", javaOptions)
                .limit(LIMIT)
                .run();
    }

    /// The path as the program under test sees it.
    private static String inside(Path path) {
        return canChangeRoot ? "/" + world.relativize(path) : path.toString();
    }

    /// Brings what the kernel and the C library of every Linux have: a shell, the shared libraries
    /// that the programs name, a place for /proc, and three devices. False where that is not
    /// allowed.
    private static boolean furnish() throws IOException {
        if (!Files.isExecutable(CHROOT) || !Files.isExecutable(UNSHARE)) {
            return false;
        }
        copy(Path.of("/bin/sh"));
        bringLibraries(Path.of("/bin/sh"));
        bringLibraries(home.resolve("runtime/bin/java"));
        try (Stream<Path> files = Files.walk(home.resolve("runtime/lib"))) {
            for (Path library : files.filter(file -> file.toString().endsWith(".so")).toList()) {
                bringLibraries(library);
            }
        }
        Files.createDirectories(world.resolve("tmp"));
        Files.createDirectories(world.resolve("proc"));
        Files.createDirectories(world.resolve("dev"));
        return device("null", 3) && device("random", 8) && device("urandom", 9);
    }

    private static boolean device(String name, int minor) {
        Path path = world.resolve("dev").resolve(name);
        return Program.run("mknod", "-m", "666", path, "c", 1, minor).exit() == 0;
    }

    private static void bringLibraries(Path program) throws IOException {
        var matcher = LIBRARY.matcher(Program.run("ldd", program).out());
        while (matcher.find()) {
            Path library = Path.of(matcher.group(1));
            if (!library.startsWith(world)) {
                copy(library);
            }
        }
    }

    private static void copy(Path file) throws IOException {
        Path target = world.resolve(file.toString().substring(1));
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(target.getParent());
            Files.copy(file.toRealPath(), target);
            assertThat(target.toFile().setExecutable(true)).isTrue();
        }
    }

    private static Program.Result run(Object program, Object... arguments) {
        var result = Program.of(program, arguments).limit(LIMIT).run();
        assertThat(result.exit()).as("%s", result).isZero();
        return result;
    }

    private static Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }
}
