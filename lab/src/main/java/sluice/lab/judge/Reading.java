package sluice.lab.judge;

import java.util.List;
import java.util.stream.IntStream;

/// What one engine got in one case: figures by round, or why there are none.
public sealed interface Reading {

    /// It was measured.
    ///
    /// @param values one figure per round, in the order of the rounds; at least one
    /// @param rounds the number of each figure's round, ascending; rounds that failed are missing
    record Figures(List<Double> values, List<Integer> rounds) implements Reading {
        public Figures {
            values = List.copyOf(values);
            rounds = List.copyOf(rounds);
            if (values.isEmpty() || values.size() != rounds.size()) {
                throw new IllegalArgumentException(
                        values.size() + " figures of " + rounds.size() + " rounds");
            }
        }

        /// Figures of the rounds 1, 2, 3 …
        public Figures(List<Double> values) {
            this(values, IntStream.rangeClosed(1, values.size()).boxed().toList());
        }

        /// The figure in the middle; between two, their mean.
        public double median() {
            List<Double> sorted = values.stream().sorted().toList();
            int half = sorted.size() / 2;
            return sorted.size() % 2 == 1
                    ? sorted.get(half)
                    : (sorted.get(half - 1) + sorted.get(half)) / 2;
        }

        /// The least figure.
        public double min() {
            return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        }

        /// The greatest figure.
        public double max() {
            return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        }
    }

    /// It has no such protocol.
    record Unsupported() implements Reading {}

    /// It could not finish, in any round.
    ///
    /// @param reason why, in a line
    record Failed(String reason) implements Reading {}

    /// It was not measured: not installed, or the run was ended before.
    record Absent() implements Reading {}
}
