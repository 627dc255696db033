package sluice.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import sluice.lab.bed.Case;
import sluice.lab.bed.Measure;
import sluice.lab.judge.Reading.Absent;
import sluice.lab.judge.Reading.Failed;
import sluice.lab.judge.Reading.Figures;
import sluice.lab.judge.Reading.Unsupported;
import sluice.lab.judge.Verdict.Kind;

final class JudgeTest {

    private static final Reading FAILED = new Failed("it ended");

    @Test
    void theBestMedianOfTheOthersIsTheRival() {
        Verdict verdict = higher(figures(120), figures(90), figures(80, 100, 130), figures(10));

        assertThat(verdict.rival()).isEqualTo("rival2");
        assertThat(verdict.ratio()).isEqualTo(1.2);
        assertThat(verdict.kind()).isEqualTo(Kind.LEAD);
    }

    @Test
    void whereLessIsBetterTheRatioIsTurned() {
        Verdict verdict = lower(figures(2), figures(3), figures(4));

        assertThat(verdict.rival()).isEqualTo("rival1");
        assertThat(verdict.ratio()).isEqualTo(1.5);
        assertThat(verdict.kind()).isEqualTo(Kind.LEAD);
    }

    @Test
    void fivePercentAreATieAndMoreAreNot() {
        assertThat(higher(figures(105), figures(100)).kind()).isEqualTo(Kind.TIE);
        assertThat(higher(figures(105.1), figures(100)).kind()).isEqualTo(Kind.LEAD);
        assertThat(higher(figures(95), figures(100)).kind()).isEqualTo(Kind.TIE);
        assertThat(higher(figures(94.9), figures(100)).kind()).isEqualTo(Kind.BEHIND);
    }

    @Test
    void aSubjectThatFailedIsBehindOnlyWhereSomebodyFinished() {
        assertThat(higher(FAILED, figures(1)).kind()).isEqualTo(Kind.BEHIND);
        assertThat(higher(FAILED, figures(1)).ratio()).isNull();
        assertThat(higher(FAILED, FAILED).kind()).isEqualTo(Kind.UNCOUNTED);
        assertThat(higher(FAILED, new Unsupported()).kind()).isEqualTo(Kind.UNCOUNTED);
    }

    @Test
    void noRivalThatFinishedIsALeadWithoutRatioIfOneTried() {
        Verdict verdict = higher(figures(1), FAILED, new Unsupported());

        assertThat(verdict.kind()).isEqualTo(Kind.LEAD);
        assertThat(verdict.ratio()).isNull();
        assertThat(higher(figures(1), new Unsupported()).kind()).isEqualTo(Kind.UNCOUNTED);
        assertThat(higher(figures(1), new Absent()).kind()).isEqualTo(Kind.UNCOUNTED);
    }

    @Test
    void whatTheSubjectHasNotIsNotCounted() {
        assertThat(higher(new Unsupported(), figures(1)).kind()).isEqualTo(Kind.UNCOUNTED);
        assertThat(higher(new Absent(), figures(1)).kind()).isEqualTo(Kind.UNCOUNTED);
    }

    @Test
    void oneRoundHasNoInterval() {
        assertThat(higher(figures(200), figures(100)).interval()).isNull();
    }

    /// Ratios 1.1, 1.2, 1.3: logarithms 0.0953102, 0.1823216, 0.2623643; mean 0.1799987, standard
    /// deviation 0.0835513, standard error 0.0482383, times 4.303 is 0.2075696.
    @Test
    void theIntervalOfThreeRoundsIsTheOneComputedByHand() {
        Verdict verdict = higher(figures(110, 120, 130), figures(100, 100, 100));
        Interval interval = Objects.requireNonNull(verdict.interval());

        assertThat(interval.low()).isCloseTo(0.972806, within(1e-6));
        assertThat(interval.high()).isCloseTo(1.473394, within(1e-6));
    }

    @Test
    void aDifferenceWithinTheNoiseIsATieWhateverItsSize() {
        Verdict lead = higher(figures(110, 120, 130), figures(100, 100, 100));
        Verdict loss = lower(figures(100, 300), figures(60, 250));

        assertThat(lead.kind()).isEqualTo(Kind.TIE);
        assertThat(lead.withinNoise()).isTrue();
        assertThat(lead.ratio()).isEqualTo(1.2);
        assertThat(loss.kind()).isEqualTo(Kind.TIE);
        assertThat(loss.looksLikeALoss()).isTrue();
    }

    @Test
    void aDifferenceThatAllRoundsAgreeOnStays() {
        Verdict verdict = higher(figures(119, 120, 121), figures(100, 100, 100));

        assertThat(verdict.kind()).isEqualTo(Kind.LEAD);
        assertThat(verdict.withinNoise()).isFalse();
    }

    @Test
    void aTieIsNotCalledNoise() {
        assertThat(higher(figures(99, 102, 101), figures(100, 100, 100)).withinNoise()).isFalse();
    }

    @Test
    void onlyRoundsThatBothHaveArePaired() {
        Figures own = new Figures(List.of(110.0, 500.0, 130.0), List.of(1, 2, 4));
        Figures rival = new Figures(List.of(100.0, 90.0, 100.0), List.of(1, 3, 4));

        Interval paired = Objects.requireNonNull(Judge.interval(own, rival, true));
        assertThat(paired).isEqualTo(Interval.ofRatios(List.of(1.1, 1.3)));
        assertThat(Judge.interval(own, new Figures(List.of(1.0), List.of(1)), true)).isNull();
    }

    @Test
    void growthOfNothingHasNoRatio() {
        assertThat(lower(figures(0), figures(2)).kind()).isEqualTo(Kind.LEAD);
        assertThat(lower(figures(0), figures(2)).ratio()).isNull();
        assertThat(lower(figures(1), figures(-1)).kind()).isEqualTo(Kind.BEHIND);
        assertThat(lower(figures(0), figures(0)).kind()).isEqualTo(Kind.TIE);
        assertThat(lower(figures(0, 2, 1), figures(-1, 1, 0)).kind()).isEqualTo(Kind.TIE);
        assertThat(lower(figures(0, 2, 1), figures(-1, 1, 0)).withinNoise()).isTrue();
    }

    @Test
    void moreRoundsAreNeededUntilTheIntervalIsOnOneSide() {
        assertThat(decided(figures(120), figures(100))).isFalse();
        assertThat(decided(figures(119, 120, 121), figures(100, 100, 100))).isTrue();
        assertThat(decided(figures(104, 110, 112), figures(100, 100, 100))).isFalse();
        assertThat(decided(figures(79, 80, 81), figures(100, 100, 100))).isTrue();
        assertThat(decided(figures(100, 101, 102), figures(100, 100, 100))).isTrue();
        assertThat(decided(figures(100, 103, 106), figures(100, 100, 100))).isFalse();
        assertThat(decided(FAILED, figures(100))).isTrue();
        assertThat(decided(figures(100), FAILED)).isTrue();
    }

    @Test
    void theMeanIsOverRowsWithARatioAndTheCountsOverAll() {
        Score score =
                Score.of(
                        List.of(
                                higher(figures(200), figures(100)),
                                higher(figures(50), figures(100)),
                                higher(figures(1), FAILED),
                                higher(FAILED, figures(1)),
                                higher(new Unsupported(), figures(1))));

        assertThat(score).isEqualTo(new Score(2, 0, 2, 0, score.geometricMean()));
        assertThat(score.geometricMean()).isCloseTo(1, within(1e-12));
        assertThat(Score.of(List.of(higher(FAILED, FAILED))))
                .isEqualTo(new Score(0, 0, 0, 0, null));
    }

    /// The density of Student's t, summed up to the critical value, leaves 2.5 % above it.
    @Test
    void theTableOfCriticalValuesHoldsTheDistribution() {
        for (int freedom = 1; freedom <= 30; freedom++) {
            assertThat(half(freedom, Interval.criticalValue(freedom)))
                    .as("%d degrees of freedom", freedom)
                    .isCloseTo(0.475, within(3e-5));
        }
        assertThat(Interval.criticalValue(1000)).isEqualTo(Interval.criticalValue(30));
    }

    @Test
    void figuresWithoutRoundsAreRefused() {
        assertThatThrownBy(() -> new Figures(List.of())).hasMessageContaining("0 figures");
        assertThatThrownBy(() -> new Figures(List.of(1.0), List.of()))
                .hasMessageContaining("0 rounds");
    }

    /// The probability between 0 and `end`, by Simpson's rule; the density is normed by its own sum
    /// in the variable of the substitution t = √n·tan(u), where it is cos(u) to the power n − 1.
    private static double half(int freedom, double end) {
        double all = simpson(freedom, Math.PI / 2);
        return simpson(freedom, Math.atan(end / Math.sqrt(freedom))) / all / 2;
    }

    private static double simpson(int freedom, double end) {
        int steps = 2000;
        double sum = 0;
        for (int i = 0; i <= steps; i++) {
            double weight = i == 0 || i == steps ? 1 : (i % 2 == 1 ? 4 : 2);
            sum += weight * Math.pow(Math.abs(Math.cos(end * i / steps)), freedom - 1);
        }
        return sum * end / steps / 3;
    }

    private static Verdict higher(Reading own, Reading... rivals) {
        Table table = table(true, own, rivals);
        return Judge.verdict(table, table.rows().getFirst());
    }

    private static Verdict lower(Reading own, Reading... rivals) {
        Table table = table(false, own, rivals);
        return Judge.verdict(table, table.rows().getFirst());
    }

    private static boolean decided(Reading own, Reading... rivals) {
        Table table = table(true, own, rivals);
        return Judge.decided(table, table.rows().getFirst());
    }

    private static Table table(boolean higherIsBetter, Reading own, Reading... rivals) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        readings.put("own", own);
        for (int i = 0; i < rivals.length; i++) {
            readings.put("rival" + (i + 1), rivals[i]);
        }
        return new Table(
                "bed",
                "settings",
                new Measure("figure", "unit", higherIsBetter),
                "own",
                List.copyOf(readings.keySet()),
                List.of(new Table.Row(Case.of("case", "one"), readings)));
    }

    private static Figures figures(double... values) {
        return new Figures(java.util.Arrays.stream(values).boxed().toList());
    }
}
