package sluice.app.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;

/// `sluice format`.
final class FormatCommand implements Command {

    private static final Option WRITE = new Option('w', "write", false);

    @Override
    public String help() {
        return """
        sluice format [-w] [-c FILE]... [-C DIR]... [-D DIR] [FILE]...

        Lays configurations out anew: two blanks a level, a key a line, comments where they were.
        Prints the result, or changes the files.

          -w, --write                  changes the files that are not laid out so, and names them
          -c, --config FILE            a configuration; - is standard input
          -C, --config-directory DIR   all configurations in a directory
          -D, --directory DIR          where relative paths begin

        Example:
          sluice format -w -c config.json
        """;
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(Option.CONFIGURATION);
        options.add(WRITE);
        return options;
    }

    @Override
    public int run(Arguments arguments, Console console) throws IOException {
        LoadRequest request = arguments.requestWithWords();
        List<String> names = Configurations.files(request);
        if (names.isEmpty()) {
            throw new UsageFault("there is no configuration; name one with -c");
        }
        for (String name : names) {
            boolean standardInput = name.equals("-");
            Path path = request.workDirectory().resolve(name);
            byte[] before =
                    standardInput
                            ? System.in.readAllBytes()
                            : java.nio.file.Files.readAllBytes(path);
            byte[] after = Configurations.formatted(name, before).getBytes(StandardCharsets.UTF_8);
            if (!arguments.has(WRITE) || standardInput) {
                console.out().write(after);
                console.out().flush();
            } else if (!Arrays.equals(before, after)) {
                Files.replace(path, after);
                console.out().println(name);
            }
        }
        return DONE;
    }
}
