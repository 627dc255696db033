package sluice.base.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Everything that is wrong with a configuration, gathered while it is read: errors forbid its use,
/// warnings do not. Used by one thread.
public final class Findings {

    /// How bad it is.
    public enum Severity {
        /// The configuration cannot be used.
        ERROR,
        /// It can, but probably does not mean what it says.
        WARNING
    }

    /// One thing wrong.
    ///
    /// @param severity how bad
    /// @param place where it stands
    /// @param path which value, such as `outbounds[2].server_port`; empty for the root
    /// @param reason what is wrong, one sentence without a full stop; no secrets
    /// @param mend what to write or do instead, or null
    public record Finding(
            Severity severity, Place place, String path, String reason, @Nullable String mend) {

        /// One line, and a second one for the mend.
        @Override
        public String toString() {
            return text(severity == Severity.WARNING ? "warning: " : "");
        }

        /// The same without its severity, for a log that has levels of its own.
        public String withoutSeverity() {
            return text("");
        }

        private String text(String word) {
            StringBuilder line = new StringBuilder(place.toString()).append("  ").append(word);
            if (!path.isEmpty()) {
                line.append(path).append(": ");
            }
            line.append(reason);
            if (mend != null) {
                line.append("\n    mend: ").append(mend);
            }
            return line.toString();
        }
    }

    /// Chosen: more than anyone reads. A file of millions of mistakes must not fill the memory.
    static final int MOST = 1000;

    private final Set<Finding> findings = new LinkedHashSet<>();
    private int untold;
    private final Set<Place> settled = new HashSet<>();
    private int errors;

    /// Nothing found yet.
    public Findings() {}

    /// Adds an error.
    public void error(Place place, String path, String reason, @Nullable String mend) {
        add(new Finding(Severity.ERROR, place, path, reason, mend));
    }

    /// Adds a warning.
    public void warn(Place place, String path, String reason, @Nullable String mend) {
        add(new Finding(Severity.WARNING, place, path, reason, mend));
    }

    /// Says that what is wrong with the value at `place` is told: what comes later about it only
    /// follows from that, and is left out.
    public void settle(Place place) {
        settled.add(place);
    }

    /// Adds a finding; the same one twice counts once. Beyond a thousand they are only counted.
    public void add(Finding finding) {
        if (settled.contains(finding.place())) {
            return;
        }
        if (findings.size() >= MOST) {
            untold++;
            errors += finding.severity() == Severity.ERROR ? 1 : 0;
            return;
        }
        if (findings.add(finding) && finding.severity() == Severity.ERROR) {
            errors++;
        }
    }

    /// Whether the configuration cannot be used.
    public boolean hasErrors() {
        return errors > 0;
    }

    /// How many errors there are.
    public int errorCount() {
        return errors;
    }

    /// All findings, by file in the order they were first met, then by line and column.
    public List<Finding> all() {
        List<String> files = findings.stream().map(f -> f.place().file()).distinct().toList();
        return findings.stream()
                .sorted(
                        Comparator.<Finding>comparingInt(f -> files.indexOf(f.place().file()))
                                .thenComparingInt(f -> f.place().line())
                                .thenComparingInt(f -> f.place().column()))
                .toList();
    }

    /// The warnings alone, in the order of [#all].
    public List<Finding> warnings() {
        return all().stream().filter(f -> f.severity() == Severity.WARNING).toList();
    }

    /// The whole report, ready to print, without a line end behind it.
    public String report() {
        List<String> lines = new ArrayList<>(all().stream().map(Finding::toString).toList());
        if (untold > 0) {
            lines.add("and " + untold + " more");
        }
        return String.join("\n", lines);
    }
}
