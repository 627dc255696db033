package sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.policy.match.PortSet.Range;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;

final class PortSetTest {

    @Test
    void readsRangesWithOneOrTwoBounds() {
        assertThat(Range.parse("1000:2000")).isEqualTo(new Range(1000, 2000));
        assertThat(Range.parse(":3000")).isEqualTo(new Range(0, 3000));
        assertThat(Range.parse("4000:")).isEqualTo(new Range(4000, 65_535));
        assertThat(Range.parse("7:7")).hasToString("7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "80", "a:b", "2:1", "1:65536", "-1:2", "1:2:3", "1: 2"})
    void refusesWhatIsNoRange(String text) {
        assertThatThrownBy(() -> Range.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void holdsTheLowestAndTheHighestPort() {
        PortSet set = PortSet.of(List.of(Range.of(0), Range.of(65_535)));
        assertThat(set.contains(0)).isTrue();
        assertThat(set.contains(65_535)).isTrue();
        assertThat(set.contains(1)).isFalse();
    }

    @Test
    void theEmptySetHoldsNothing() {
        assertThat(PortSet.of(List.of()).contains(0)).isFalse();
    }

    @Test
    void askingAllocatesNothing() {
        PortSet set = PortSet.of(List.of(Range.of(80), new Range(400, 500)));
        Allocations.assertNone(() -> set.contains(443));
    }

    @ParameterizedTest
    @Seeds(100)
    void answersLikeANaiveModel(long seed) {
        Random random = new Random(seed);
        List<Range> ranges = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            int from = random.nextInt(200);
            ranges.add(new Range(from, from + random.nextInt(20)));
        }
        PortSet set = PortSet.of(ranges);
        for (int port = 0; port < 230; port++) {
            int asked = port;
            assertThat(set.contains(port))
                    .as("%s in %s", port, ranges)
                    .isEqualTo(ranges.stream().anyMatch(r -> r.from() <= asked && asked <= r.to()));
        }
    }
}
