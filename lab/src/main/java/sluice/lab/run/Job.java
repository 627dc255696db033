package sluice.lab.run;

import java.time.Duration;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Case;
import sluice.lab.engine.Installed;

/// One run of one case with one engine.
///
/// @param bed how
/// @param each what
/// @param engine with which
/// @param round counted from 1
/// @param supported whether the engine has what the case measures; else the job is only to note
///   that
/// @param estimate how long it takes, unless something else was learnt
public record Job(
        Bed bed, Case each, Installed engine, int round, boolean supported, Duration estimate) {

    /// For a line of progress.
    @Override
    public String toString() {
        return bed.name() + ": " + each + ", " + engine.name() + ", round " + round;
    }
}
