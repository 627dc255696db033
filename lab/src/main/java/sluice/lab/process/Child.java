package sluice.lab.process;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A process that the lab started, with all of its descendants. Readings come from /proc.
/// Thread-safe.
public interface Child {

    /// Its process id.
    long pid();

    /// Whether the first process still runs.
    boolean alive();

    /// Processor time of it and its descendants since they began, in seconds.
    double cpuSeconds();

    /// Resident memory now, in KiB.
    long residentKib();

    /// The most resident memory since [#resetPeak], in KiB.
    long peakKib();

    /// Forgets the peak so far.
    void resetPeak();

    /// Voluntary and involuntary context switches of all threads since they began.
    long contextSwitches();

    /// The end of what it printed, without line breaks, at most 300 characters.
    String lastWords();

    /// All that it printed to standard output so far.
    String output();

    /// Waits for its end.
    ///
    /// @return its exit code, or null when it still runs
    @Nullable Integer await(Duration most) throws InterruptedException;

    /// Ends it and its descendants: TERM, then KILL. Does nothing twice.
    ///
    /// @return how it ended: an exit code; 128 plus the signal for one that was killed
    int stop();
}
