package sluice.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Installed;

/// What a run has to work with.
///
/// @param known all engines that the lab can start
/// @param installed those of them that were found
/// @param certificates makes a certificate
record Found(List<Engine> known, List<Installed> installed, Certificates certificates) {

    /// Makes a certificate for `lab.test`.
    @FunctionalInterface
    interface Certificates {
        Pair make(Path folder) throws IOException;
    }

    /// @param certificate PEM
    /// @param key PEM
    record Pair(Path certificate, Path key) {}

    Found {
        known = List.copyOf(known);
        installed = List.copyOf(installed);
    }
}
