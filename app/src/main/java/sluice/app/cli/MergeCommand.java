package sluice.app.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;

/// `sluice merge`.
final class MergeCommand implements Command {

    @Override
    public String help() {
        return """
        sluice merge OUT [-c FILE]... [-C DIR]... [-D DIR]

        Puts several configurations into one, as JSON: objects by key, lists one behind the other.
        Two files that say different things of one value are an error. References such as
        ${env:NAME} stay as they are written; comments are lost.

          OUT                          the file to write; - is standard output
          -c, --config FILE            a configuration; may be given again, - is standard input
          -C, --config-directory DIR   all configurations in a directory, by name
          -D, --directory DIR          where relative paths begin

        Example:
          sluice merge all.json -C conf.d
        """;
    }

    @Override
    public List<Option> options() {
        return Option.CONFIGURATION;
    }

    @Override
    public int run(Arguments arguments, Console console) throws IOException {
        String target = arguments.onlyWord("the file to write");
        LoadRequest request = arguments.request(List.of());
        String merged = Configurations.merged(request);
        if (target.equals("-")) {
            console.out().print(merged);
        } else {
            Files.replace(
                    request.workDirectory().resolve(target),
                    merged.getBytes(StandardCharsets.UTF_8));
        }
        return DONE;
    }
}
