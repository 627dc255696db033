package sluice.lab.load;

import java.util.Arrays;

/// Percentiles by nearest rank: always a value that was measured, none in between.
public final class Percentiles {

    private final long[] sorted;

    /// @param values at least one, in any order
    /// @throws IllegalArgumentException when there are none
    public Percentiles(long... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values, so no percentiles");
        }
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    /// The smallest value that is not below this share of all values.
    ///
    /// @param perMille above 0, at most 1000: 500 is the median, 999 is p99.9
    public long at(int perMille) {
        if (perMille < 1 || perMille > 1000) {
            throw new IllegalArgumentException(perMille + " is not within 1 and 1000");
        }
        long rank = (sorted.length * (long) perMille + 999) / 1000;
        return sorted[(int) rank - 1];
    }

    /// How many values there are.
    public int count() {
        return sorted.length;
    }
}
