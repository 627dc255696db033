package sluice.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import sluice.lab.engine.Certificate;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Installed;

/// What a run has to work with.
///
/// @param known all engines that the lab can start
/// @param installed those of them that were found
/// @param unusable the name of an engine to why it cannot be used, of those that are there but do
///   not start
/// @param certificates makes a certificate
record Found(
        List<Engine> known,
        List<Installed> installed,
        Map<String, String> unusable,
        Certificates certificates) {

    /// Makes a certificate for `lab.test`.
    @FunctionalInterface
    interface Certificates {
        Certificate make(Path folder) throws IOException, InterruptedException;
    }

    Found {
        known = List.copyOf(known);
        installed = List.copyOf(installed);
        unusable = new LinkedHashMap<>(unusable);
    }
}
