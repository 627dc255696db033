package sluice.policy.match;

import java.util.Collection;
import java.util.Locale;

/// Pieces of text that a name may hold anywhere. Thread-safe; asking costs one search per keyword.
public final class KeywordSet {

    private final String[] keywords;

    private KeywordSet(String[] keywords) {
        this.keywords = keywords;
    }

    /// Compiles a set. Case does not matter.
    ///
    /// @throws IllegalArgumentException when a keyword is empty, since it would match everything
    public static KeywordSet of(Collection<String> keywords) {
        String[] lower = new String[keywords.size()];
        int count = 0;
        for (String keyword : keywords) {
            if (keyword.isEmpty()) {
                throw new IllegalArgumentException("an empty keyword matches every name");
            }
            lower[count++] = keyword.toLowerCase(Locale.ROOT);
        }
        return new KeywordSet(lower);
    }

    /// Whether `name` holds one of the keywords.
    ///
    /// @param name in the form of [sluice.base.net.DomainName#toMatchForm]
    public boolean isIn(String name) {
        for (String keyword : keywords) {
            if (name.contains(keyword)) {
                return true;
            }
        }
        return false;
    }
}
