package sluice.lab.judge;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What one row of a table says of its subject.
///
/// @param row the row
/// @param kind the word for it
/// @param rival the best of the others; null when none finished
/// @param ratio the subject against the best rival, above 1 when the subject is better; null where
///   there is none
/// @param interval where the ratio lies by its rounds; null with fewer than two rounds in common
/// @param withinNoise whether it is a tie only because the rounds contradict each other
public record Verdict(
        Table.Row row,
        Kind kind,
        @Nullable String rival,
        @Nullable Double ratio,
        @Nullable Interval interval,
        boolean withinNoise) {

    /// The words.
    public enum Kind {
        /// Better than all others by more than 5 %.
        LEAD,
        /// As good as the best of the others.
        TIE,
        /// Worse than the best of the others by more than 5 %.
        BEHIND,
        /// Nothing to say: the subject or everybody else was not measured or has no such protocol,
        /// or nobody finished.
        UNCOUNTED
    }

    /// A row without a ratio.
    static Verdict without(Table.Row row, Kind kind, @Nullable String rival) {
        return new Verdict(row, kind, rival, null, null, false);
    }

    /// The ratio, where there is one.
    public Optional<Double> ratioIfAny() {
        return Optional.ofNullable(ratio);
    }

    /// Whether the figures alone, without regard to noise, would make it a loss.
    public boolean looksLikeALoss() {
        return ratio != null && ratio < Judge.BEHIND_BELOW;
    }
}
