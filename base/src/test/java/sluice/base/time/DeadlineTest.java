package sluice.base.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DeadlineTest {

    @Test
    void aDeadlineIsPastFromItsMomentOn() {
        assertThat(Deadline.isPast(100, 99)).isFalse();
        assertThat(Deadline.isPast(100, 100)).isTrue();
        assertThat(Deadline.isPast(100, 101)).isTrue();
    }

    @Test
    void noDeadlineIsNeverPast() {
        assertThat(Deadline.isPast(Deadline.NONE, Long.MAX_VALUE)).isFalse();
        assertThat(Deadline.isPast(Deadline.NONE, Long.MIN_VALUE)).isFalse();
    }

    @Test
    void momentsCompareAcrossTheWrapOfTheScale() {
        long before = Long.MAX_VALUE - 10;
        long after = Long.MIN_VALUE + 10;

        assertThat(Deadline.isPast(after, before)).isFalse();
        assertThat(Deadline.isPast(before, after)).isTrue();
        assertThat(Deadline.earlier(before, after)).isEqualTo(before);
        assertThat(Deadline.earlier(after, before)).isEqualTo(before);
    }

    @Test
    void theEarlierOfNoneAndAMomentIsTheMoment() {
        assertThat(Deadline.earlier(Deadline.NONE, 5)).isEqualTo(5);
        assertThat(Deadline.earlier(-5, Deadline.NONE)).isEqualTo(-5);
        assertThat(Deadline.earlier(Deadline.NONE, Deadline.NONE)).isEqualTo(Deadline.NONE);
        assertThat(Deadline.earlier(7, 6)).isEqualTo(6);
    }
}
