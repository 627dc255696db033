package sluice.app.cli;

import java.util.List;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;

/// Says which configuration a command line means.
final class Origin {

    private Origin() {}

    /// `configuration config.json`.
    static String of(LoadRequest request) {
        if (!request.links().isEmpty()) {
            return "configuration of the link";
        }
        List<String> files = Configurations.files(request);
        if (files.isEmpty() && !request.directories().isEmpty()) {
            return "configuration " + String.join(", ", request.directories());
        }
        if (files.isEmpty()) {
            return "no configuration found; the built-in one: mixed on 127.0.0.1:7890";
        }
        return "configuration "
                + String.join(
                        ", ",
                        files.stream()
                                .map(name -> name.equals("-") ? "from standard input" : name)
                                .toList());
    }
}
