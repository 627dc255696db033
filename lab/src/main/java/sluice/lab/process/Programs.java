package sluice.lab.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Finds programs as a shell does.
public final class Programs {

    private Programs() {}

    /// The executable of a name in the folders of PATH, absolute.
    public static Optional<Path> onPath(String name) {
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "/usr/bin:/bin" : path).split(":", -1)) {
            Path file = Path.of(folder.isEmpty() ? "." : folder, name);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return Optional.of(file.toAbsolutePath());
            }
        }
        return Optional.empty();
    }
}
