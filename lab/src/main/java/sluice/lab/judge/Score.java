package sluice.lab.judge;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table's verdicts, counted.
///
/// @param lead rows where the subject leads
/// @param tie rows where it is as good as the best of the others
/// @param behind rows where it is not
/// @param withinNoise how many of the ties are ties only because of the noise
/// @param geometricMean of all ratios; null when there is none
public record Score(
        int lead, int tie, int behind, int withinNoise, @Nullable Double geometricMean) {

    /// Counts verdicts.
    public static Score of(List<Verdict> verdicts) {
        List<Double> ratios =
                verdicts.stream().flatMap(each -> each.ratioIfAny().stream()).toList();
        Double mean =
                ratios.isEmpty()
                        ? null
                        : Math.exp(ratios.stream().mapToDouble(Math::log).sum() / ratios.size());
        return new Score(
                count(verdicts, Verdict.Kind.LEAD),
                count(verdicts, Verdict.Kind.TIE),
                count(verdicts, Verdict.Kind.BEHIND),
                (int) verdicts.stream().filter(Verdict::withinNoise).count(),
                mean);
    }

    /// How many rows count.
    public int rows() {
        return lead + tie + behind;
    }

    private static int count(List<Verdict> verdicts, Verdict.Kind kind) {
        return (int) verdicts.stream().filter(each -> each.kind() == kind).count();
    }
}
