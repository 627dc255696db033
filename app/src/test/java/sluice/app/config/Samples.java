package sluice.app.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import sluice.app.Golden;

/// Configurations of tests: files of the test resources, and texts.
final class Samples {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("SLUICE_BAD_PORT", "https", "SLUICE_PORT", "1080", "PATH", "/usr/bin:/bin");

    private Samples() {}

    /// The names of the files and folders in a folder of the test resources, without the golden
    /// texts.
    static Stream<String> in(String folder) {
        try (Stream<Path> entries = Files.list(Golden.resources().resolve(folder))) {
            return entries
                    .map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.endsWith(".txt"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /// Reads a file or folder of the test resources.
    static Configurations.Reading read(String folder, String name) {
        Path directory = Golden.resources().resolve(folder);
        boolean isFolder = Files.isDirectory(directory.resolve(name));
        LoadRequest request =
                new LoadRequest(
                        isFolder ? List.of() : List.of(name),
                        isFolder ? List.of(name) : List.of(),
                        List.of(),
                        directory);
        return Configurations.inspect(request, surroundings(directory, ""));
    }

    /// Reads a text, which stands in for standard input.
    static Configurations.Reading readText(String text) {
        LoadRequest request = LoadRequest.ofFiles("-");
        return Configurations.inspect(request, surroundings(Path.of(""), text));
    }

    static Surroundings surroundings(Path directory, String input) {
        return new Surroundings(
                ENVIRONMENT::get, directory, () -> input.getBytes(StandardCharsets.UTF_8));
    }
}
