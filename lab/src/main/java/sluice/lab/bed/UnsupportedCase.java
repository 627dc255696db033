package sluice.lab.bed;

import java.io.IOException;

/// Thrown by a bed that finds out only when it runs that a case cannot be measured here: no fault
/// of the engine, and no figure.
public final class UnsupportedCase extends IOException {

    /// @param reason why, for the log
    public UnsupportedCase(String reason) {
        super(reason);
    }
}
