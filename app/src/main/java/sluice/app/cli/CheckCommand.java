package sluice.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;
import sluice.base.config.Findings;
import sluice.base.config.Findings.Finding;
import sluice.base.config.Schema;

/// `sluice check`.
final class CheckCommand implements Command {

    private static final Option FORMAT = new Option('\0', "format", true);

    @Override
    public String help() {
        return """
        sluice check [-c FILE]... [-C DIR]... [-D DIR] [--format json] [FILE]...

        Reads the configuration and says everything that is wrong with it, each with file, line,
        column, the value it is about, and how to mend it. Opens nothing. The last line says which
        configuration it was. Ends with 0 where it can be used (there may be warnings), else with 23.

          -c, --config FILE            a configuration; may be given again, - is standard input
          -C, --config-directory DIR   all configurations in a directory, by name
          -D, --directory DIR          where relative paths begin
              --format json            for programs: a list of findings on standard output

        Example:
          sluice check -c config.json
        """;
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(Option.CONFIGURATION);
        options.add(FORMAT);
        return options;
    }

    @Override
    public int run(Arguments arguments, Console console) {
        String format = arguments.value(FORMAT);
        if (format != null && !List.of("json", "text").contains(format)) {
            throw new UsageFault("--format takes json or text");
        }
        LoadRequest request = arguments.requestWithWords();
        Configurations.Reading reading = Configurations.inspect(request);
        Findings findings = reading.findings();
        if ("json".equals(format)) {
            List<Object> list = new ArrayList<>();
            findings.all().forEach(finding -> list.add(toJson(finding)));
            console.out().println(Schema.toJson(list));
        } else {
            if (!findings.all().isEmpty()) {
                console.err().println(findings.report());
            }
            console.out().println(Origin.of(request) + ": " + verdict(findings));
        }
        return reading.configuration() == null ? BAD_CONFIGURATION : DONE;
    }

    private static String verdict(Findings findings) {
        int errors = findings.errorCount();
        int warnings = findings.warnings().size();
        if (errors > 0) {
            return "cannot be used, " + errors + (errors == 1 ? " error" : " errors");
        }
        return warnings == 0
                ? "good"
                : "can be used, " + warnings + (warnings == 1 ? " warning" : " warnings");
    }

    private static Map<String, Object> toJson(Finding finding) {
        Map<String, Object> object =
                Schema.map(
                        "severity", finding.severity().name().toLowerCase(Locale.ROOT),
                        "file", finding.place().file(),
                        "line", finding.place().line(),
                        "column", finding.place().column(),
                        "path", finding.path(),
                        "reason", finding.reason());
        if (finding.mend() != null) {
            object.put("mend", finding.mend());
        }
        return object;
    }
}
