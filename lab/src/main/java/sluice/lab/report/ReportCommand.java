package sluice.lab.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.log.RunLog;

/// `lab report`: pages from a log.
public final class ReportCommand {
    private static final Catalogue NO_BEDS = new Catalogue(Map.of(), Map.of());

    private ReportCommand() {}

    /// What is asked for.
    ///
    /// @param log where the runs are
    /// @param html file for the HTML page, or null
    /// @param markdown file for the Markdown page, or null; with neither it is printed
    /// @param causes file with causes of losses; null for the one beside the log, if there is one
    public record Request(
            Path log, @Nullable Path html, @Nullable Path markdown, @Nullable Path causes) {}

    /// Makes pages without knowing any bed: figures then have no unit and no verdict.
    ///
    /// @return the exit code
    public static int run(Path log, @Nullable Path html, @Nullable Path markdown, PrintStream out) {
        return run(new Request(log, html, markdown, null), NO_BEDS, out, System.err);
    }

    /// Makes the pages that are asked for.
    ///
    /// @param catalogue what the beds say of themselves
    /// @param out gets the Markdown when no file is asked for, else what was written
    /// @param err gets what is wrong with the log
    /// @return the exit code
    public static int run(Request request, Catalogue catalogue, PrintStream out, PrintStream err) {
        try {
            RunLog.Content log = LogFile.read(request.log());
            LogFile.complain(request.log(), log, err);
            if (log.records().isEmpty()) {
                err.println(LogFile.nothingIn(request.log()));
                return 1;
            }
            Causes causes = causes(request);
            Report report = Report.of(log, catalogue);
            unused(causes, report).forEach(each -> err.println("causes: " + each));
            write(request, ReportPage.of(report, catalogue, causes), out);
            return 0;
        } catch (IOException failure) {
            err.println("report: " + failure.getMessage());
            return 1;
        }
    }

    private static void write(Request request, Page page, PrintStream out) throws IOException {
        if (request.html() == null && request.markdown() == null) {
            out.print(Markdown.of(page));
            out.flush();
        }
        if (request.html() != null) {
            Files.writeString(request.html(), Html.of(page));
            out.println("wrote " + request.html());
        }
        if (request.markdown() != null) {
            Files.writeString(request.markdown(), Markdown.of(page));
            out.println("wrote " + request.markdown());
        }
    }

    private static Causes causes(Request request) throws IOException {
        if (request.causes() != null) {
            return Causes.read(request.causes());
        }
        Path besides = Causes.besides(request.log());
        return Files.exists(besides) ? Causes.read(besides) : Causes.NONE;
    }

    /// Causes of what is no loss: misspelt, or mended since.
    private static List<String> unused(Causes causes, Report report) {
        return causes.entries().stream()
                .filter(entry -> report.losses().stream().noneMatch(entry::fits))
                .filter(entry -> report.hiddenLosses().stream().noneMatch(entry::fits))
                .map(entry ->
                        "no loss is "
                                + String.join(", ", entry.bed(), entry.measure(), entry.each()))
                .toList();
    }
}
