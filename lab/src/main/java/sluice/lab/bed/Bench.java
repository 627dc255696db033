package sluice.lab.bed;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;
import sluice.lab.process.Child;

/// What one run of a case works with: a folder of its own, and processes that all end with the run.
/// For one thread.
public interface Bench {

    /// A free TCP port on 127.0.0.1.
    int freePort() throws IOException;

    /// A chain's certificate for `lab.test`, PEM.
    Path certificate();

    /// Its key, PEM.
    Path key();

    /// The engine at the other end of a protocol: the reference of this whole report.
    Installed reference();

    /// Writes the engine's files into a new folder, notes configuration and exit state for the log,
    /// starts it.
    ///
    /// @param label `under test`, `reference` …; the log's key for its configuration
    Child engine(String label, Installed engine, Wiring wiring, Role role) throws IOException;

    /// Starts another program.
    Child program(String label, List<String> command, Map<String, String> environment)
            throws IOException;

    /// Starts a load program of this lab in a Java process of its own.
    ///
    /// @param main a class with a `main` method
    Child load(String label, Class<?> main, List<String> arguments) throws IOException;

    /// Waits until a process listens on a TCP port, without connecting.
    ///
    /// @throws IOException when it ended or did not listen in time; the message has the end of its
    ///   output
    void awaitListening(Child child, int port, Duration most)
            throws IOException, InterruptedException;
}
