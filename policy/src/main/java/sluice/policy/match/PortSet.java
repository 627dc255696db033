package sluice.policy.match;

import java.util.Arrays;
import java.util.Collection;

/// A set of ports as sorted ranges that do not touch. Thread-safe; asking is a binary search.
public final class PortSet {

    /// Ports `from` to `to`, both included.
    ///
    /// @param from 0 to 65535
    /// @param to `from` to 65535
    public record Range(int from, int to) {

        /// @throws IllegalArgumentException when a bound is no port or the range is empty
        public Range {
            if (from < 0 || to > 65_535) {
                throw new IllegalArgumentException("ports go from 0 to 65535");
            }
            if (from > to) {
                throw new IllegalArgumentException(from + ":" + to + " ends before it begins");
            }
        }

        /// A range of one.
        public static Range of(int port) {
            return new Range(port, port);
        }

        /// Reads `1000:2000`, `:3000` or `4000:`.
        ///
        /// @throws IllegalArgumentException with a reason
        public static Range parse(String text) {
            int colon = text.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" has no colon; a range is 1000:2000, :3000 or 4000:");
            }
            if (text.length() == 1) {
                throw new IllegalArgumentException("\":\" has no bound");
            }
            int from = colon == 0 ? 0 : bound(text, 0, colon);
            int to = colon == text.length() - 1 ? 65_535 : bound(text, colon + 1, text.length());
            return new Range(from, to);
        }

        private static int bound(String text, int from, int to) {
            int value = 0;
            for (int i = from; i < to; i++) {
                char c = text.charAt(i);
                if (c < '0' || c > '9' || i - from >= 5) {
                    throw new IllegalArgumentException(
                            "\"" + text.substring(from, to) + "\" is not a port (0 to 65535)");
                }
                value = value * 10 + (c - '0');
            }
            return value;
        }

        @Override
        public String toString() {
            return from == to ? Integer.toString(from) : from + ":" + to;
        }
    }

    private final int[] froms;
    private final int[] tos;

    private PortSet(int[] froms, int[] tos) {
        this.froms = froms;
        this.tos = tos;
    }

    /// Compiles a set; ranges may overlap.
    public static PortSet of(Collection<Range> ranges) {
        Range[] sorted = ranges.toArray(new Range[0]);
        Arrays.sort(sorted, (a, b) -> Integer.compare(a.from(), b.from()));
        int[] froms = new int[sorted.length];
        int[] tos = new int[sorted.length];
        int count = 0;
        for (Range range : sorted) {
            if (count > 0 && range.from() <= tos[count - 1] + 1) {
                tos[count - 1] = Math.max(tos[count - 1], range.to());
            } else {
                froms[count] = range.from();
                tos[count++] = range.to();
            }
        }
        return new PortSet(Arrays.copyOf(froms, count), Arrays.copyOf(tos, count));
    }

    /// Whether `port` is in the set.
    public boolean contains(int port) {
        int at = Arrays.binarySearch(froms, port);
        int below = at >= 0 ? at : -at - 2;
        return below >= 0 && port <= tos[below];
    }
}
