package sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class EventuallyTest {
    @Test
    void returnsOnceTheConditionHolds() {
        AtomicInteger asked = new AtomicInteger();
        Eventually.await(Duration.ofSeconds(10), () -> asked.incrementAndGet() == 3);
        assertThat(asked).hasValue(3);
    }

    @Test
    void failsWithWhatItWaitedFor() {
        assertThatThrownBy(() -> Eventually.await(Duration.ofMillis(5), () -> "rain", () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("rain");
    }
}
