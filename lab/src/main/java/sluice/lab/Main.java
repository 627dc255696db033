package sluice.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.lab.report.ReportCommand;

/// The lab's command line.
public final class Main {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int INTERRUPTED = 130;

    /// Where runs are logged unless something else is said.
    static final String LOG = "sluice-lab.jsonl";

    private static final List<String> NAMES = List.of("peers", "run", "report", "compare");

    static final String HELP =
            """
            sluice lab: measures Sluice beside other engines, on this machine.

            sluice lab peers      says which engines are found, and how to get the others
            sluice lab run        measures, and logs every measurement
            sluice lab report     makes a page of a log
            sluice lab compare    sets two logs side by side

            sluice lab COMMAND --help says more about one of them.

            Example:
              sluice lab run --quick && sluice lab report --html report.html
            """;

    static final String PEERS_HELP =
            """
            sluice lab peers [--peers DIR]

            Lists the engines that the lab can start: which are found in DIR or on PATH, which
            version each is, what each can do, and how to get those that are missing.

            Example:
              sluice lab peers --peers ~/peers
            """;

    static final String REPORT_HELP =
            """
            sluice lab report [LOG] [--html FILE] [--markdown FILE] [--causes FILE]

            Makes a page of a log (./sluice-lab.jsonl): the same log gives the same page.
            Without a file it prints Markdown. Causes of losses, written by hand, are read
            from FILE or from the one beside the log.

            Example:
              sluice lab report --html report.html
            """;

    static final String COMPARE_HELP =
            """
            sluice lab compare A B

            Sets two logs side by side: two machines, or two versions.

            Example:
              sluice lab compare before.jsonl after.jsonl
            """;

    private final Parts parts;
    private final PrintStream out;
    private final PrintStream err;

    /// @param out gets what was asked for
    /// @param err gets progress and complaints
    Main(Parts parts, PrintStream out, PrintStream err) {
        this.parts = parts;
        this.out = out;
        this.err = err;
    }

    /// Ends the process with the code of the command: 0 done, 1 failed, 2 wrong command line, 130
    /// interrupted.
    public static void main(String[] line) {
        System.exit(new Main(Assembly.parts(), System.out, System.err).run(List.of(line)));
    }

    int run(List<String> line) {
        List<String> words = new ArrayList<>(line);
        String name = words.isEmpty() ? "help" : words.removeFirst();
        boolean help = Set.of("help", "--help", "-h").contains(name);
        if (help && words.isEmpty()) {
            out.print(HELP);
            return DONE;
        }
        if (help) {
            name = words.removeFirst();
            words = List.of("--help");
        }
        try {
            return command(name, words);
        } catch (WrongWords wrong) {
            err.println("sluice lab " + name + ": " + wrong.getMessage());
            err.println(
                    "sluice lab "
                            + (NAMES.contains(name) ? name + " --help says" : "help says")
                            + " how it is called");
            return USAGE;
        } catch (IOException | UncheckedIOException fault) {
            err.println("sluice lab " + name + ": " + fault.getMessage());
            return FAILED;
        } catch (InterruptedException ended) {
            return INTERRUPTED;
        }
    }

    private int command(String name, List<String> words) throws IOException, InterruptedException {
        boolean help = words.contains("--help") || words.contains("-h");
        switch (name) {
            case "peers" -> {
                return help ? print(PEERS_HELP) : peers(words);
            }
            case "run" -> {
                RunCommand command = new RunCommand(parts.beds(), parts.clarity(), err);
                return help
                        ? print(RunCommand.HELP)
                        : command.run(words, parts.finder(), version());
            }
            case "report" -> {
                return help ? print(REPORT_HELP) : report(words);
            }
            case "compare" -> {
                return help ? print(COMPARE_HELP) : compare(words);
            }
            default ->
                    throw new WrongWords("there is no such command" + Words.orNearest(name, NAMES));
        }
    }

    private int print(String text) {
        out.print(text);
        return DONE;
    }

    private int peers(List<String> line) throws IOException, InterruptedException {
        Words words = Words.parse(line, Set.of(), Set.of("--peers"));
        none(words.plain());
        Path folder = pathOrNull(words, "--peers");
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IOException(folder + " is no folder");
        }
        parts.peers().print(parts.finder().find(folder), out);
        return DONE;
    }

    private int report(List<String> line) {
        Words words = Words.parse(line, Set.of(), Set.of("--html", "--markdown", "--causes"));
        List<String> plain = words.plain();
        if (plain.size() > 1) {
            none(plain.subList(1, plain.size()));
        }
        return parts.report()
                .run(
                        new ReportCommand.Request(
                                Path.of(plain.isEmpty() ? LOG : plain.getFirst()),
                                pathOrNull(words, "--html"),
                                pathOrNull(words, "--markdown"),
                                pathOrNull(words, "--causes")),
                        out,
                        err);
    }

    private int compare(List<String> line) {
        List<String> plain = Words.parse(line, Set.of(), Set.of()).plain();
        if (plain.size() != 2) {
            throw new WrongWords("needs two logs, not " + plain.size());
        }
        return parts.compare().run(Path.of(plain.get(0)), Path.of(plain.get(1)), out, err);
    }

    private static void none(List<String> plain) {
        if (!plain.isEmpty()) {
            throw new WrongWords("cannot do anything with " + plain.getFirst());
        }
    }

    private static @Nullable Path pathOrNull(Words words, String option) {
        return Optional.ofNullable(words.value(option)).map(Path::of).orElse(null);
    }

    /// The version and the commit that this lab was built from.
    static String version() {
        try (InputStream text = Main.class.getResourceAsStream("version.txt")) {
            if (text == null) {
                return "unknown";
            }
            String said = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            // A build by Maven alone knows no commit and leaves its placeholder.
            return said.replaceAll("\\$\\{.*}", "").trim();
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}
