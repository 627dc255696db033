package sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class AllocationsTest {
    private int counter;
    private byte[] kept = new byte[0];

    @Test
    void acceptsAnActionThatAllocatesNothing() {
        Allocations.assertNone(() -> counter++);
        assertThat(counter).isPositive();
    }

    @Test
    void refusesAnActionThatAllocates() {
        assertThatThrownBy(() -> Allocations.assertNone(() -> kept = new byte[100]))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("bytes");
        assertThat(kept).hasSize(100);
    }
}
