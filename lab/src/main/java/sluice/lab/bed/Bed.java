package sluice.lab.bed;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import sluice.lab.engine.Installed;

/// One way to measure engines.
public interface Bed {

    /// Its name on the command line and in logs.
    String name();

    /// What it measures and how, for a reader of the report, in a few sentences; also its limits.
    String about();

    /// The figures it yields.
    List<Measure> measures();

    /// Its cases, in the order of the report.
    List<Case> cases(Settings settings);

    /// What the machine must have for it beside the engines (`iperf3`), as a sentence with the way
    /// to get it; empty when all is there.
    Optional<String> missing();

    /// The engines it measures, of those that were found. A bed that measures the machine itself
    /// brings its own.
    default List<Installed> engines(List<Installed> found) {
        return found;
    }

    /// Whether an engine has what a case measures. One that has not gets a dash.
    boolean has(Case each, Installed engine);

    /// How long one run of a case takes, start and end of processes included.
    Duration estimate(Case each, Settings settings);

    /// Measures one engine once, with fresh processes from the bench.
    ///
    /// @throws UnsupportedCase when this cannot be measured here, which is no fault of the engine
    /// @throws IOException when the engine could not finish; the message says why
    /// @throws InterruptedException when the user gave up
    Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException;
}
