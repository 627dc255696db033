package sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;

final class SeedsTest {
    private static final Set<Long> SEEN = new HashSet<>();

    @ParameterizedTest
    @Seeds(5)
    void givesEachSeedOnce(long seed) {
        assertThat(SEEN.add(seed)).isTrue();
    }

    @AfterAll
    static void gaveAllOrTheOneAskedFor() {
        assertThat(SEEN).hasSize(System.getProperty("seed") == null ? 5 : 1);
    }
}
