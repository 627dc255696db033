package sluice.lab.engine;

import java.nio.file.Path;
import java.util.Map;

/// An engine that was found on this machine.
///
/// @param engine which
/// @param programs each of its [programs][Engine#programs] to its executable, absolute
/// @param version the first line that says a version, as the engine prints it, at most 80
///   characters
/// @param sha256 of the first program's file (of Sluice: of its jars), lower-case hexadecimal
public record Installed(Engine engine, Map<String, Path> programs, String version, String sha256) {

    public Installed {
        programs = Map.copyOf(programs);
    }

    /// The engine's name.
    public String name() {
        return engine.name();
    }
}
