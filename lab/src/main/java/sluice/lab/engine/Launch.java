package sluice.lab.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How to start an engine: files to write into an empty folder, and the command to run there.
///
/// @param files file name to content, in order; these are the exact configuration that the log
///   keeps
/// @param command the first word is one of [Engine#programs], the others are arguments
public record Launch(Map<String, String> files, List<String> command) {

    public Launch {
        files = new LinkedHashMap<>(files);
        command = List.copyOf(command);
    }
}
