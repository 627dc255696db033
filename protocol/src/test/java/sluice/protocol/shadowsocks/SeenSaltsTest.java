package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeenSaltsTest {

    private static final long SECOND = 1_000_000_000L;

    private final SeenSalts salts = new SeenSalts(60 * SECOND, 0);

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void everySaltPassesOnce(int bytes) {
        for (int i = 0; i < 20_000; i++) {
            assertThat(salts.add(Setup.random(i, bytes), 0, bytes, 0)).isTrue();
        }
        for (int i = 0; i < 20_000; i++) {
            assertThat(salts.add(Setup.random(i, bytes), 0, bytes, SECOND)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void saltsThatDifferInOneBitDiffer(int bytes) {
        byte[] salt = Setup.random(1, bytes);
        assertThat(salts.add(salt, 0, bytes, 0)).isTrue();
        for (int bit = 0; bit < 8 * bytes; bit++) {
            byte[] other = salt.clone();
            other[bit >> 3] ^= (byte) (1 << (bit & 7));
            assertThat(salts.add(other, 0, bytes, 0)).isTrue();
        }
        assertThat(salts.add(new byte[bytes], 0, bytes, 0)).isTrue();
        assertThat(salts.add(new byte[bytes], 0, bytes, 0)).isFalse();
    }

    /// Field case S07: remembered for a minute at least, however many come and whenever they do.
    @Test
    void aSaltIsRememberedForAMinuteWhateverElseHappens() {
        for (long start = 0; start < 130; start += 7) {
            SeenSalts each = new SeenSalts(60 * SECOND, 0);
            each.add(Setup.random(-1, 16), 0, 16, 0);
            byte[] salt = Setup.random(start, 16);
            assertThat(each.add(salt, 0, 16, start * SECOND)).isTrue();
            for (int second = 1; second <= 60; second++) {
                assertThat(
                                each.add(
                                        Setup.random(1000 + second, 16),
                                        0,
                                        16,
                                        (start + second) * SECOND))
                        .isTrue();
                assertThat(each.add(salt, 0, 16, (start + second) * SECOND))
                        .as("started at %d, after %d s", start, second)
                        .isFalse();
            }
        }
    }

    @Test
    void memoryIsBoundedByTime() {
        for (int second = 0; second < 600; second++) {
            for (int i = 0; i < 300; i++) {
                salts.add(Setup.random(second * 1_000L + i, 16), 0, 16, second * SECOND);
            }
        }
        assertThat(salts.slots()).isLessThanOrEqualTo(2 * 65_536);
        salts.add(Setup.random(-1, 16), 0, 16, 10_000 * SECOND);
        assertThat(salts.slots()).isLessThanOrEqualTo(2 * 1024);
    }

    @Test
    void withoutTimestampsCountsToo() {
        SeenSalts many = new SeenSalts(60 * SECOND, 10_000);
        byte[] first = Setup.random(1, 16);
        many.add(first, 0, 16, 0);
        for (int i = 2; i <= 10_000; i++) {
            many.add(Setup.random(i, 16), 0, 16, i * SECOND);
        }
        assertThat(many.add(first, 0, 16, 20_000 * SECOND)).as("few others came").isFalse();
        for (int i = 10_001; i <= 20_001; i++) {
            many.add(Setup.random(i, 16), 0, 16, 20_030 * SECOND);
        }
        assertThat(many.add(first, 0, 16, 20_059 * SECOND)).as("within a minute").isFalse();
        many.add(Setup.random(30_000, 16), 0, 16, 20_200 * SECOND);
        assertThat(many.add(first, 0, 16, 20_201 * SECOND)).as("a generation later").isTrue();
    }

    @Test
    void ofParallelReplaysExactlyOnePasses() throws Exception {
        int threads = 8;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < 200; round++) {
                byte[] salt = Setup.random(round, 32);
                CountDownLatch go = new CountDownLatch(1);
                List<Future<Boolean>> results = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    results.add(
                            pool.submit(() -> {
                                go.await();
                                return salts.add(salt, 0, 32, 0);
                            }));
                }
                go.countDown();
                int passed = 0;
                for (Future<Boolean> result : results) {
                    passed += result.get() ? 1 : 0;
                }
                assertThat(passed).isEqualTo(1);
            }
        }
    }
}
