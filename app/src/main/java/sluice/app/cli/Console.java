package sluice.app.cli;

import java.io.PrintStream;

/// Where a command prints.
///
/// @param out what was asked for
/// @param err everything else
public record Console(PrintStream out, PrintStream err) {

    /// The streams of this process.
    public static Console ofProcess() {
        return new Console(System.out, System.err);
    }
}
