package sluice.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import sluice.testkit.Peers;
import sluice.testkit.Program;

/// The source tree that the tests of the house look at.
final class House {
    private House() {}

    /// The root of the sources: what Maven said, or the folder above that has the wrapper.
    static Path root() {
        String told = System.getProperty("sluice.root");
        Path folder = Path.of(told != null ? told : System.getProperty("user.dir"));
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError("set -Dsluice.root to the root of the sources");
            }
        }
        return folder;
    }

    /// Every tracked file that exists, relative to the root; outside a clone every file that is not
    /// built.
    static List<Path> files() {
        Path root = root();
        List<String> names =
                Files.exists(root.resolve(".git")) && Peers.find("git").isPresent()
                        ? tracked(root)
                        : walked(root);
        return names.stream()
                .map(Path::of)
                .filter(path -> Files.isRegularFile(root.resolve(path)))
                .toList();
    }

    /// The Java files among [#files].
    static List<Path> javaFiles() {
        return files().stream().filter(path -> path.toString().endsWith(".java")).toList();
    }

    /// The Java files of the product: neither tests nor test kits.
    static List<Path> productFiles() {
        return javaFiles().stream()
                .filter(path -> path.startsWith(path.getName(0).resolve("src/main")))
                .filter(path -> !path.startsWith("testkit"))
                .toList();
    }

    static String read(Path file) {
        try {
            return Files.readString(root().resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(file.toString(), failure);
        }
    }

    private static List<String> tracked(Path root) {
        // The owner of a build folder may be another user than that of the build.
        var result =
                Program.run("git", "-c", "safe.directory=*", "-C", root, "ls-files", "--cached");
        if (result.exit() != 0) {
            throw new AssertionError("git ls-files: " + result.err());
        }
        return result.out().lines().toList();
    }

    private static List<String> walked(Path root) {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.map(root::relativize)
                    .filter(path -> !path.startsWith(".git"))
                    .map(Path::toString)
                    .filter(path -> !(path + "/").matches("(.*/)?target/.*"))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
