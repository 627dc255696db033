package sluice.lab.bed;

import java.util.Set;
import sluice.lab.engine.Protocol;

/// How long and how often is measured. Figures of different settings never share a table.
///
/// @param profile `full` or `quick`
/// @param seconds measured time of a throughput figure
/// @param omit seconds before it that do not count
/// @param rounds how often each case is repeated
/// @param protocols those that are measured; empty for all
public record Settings(String profile, int seconds, int omit, int rounds, Set<Protocol> protocols) {

    /// What the seeds did: 2 s dropped, 10 s measured, three rounds.
    public static final Settings FULL = new Settings("full", 10, 2, 3, Set.of());

    /// All beds in about two minutes.
    public static final Settings QUICK = new Settings("quick", 1, 0, 1, Set.of());

    public Settings {
        protocols = Set.copyOf(protocols);
    }

    /// Whether this is the short one.
    public boolean quick() {
        return profile.equals("quick");
    }

    /// What a reader must know to repeat it; the same text for the same settings. Protocols and
    /// rounds are not part of it.
    public String text() {
        return profile + ", " + seconds + " s measured after " + omit + " s";
    }
}
