package sluice.app.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Nearest;
import sluice.base.config.Shown;
import sluice.base.fault.ConfigFault;
import sluice.base.fault.Fault;

/// Finds the command that a command line means, and runs it.
public final class Commands {

    /// Their names, in the order of the manual.
    static final List<String> NAMES =
            List.of("run", "check", "format", "merge", "schema", "generate", "version", "tools");

    static final String HELP =
            """
            Sluice, a proxy engine.

            sluice run         runs in the foreground
            sluice check       says what is wrong with a configuration
            sluice format      lays a configuration out anew
            sluice merge       puts several files into one
            sluice schema      prints the JSON Schema of a configuration, for editors
            sluice generate    makes keys, identifiers and share links
            sluice version     says what this is, and what the system has
            sluice tools       connects, fetches and looks names up through the outbounds
            sluice lab         measures Sluice and other engines side by side

            sluice COMMAND --help says more about one of them.

            Without -c, the configuration is ./config.json or .yaml, then the one in
            $XDG_CONFIG_HOME/sluice/, then the one in /etc/sluice/. Where there is none,
            SOCKS and HTTP are served on 127.0.0.1:7890, and traffic goes out directly.

            Example:
              sluice check -c config.yaml && sluice run -c config.yaml
            """;

    private final Doors doors;

    /// @param doors to what the commands start
    public Commands(Doors doors) {
        this.doors = doors;
    }

    /// Runs a command line and returns the exit code: 0 done, 1 failed at run time, 2 wrong command
    /// line, 23 wrong configuration.
    public int run(List<String> line, Console console) {
        List<String> words = new ArrayList<>(line);
        String name = words.isEmpty() ? "help" : words.removeFirst();
        boolean asksForHelp = List.of("help", "--help", "-h").contains(name);
        if (asksForHelp && words.isEmpty()) {
            console.out().print(HELP);
            return Command.DONE;
        }
        if (asksForHelp) {
            name = words.removeFirst();
            words.clear();
            words.add("--help");
        }
        if (name.equals("--version") || name.equals("-v")) {
            name = "version";
        }
        Command command = find(name);
        if (command == null) {
            String near = Nearest.to(name, NAMES);
            console.err()
                    .println(
                            "sluice: there is no command "
                                    + Shown.quoted(name)
                                    + (near == null ? "" : "; did you mean " + near + "?"));
            console.err().println("sluice help lists the commands.");
            return Command.USAGE;
        }
        return run(name, command, words, console);
    }

    private static int run(String name, Command command, List<String> words, Console console) {
        try {
            List<Option> options = new ArrayList<>(command.options());
            options.add(Option.HELP);
            Arguments arguments = Arguments.parse(words, options);
            if (arguments.has(Option.HELP)) {
                console.out().print(command.help());
                return Command.DONE;
            }
            return command.run(arguments, console);
        } catch (UsageFault fault) {
            console.err().println("sluice " + name + ": " + fault.getMessage());
            console.err().println("sluice " + name + " --help says how it is called.");
            return Command.USAGE;
        } catch (ConfigFault fault) {
            console.err().println(fault.reason());
            return Command.BAD_CONFIGURATION;
        } catch (Fault fault) {
            console.err().println("sluice " + name + ": " + fault.reason());
            return Command.FAILED;
        } catch (IOException fault) {
            console.err().println("sluice " + name + ": " + Files.why(fault));
            return Command.FAILED;
        }
    }

    /// A class is loaded when its command is called.
    private @Nullable Command find(String name) {
        return switch (name) {
            case "run" -> new RunCommand(doors);
            case "check" -> new CheckCommand();
            case "format" -> new FormatCommand();
            case "merge" -> new MergeCommand();
            case "schema" -> new SchemaCommand();
            case "generate" -> new GenerateCommand();
            case "version" -> new VersionCommand(doors);
            case "tools" -> new ToolsCommand(doors);
            case "warmup" -> new WarmupCommand(doors);
            default -> null;
        };
    }
}
