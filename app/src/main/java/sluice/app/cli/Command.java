package sluice.app.cli;

import java.io.IOException;
import java.util.List;

/// One command of `sluice`.
interface Command {

    /// Done.
    int DONE = 0;

    /// Failed at run time.
    int FAILED = 1;

    /// The command line is wrong.
    int USAGE = 2;

    /// The configuration is wrong.
    int BAD_CONFIGURATION = 23;

    /// What it does, how it is called, its options and an example; fits a screen.
    String help();

    /// The options it takes.
    List<Option> options();

    /// Does it and returns the exit code.
    ///
    /// @throws UsageFault when the words make no sense
    int run(Arguments arguments, Console console) throws IOException;
}
