package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;

class SlidingWindowTest {

    /// One more than the window looks back, as in the test of the WireGuard family that others use
    /// too.
    private static final long T = 8129;

    private final SlidingWindow window = new SlidingWindow();

    @Test
    void acceptsTheSequenceThatOthersAccept() {
        accepts(0, 1);
        refuses(1);
        accepts(9, 8, 7);
        refuses(7);
        accepts(T, T - 1);
        refuses(T - 1);
        accepts(T - 2, 2);
        refuses(2);
        accepts(T + 16);
        refuses(3, T + 16);
        accepts(4 * T, 4 * T - (T - 1));
        refuses(10, 4 * T - T, 4 * T - (T + 1));
        accepts(4 * T - (T - 2));
        refuses(4 * T + 1 - T, 0);
    }

    @Test
    void idsAreUnsignedAndTheLastOneBreaksNothing() {
        accepts(5, Long.MAX_VALUE, Long.MIN_VALUE, -2, -1);
        refuses(-1, -2, 5, Long.MIN_VALUE, -1 - 8129);
        accepts(-1 - 8128, -3);
    }

    @Test
    void aFirstIdFarAboveZeroIsTheHighest() {
        accepts(1_000_000);
        refuses(0, 1_000_000 - 8129);
        accepts(1_000_000 - 8128, 999_999, 1_000_001);
    }

    @Test
    void lookingChangesNothing() {
        accepts(100);
        for (int i = 0; i < 3; i++) {
            assertThat(window.isFresh(5_000_000)).isTrue();
            assertThat(window.isFresh(99)).isTrue();
            assertThat(window.isFresh(100)).isFalse();
        }
        accepts(99);
    }

    @ParameterizedTest
    @Seeds(100)
    void agreesWithAModelThatRemembersEverything(long seed) {
        Random random = new Random(seed);
        Set<Long> seen = new HashSet<>();
        long highest = -1;
        long base = seed % 3 == 0 ? 0 : random.nextInt(1_000_000);
        for (int i = 0; i < 3_000; i++) {
            long id =
                    base
                            + random.nextInt(
                                    switch (random.nextInt(3)) {
                                        case 0 -> 200;
                                        case 1 -> 9_000;
                                        default -> 40_000;
                                    });
            base += random.nextInt(20) == 0 ? random.nextInt(5_000) : 0;
            boolean expected = !seen.contains(id) && (id > highest || highest - id <= 8128);
            assertThat(window.isFresh(id)).isEqualTo(expected);
            assertThat(window.accept(id)).as("id %d below %d", id, highest).isEqualTo(expected);
            if (expected) {
                seen.add(id);
                highest = Math.max(highest, id);
            }
        }
    }

    @Test
    void acceptingAllocatesNothing() {
        long[] next = {20_000};
        window.accept(19_999);
        Allocations.assertNone(() -> window.accept(next[0]++));
    }

    private void accepts(long... ids) {
        for (long id : ids) {
            assertThat(window.accept(id)).as("id %s", Long.toUnsignedString(id)).isTrue();
        }
    }

    private void refuses(long... ids) {
        for (long id : ids) {
            assertThat(window.accept(id)).as("id %s", Long.toUnsignedString(id)).isFalse();
        }
    }
}
