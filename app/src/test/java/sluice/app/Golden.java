package sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Texts that are reviewed as files. `-Dgolden.update=true` writes them anew.
public final class Golden {

    private static final boolean UPDATE = Boolean.getBoolean("golden.update");

    private Golden() {}

    /// The root of the sources.
    public static Path root() {
        String root = System.getProperty("sluice.root");
        return root == null ? Path.of("").toAbsolutePath().getParent() : Path.of(root);
    }

    /// The folder of this module's test resources.
    public static Path resources() {
        return root().resolve("app/src/test/resources");
    }

    /// Compares with a file below [#resources].
    public static void check(String name, String text) {
        Path path = resources().resolve(name);
        try {
            if (UPDATE) {
                Files.createDirectories(path.getParent());
                Files.writeString(path, text);
            }
            assertThat(path).exists();
            assertThat(text).describedAs(name).isEqualTo(Files.readString(path));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
