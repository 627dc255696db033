package sluice.lab.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// Folders for files that nobody needs afterwards.
public final class Folders {

    private Folders() {}

    /// Removes a folder with all that is in it. What cannot be removed stays.
    public static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException left) {
            // It lies in the folder for temporary files.
        }
    }
}
