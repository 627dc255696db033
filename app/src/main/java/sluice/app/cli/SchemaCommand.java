package sluice.app.cli;

import java.util.List;
import sluice.app.config.Configurations;

/// `sluice schema`.
final class SchemaCommand implements Command {

    @Override
    public String help() {
        return """
        sluice schema

        Prints the JSON Schema of a configuration. Editors that know it complete keys and mark
        mistakes; "$schema" in a configuration tells them where it is.

        Example:
          sluice schema > sluice.schema.json
        """;
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public int run(Arguments arguments, Console console) {
        arguments.noWords();
        console.out().print(Configurations.schema());
        return DONE;
    }
}
