package sluice.lab.judge;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import sluice.lab.bed.Measure;
import sluice.lab.log.RunRecord;

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

    /// What the runs of one case with one engine say of a measure. A round that was measured twice
    /// counts once; figures count more than failures.
    ///
    /// @param runs oldest first
    static Reading of(List<RunRecord> runs, Measure measure) {
        Map<Integer, Double> rounds = new TreeMap<>();
        String reason = "";
        boolean failed = false;
        boolean unsupported = false;
        for (RunRecord run : runs) {
            Double value = run.values().get(measure.name());
            switch (run.outcome()) {
                case OK -> {
                    if (value != null) {
                        rounds.put(run.round(), value);
                    }
                }
                case FAILED -> {
                    failed = true;
                    reason = run.reason();
                }
                case UNSUPPORTED -> unsupported = true;
            }
        }
        if (!rounds.isEmpty()) {
            return new Figures(List.copyOf(rounds.values()), List.copyOf(rounds.keySet()));
        }
        if (failed) {
            return new Failed(reason);
        }
        return unsupported ? new Unsupported() : new Absent();
    }
}
