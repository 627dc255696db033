package sluice.lab.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import sluice.lab.log.RunLog;

/// A log as pages see it: its complaints name lines, not the file, so that a copy of a log makes
/// the same page.
final class LogFile {
    private LogFile() {}

    static RunLog.Content read(Path file) throws IOException {
        RunLog.Content content = new RunLog(file).read();
        String prefix = file + ":";
        List<String> complaints =
                content.complaints().stream()
                        .map(each ->
                                each.startsWith(prefix)
                                        ? "line " + each.substring(prefix.length())
                                        : each)
                        .toList();
        return new RunLog.Content(content.records(), complaints);
    }

    static void complain(Path file, RunLog.Content log, PrintStream err) {
        if (!log.complaints().isEmpty()) {
            err.println(
                    file
                            + ": "
                            + Wording.count(log.complaints().size(), "line", "lines")
                            + " could not be read and did not count; the first: "
                            + log.complaints().getFirst());
        }
    }

    static String nothingIn(Path file) {
        return file
                + ": no runs in this log\n"
                + "  mend: measure something first, for example: sluice lab run --quick";
    }
}
