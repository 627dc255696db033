package sluice.app.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.app.config.LoadRequest;
import sluice.base.config.Nearest;
import sluice.base.config.Shown;

/// The words behind a command, sorted into options and the rest. `-c FILE`, `--config FILE` and
/// `--config=FILE` are the same; `--` ends the options.
final class Arguments {

    private record Given(Option option, String value) {}

    private final List<Given> given = new ArrayList<>();
    private final List<String> words = new ArrayList<>();

    private Arguments() {}

    /// Sorts.
    ///
    /// @throws UsageFault for an option that is not there, or one without its value
    static Arguments parse(List<String> line, List<Option> options) {
        Arguments arguments = new Arguments();
        int at = 0;
        while (at < line.size()) {
            String word = line.get(at++);
            if (word.equals("--")) {
                arguments.words.addAll(line.subList(at, line.size()));
                break;
            }
            if (word.length() < 2 || word.charAt(0) != '-') {
                arguments.words.add(word);
                continue;
            }
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String name = equals < 0 ? word : word.substring(0, equals);
            Option option = find(name, options);
            if (!option.takesValue()) {
                if (equals >= 0) {
                    throw new UsageFault(name + " takes no value");
                }
                arguments.given.add(new Given(option, ""));
            } else if (equals >= 0) {
                arguments.given.add(new Given(option, word.substring(equals + 1)));
            } else if (at < line.size()) {
                arguments.given.add(new Given(option, line.get(at++)));
            } else {
                throw new UsageFault(name + " needs a value behind it");
            }
        }
        return arguments;
    }

    private static Option find(String word, List<Option> options) {
        List<String> names = new ArrayList<>();
        for (Option option : options) {
            if (word.equals("--" + option.name())
                    || word.length() == 2 && option.letter() == word.charAt(1)) {
                return option;
            }
            names.add("--" + option.name());
        }
        String near = Nearest.to(word, names);
        throw new UsageFault(
                "there is no option "
                        + Shown.plain(word)
                        + (near == null ? "" : "; did you mean " + near + "?"));
    }

    /// Whether the option was given.
    boolean has(Option option) {
        return given.stream().anyMatch(each -> each.option().equals(option));
    }

    /// The option's value, the last one where it was given twice; null where it was not.
    @Nullable String value(Option option) {
        List<String> all = values(option);
        return all.isEmpty() ? null : all.getLast();
    }

    /// All values of the option, in order.
    List<String> values(Option option) {
        return given.stream()
                .filter(each -> each.option().equals(option))
                .map(Given::value)
                .toList();
    }

    /// The words that are no options.
    List<String> words() {
        return words;
    }

    /// The only word.
    ///
    /// @param what it is, for the message
    /// @throws UsageFault when there is none, or more
    String onlyWord(String what) {
        if (words.size() != 1) {
            throw new UsageFault(words.isEmpty() ? "needs " + what : "takes one word: " + what);
        }
        return words.getFirst();
    }

    /// Checks that there are no words.
    ///
    /// @throws UsageFault when there are
    void noWords() {
        if (!words.isEmpty()) {
            throw new UsageFault("there is nothing to do with " + Shown.quoted(words.getFirst()));
        }
    }

    /// The configuration that the options mean.
    ///
    /// @param links share links to run instead of files
    LoadRequest request(List<String> links) {
        return new LoadRequest(
                values(Option.CONFIG), values(Option.CONFIG_DIRECTORY), links, workDirectory());
    }

    private Path workDirectory() {
        String directory = value(Option.DIRECTORY);
        if (directory == null) {
            return Path.of("");
        }
        Path path;
        try {
            path = Path.of(directory);
        } catch (InvalidPathException _) {
            throw new UsageFault(Shown.quoted(directory) + " is not a path");
        }
        // The empty path is the working directory of the process.
        if (!java.nio.file.Files.isDirectory(path.toAbsolutePath())) {
            String problem =
                    java.nio.file.Files.exists(path)
                            ? Shown.plain(directory) + " is not a folder"
                            : "there is no folder " + Shown.plain(directory);
            throw new UsageFault("-D: " + problem);
        }
        return path;
    }

    /// The configuration that the options mean; words are files too.
    LoadRequest requestWithWords() {
        LoadRequest request = request(List.of());
        List<String> files = new ArrayList<>(request.files());
        files.addAll(words);
        return new LoadRequest(files, request.directories(), List.of(), request.workDirectory());
    }
}
