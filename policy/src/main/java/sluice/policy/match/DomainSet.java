package sluice.policy.match;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import sluice.base.net.DomainName;

/// A set of whole names and of suffixes on label boundaries. Thread-safe, since nothing changes
/// after [#of].
///
/// All entries lie in one `char` array and are found by hash: a name is hashed from its last
/// character to its first, and the table is asked wherever a label begins. So the cost of an answer
/// depends on the labels of the name and not on the size of the set. A million suffixes of 16
/// characters take about 50 MB.
///
/// The meaning of a suffix is sing-box's: `example.com` stands for the name itself and every name
/// below it, `.example.com` only for the names below it.
public final class DomainSet {

    /// The set without entries.
    public static final DomainSet EMPTY = new Builder(0, 0).build();

    private static final byte WHOLE = 1;
    private static final byte BELOW = 2;

    private final int count;
    private final int mask;
    private final int[] starts;
    private final byte[] meanings;
    private final char[] text;

    private DomainSet(int count, int[] starts, byte[] meanings, char[] text) {
        this.count = count;
        this.mask = starts.length - 1;
        this.starts = starts;
        this.meanings = meanings;
        this.text = text;
    }

    /// Compiles a set. Case and one trailing dot do not matter.
    ///
    /// @param names whole names
    /// @param suffixes suffixes, with or without a leading dot
    /// @throws IllegalArgumentException when an entry is empty; [#refusalOrNull] says so beforehand
    public static DomainSet of(Collection<String> names, Collection<String> suffixes) {
        int chars = 0;
        for (String name : names) {
            chars += name.length() + 1;
        }
        for (String suffix : suffixes) {
            chars += suffix.length() + 1;
        }
        Builder builder = new Builder(names.size() + suffixes.size(), chars);
        for (String name : names) {
            builder.add(normalised(name), WHOLE);
        }
        for (String suffix : suffixes) {
            if (suffix.startsWith(".")) {
                builder.add(normalised(suffix.substring(1)), BELOW);
            } else {
                builder.add(normalised(suffix), (byte) (WHOLE | BELOW));
            }
        }
        return builder.build();
    }

    /// Why `entry` cannot be a name or, without its leading dot, a suffix; null where it can.
    public static @Nullable String refusalOrNull(String entry) {
        String body = entry.startsWith(".") ? entry.substring(1) : entry;
        try {
            String form = new DomainName(body).toMatchForm();
            return form.startsWith(".") || form.endsWith(".") ? "has an empty label" : null;
        } catch (IllegalArgumentException malformed) {
            return String.valueOf(malformed.getMessage());
        }
    }

    /// How many different names the entries have.
    public int count() {
        return count;
    }

    /// Whether `name` is in the set.
    ///
    /// @param name in the form of [DomainName#toMatchForm]
    public boolean contains(String name) {
        if (count == 0) {
            return false;
        }
        int hash = 0;
        for (int i = name.length() - 1; i >= 0; i--) {
            hash = hash * 31 + name.charAt(i);
            if (i == 0 || name.charAt(i - 1) == '.') {
                int meaning = meaning(name, i, hash);
                if ((meaning & (i == 0 ? WHOLE : BELOW)) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private int meaning(String name, int from, int hash) {
        int slot = spread(hash) & mask;
        while (starts[slot] != 0) {
            if (isAt(starts[slot], name, from)) {
                return meanings[slot];
            }
            slot = (slot + 1) & mask;
        }
        return 0;
    }

    /// Entries end with a zero, which no name holds.
    private boolean isAt(int start, String name, int from) {
        int at = start;
        for (int i = from; i < name.length(); i++) {
            if (text[at++] != name.charAt(i)) {
                return false;
            }
        }
        return text[at] == 0;
    }

    private static String normalised(String entry) {
        return new DomainName(entry).toMatchForm();
    }

    private static int spread(int hash) {
        return hash * 0x9e37_79b9 >>> 7;
    }

    /// Fills the table; used once.
    private static final class Builder {
        private final int[] starts;
        private final byte[] meanings;
        private char[] text;
        private int used = 1;
        private int count;

        /// A table of at least twice the entries, so that probing stays short.
        Builder(int entries, int chars) {
            int slots = Math.max(2, Integer.highestOneBit(Math.max(1, entries)) << 2);
            starts = new int[slots];
            meanings = new byte[slots];
            text = new char[chars + 1];
        }

        void add(String name, byte meaning) {
            int hash = 0;
            for (int i = name.length() - 1; i >= 0; i--) {
                hash = hash * 31 + name.charAt(i);
            }
            int slot = spread(hash) & (starts.length - 1);
            while (starts[slot] != 0) {
                if (isAt(starts[slot], name)) {
                    meanings[slot] |= meaning;
                    return;
                }
                slot = (slot + 1) & (starts.length - 1);
            }
            starts[slot] = used;
            meanings[slot] = meaning;
            count++;
            name.getChars(0, name.length(), text, used);
            used += name.length() + 1;
        }

        private boolean isAt(int start, String name) {
            for (int i = 0; i < name.length(); i++) {
                if (text[start + i] != name.charAt(i)) {
                    return false;
                }
            }
            return text[start + name.length()] == 0;
        }

        DomainSet build() {
            return new DomainSet(count, starts, meanings, Arrays.copyOf(text, used + 1));
        }
    }
}
