package sluice.base.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class EntropyTest {

    @Test
    void readsItsBytesInOrder() {
        Entropy counting =
                (array, offset, length) -> {
                    for (int i = 0; i < length; i++) {
                        array[offset + i] = (byte) (i + 1);
                    }
                };

        assertThat(counting.nextLong()).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(counting.below(0x7fff_ffff)).isEqualTo(0x0102_0304);
    }

    @Test
    void staysBelowTheBoundAndReachesAllOfIt() {
        Random random = new Random(1);
        Entropy entropy =
                (array, offset, length) -> {
                    for (int i = 0; i < length; i++) {
                        array[offset + i] = (byte) random.nextInt();
                    }
                };
        int[] seen = new int[7];
        for (int i = 0; i < 7_000; i++) {
            seen[entropy.below(7)]++;
        }

        for (int count : seen) {
            assertThat(count).isBetween(800, 1_200);
        }
        assertThat(entropy.below(1)).isZero();
    }

    @Test
    void noBitPatternGivesANegativeValue() {
        Entropy ones =
                (array, offset, length) ->
                        java.util.Arrays.fill(array, offset, offset + length, (byte) -1);

        assertThat(ones.below(10)).isBetween(0, 9);
        assertThat(ones.nextLong()).isEqualTo(-1);
    }
}
