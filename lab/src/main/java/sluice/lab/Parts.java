package sluice.lab;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import sluice.lab.bed.Bed;
import sluice.lab.report.ReportCommand;
import sluice.lab.run.Clarity;

/// What the command line is put together from.
///
/// @param beds all there are
/// @param finder finds engines
/// @param clarity says which cases are decided
/// @param peers the page about engines
/// @param report makes pages from a log
/// @param compare sets two logs side by side
record Parts(
        List<Bed> beds,
        RunCommand.Finder finder,
        Clarity clarity,
        PeersPage peers,
        Report report,
        Compare compare) {

    /// Prints which engines were found, and how to get the others.
    interface PeersPage {
        void print(Found found, PrintStream out);
    }

    /// Makes pages; prints Markdown where no file is asked for.
    interface Report {
        int run(ReportCommand.Request request, PrintStream out, PrintStream err);
    }

    /// Prints how two logs differ.
    interface Compare {
        int run(Path one, Path other, PrintStream out, PrintStream err);
    }
}
