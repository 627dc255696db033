package sluice.base.config;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Finds the word that was probably meant.
public final class Nearest {

    private Nearest() {}

    /// The candidate with the fewest edits (insert, remove, replace, swap two neighbours) to
    /// `word`, upper and lower case alike; null where none is near enough to be worth naming: more
    /// edits than a third of its letters, or as many as the shorter of the two has.
    public static @Nullable String to(String word, Collection<String> candidates) {
        String best = null;
        int bestEdits = Integer.MAX_VALUE;
        String plain = reduce(word);
        for (String candidate : candidates) {
            String other = reduce(candidate);
            int limit = Math.max(1, Math.max(plain.length(), other.length()) / 3);
            int edits = plain.equals(other) ? 0 : edits(plain, other);
            boolean isNear =
                    edits == 0
                            || edits <= limit && edits < Math.min(plain.length(), other.length());
            if (isNear && edits < bestEdits) {
                best = candidate;
                bestEdits = edits;
            }
        }
        return best;
    }

    /// Case, invisible characters and the choice between `-` and `_` are not what a reader
    /// mistakes.
    private static String reduce(String word) {
        StringBuilder kept = new StringBuilder(Math.min(word.length(), 64));
        for (int i = 0; i < word.length() && kept.length() < 64; i++) {
            char c = word.charAt(i);
            if (c > ' ' && Character.getType(c) != Character.FORMAT) {
                kept.append(c == '-' ? '_' : Character.toLowerCase(c));
            }
        }
        return kept.toString();
    }

    /// Optimal string alignment distance.
    private static int edits(String a, String b) {
        int[][] rows = new int[3][b.length() + 1];
        Arrays.setAll(rows[0], i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int[] row = rows[i % 3];
            int[] above = rows[(i + 2) % 3];
            int[] twoAbove = rows[(i + 1) % 3];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int best = above[j - 1] + (same ? 0 : 1);
                best = Math.min(best, Math.min(above[j], row[j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    best = Math.min(best, twoAbove[j - 2] + 1);
                }
                row[j] = best;
            }
        }
        return rows[a.length() % 3][b.length()];
    }
}
