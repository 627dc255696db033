package sluice.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import sluice.lab.bed.Settings;

final class PlanTest {
    private static final Settings TWICE = new Settings("full", 1, 0, 2, Set.of());

    @Test
    void roundsAreOutermostThenCasesThenEnginesWhichAlternate() {
        Plan plan =
                Plan.of(
                        List.of(new FakeBed(1_000)),
                        List.of(FakeEngine.good("a"), FakeEngine.good("b")),
                        TWICE);
        assertThat(plan.jobs())
                .extracting(job -> job.round() + " " + job.each() + " " + job.engine().name())
                .containsExactly(
                        "1 one a", "1 one b", "1 two a", "1 two b", "2 one b", "2 one a", "2 two b",
                        "2 two a");
    }

    @Test
    void estimatesAddUpAndNotesCostNothing() {
        Plan plan =
                Plan.of(
                        List.of(new FakeBed(1_500)),
                        List.of(FakeEngine.good("a"), FakeEngine.good("without")),
                        TWICE);
        assertThat(plan.measured()).isEqualTo(4);
        assertThat(plan.estimate()).isEqualTo(Duration.ofSeconds(6));
        assertThat(plan.jobs()).filteredOn(job -> !job.supported()).hasSize(2);
    }

    @Test
    void leavesOutWhatNoEngineHas() {
        Plan plan =
                Plan.of(List.of(new FakeBed(1_000)), List.of(FakeEngine.good("without")), TWICE);
        assertThat(plan.jobs()).isEmpty();
    }

    @Test
    void saysTimesAsPeopleDo() {
        assertThat(Progress.text(Duration.ofSeconds(99))).isEqualTo("99 s");
        assertThat(Progress.text(Duration.ofSeconds(100))).isEqualTo("2 min");
        assertThat(Progress.text(Duration.ofMinutes(200))).isEqualTo("3 h 20 min");
    }
}
