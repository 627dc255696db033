package sluice.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Nearest;

/// A command line, cut into plain words and options.
final class Words {

    private final List<String> plain = new ArrayList<>();
    private final Map<String, String> options = new LinkedHashMap<>();

    private Words() {}

    /// @param flags options without a value, with their dashes
    /// @param valued options with one, as `--name VALUE` or `--name=VALUE`
    /// @throws WrongWords when an option is none of these, or lacks its value
    static Words parse(List<String> line, Set<String> flags, Set<String> valued) {
        Words words = new Words();
        List<String> left = new ArrayList<>(line);
        while (!left.isEmpty()) {
            String word = left.removeFirst();
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            if (!word.startsWith("-") || word.equals("-")) {
                words.plain.add(word);
            } else if (flags.contains(word)) {
                words.options.put(word, "");
            } else if (!valued.contains(name)) {
                List<String> known = new ArrayList<>(flags);
                known.addAll(valued);
                throw new WrongWords("there is no option " + name + orNearest(name, known));
            } else if (equals >= 0) {
                words.options.put(name, word.substring(equals + 1));
            } else if (left.isEmpty() || left.getFirst().startsWith("--")) {
                throw new WrongWords(name + " needs a value behind it");
            } else {
                words.options.put(name, left.removeFirst());
            }
        }
        return words;
    }

    List<String> plain() {
        return plain;
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    @Nullable String value(String option) {
        return options.get(option);
    }

    /// A value that is a number.
    ///
    /// @param otherwise what it is where the option is missing
    int number(String option, int otherwise, int least, int most) {
        String text = options.get(option);
        if (text == null) {
            return otherwise;
        }
        if (text.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new WrongWords(
                option + " is " + text + ", but must be a number from " + least + " to " + most);
    }

    /// The parts of a value with commas between them; none where the option is missing.
    List<String> list(String option) {
        String text = options.get(option);
        return text == null
                ? List.of()
                : Arrays.stream(text.split(","))
                        .map(String::trim)
                        .filter(s -> !s.isEmpty())
                        .toList();
    }

    /// `; did you mean x?`, or what there is, for a word that is not known.
    static String orNearest(String word, List<String> known) {
        String near = Nearest.to(word, known);
        return near == null
                ? "; there is " + String.join(", ", known)
                : "; did you mean " + near + "?";
    }
}
