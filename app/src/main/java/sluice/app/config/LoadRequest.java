package sluice.app.config;

import java.nio.file.Path;
import java.util.List;

/// Which configuration the operator asked for on the command line.
///
/// @param files `-c`, in order; `-` is standard input
/// @param directories `-C`, in order
/// @param links share links to run instead of files
/// @param workDirectory `-D`: where relative paths begin
public record LoadRequest(
        List<String> files, List<String> directories, List<String> links, Path workDirectory) {

    /// Copies the lists.
    public LoadRequest {
        files = List.copyOf(files);
        directories = List.copyOf(directories);
        links = List.copyOf(links);
    }

    /// Nothing asked for: the search order decides.
    public static LoadRequest none() {
        return new LoadRequest(List.of(), List.of(), List.of(), Path.of(""));
    }

    /// Files alone.
    public static LoadRequest ofFiles(String... files) {
        return new LoadRequest(List.of(files), List.of(), List.of(), Path.of(""));
    }
}
