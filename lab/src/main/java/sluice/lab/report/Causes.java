package sluice.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Why Sluice loses where it loses, as somebody found out and wrote down by hand: lines of bed,
/// measure, case and cause with tabs between them. The case is as `lab` prints it, its values with
/// spaces between them; it may end in `*`, and the measure may be `*`. The first line that fits
/// counts. Lines that begin with `#` are comments.
///
/// @param entries in order
record Causes(List<Entry> entries) {

    /// What stands where nobody wrote a cause.
    static final String UNKNOWN = "not looked into yet";

    /// One line.
    record Entry(String bed, String measure, String each, String cause) {
        boolean fits(Finding finding) {
            String there = finding.each().toString();
            boolean sameCase =
                    each.endsWith("*")
                            ? there.startsWith(each.substring(0, each.length() - 1))
                            : there.equals(each);
            return bed.equals(finding.table().bed())
                    && (measure.equals("*") || measure.equals(finding.table().measure().name()))
                    && sameCase;
        }
    }

    static final Causes NONE = new Causes(List.of());

    /// The file beside a log: `x.jsonl` has `x.causes.tsv`.
    static Path besides(Path log) {
        String name = String.valueOf(log.getFileName()).replaceFirst("\\.jsonl$", "");
        return log.resolveSibling(name + ".causes.tsv");
    }

    /// Reads a file.
    ///
    /// @throws IOException when it cannot be read, or a line has not four fields
    static Causes read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            List<String> words = List.of(line.split("\t", 4));
            if (words.size() < 4) {
                throw new IOException(
                        file
                                + ":"
                                + number
                                + ": "
                                + words.size()
                                + " fields; a line is bed, measure, case and cause with tabs"
                                + " between them");
            }
            entries.add(
                    new Entry(
                            words.get(0).strip(),
                            words.get(1).strip(),
                            words.get(2).strip(),
                            words.get(3).strip()));
        }
        return new Causes(List.copyOf(entries));
    }

    /// The cause of a loss, if it is known.
    Optional<String> of(Finding finding) {
        return entries.stream()
                .filter(entry -> entry.fits(finding))
                .map(Entry::cause)
                .filter(cause -> !cause.isEmpty())
                .findFirst();
    }
}
