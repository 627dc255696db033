package sluice.lab.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.log.RunLog;

/// `lab compare`: two logs beside each other.
public final class CompareCommand {
    private CompareCommand() {}

    /// Compares without knowing any bed: figures then have no unit, and more is not called better.
    ///
    /// @return the exit code
    public static int run(Path a, Path b, PrintStream out) {
        return run(a, b, new Catalogue(Map.of(), Map.of()), out, System.err);
    }

    /// Prints the comparison as Markdown.
    ///
    /// @param a the log that is compared with
    /// @param b the log that is compared
    /// @param catalogue what the beds say of themselves
    /// @param out gets the page
    /// @param err gets what is wrong with the logs
    /// @return the exit code
    public static int run(Path a, Path b, Catalogue catalogue, PrintStream out, PrintStream err) {
        try {
            Report left = report(a, catalogue, err);
            Report right = report(b, catalogue, err);
            if (left == null || right == null) {
                return 1;
            }
            out.print(Markdown.of(Comparison.of(left, right)));
            out.flush();
            return 0;
        } catch (IOException failure) {
            err.println("compare: " + failure.getMessage());
            return 1;
        }
    }

    private static @Nullable Report report(Path file, Catalogue catalogue, PrintStream err)
            throws IOException {
        RunLog.Content log = LogFile.read(file);
        LogFile.complain(file, log, err);
        if (log.records().isEmpty()) {
            err.println(LogFile.nothingIn(file));
            return null;
        }
        Report report = Report.of(log, catalogue);
        if (report.severalMachines()) {
            err.println(
                    file
                            + ": has runs of "
                            + report.machines().size()
                            + " machines, or of one whose system was changed in between\n"
                            + "  mend: compare logs of one machine each; the member \"machine\" of"
                            + " a line says where it was measured");
            return null;
        }
        return report;
    }
}
