package sluice.base.os;

import java.util.Map;

/// A driver family: makes one [LoopDriver] per loop. The engine sees nothing else of the system.
public interface OperatingSystem {

    /// `linux`, or `portable`.
    String name();

    /// Opens the driver of one loop; call it on the loop's own thread.
    LoopDriver openLoop();

    /// What was found: feature name to `yes`, `no` or a value, in the order to print.
    Map<String, String> features();

    /// Raises the limit on open files to the hard limit. Returns the limit in force, or -1 where
    /// unknown.
    long raiseFileLimit();

    /// Lets a hangup signal (HUP), which whoever started this process told it to ignore, arrive as
    /// any other, so that a handler can be installed. Returns whether it can.
    default boolean heedHangup() {
        return false;
    }
}
