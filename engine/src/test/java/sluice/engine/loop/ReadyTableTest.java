package sluice.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.testkit.Seeds;

final class ReadyTableTest {

    private final ReadyTable table = new ReadyTable();

    @Test
    void aStaleTokenFindsNobody() {
        Ready first = owner();
        Ready second = owner();
        long stale = table.add(first);
        table.remove(stale);
        long fresh = table.add(second);

        assertThat((int) fresh).as("the slot is used again").isEqualTo((int) stale);
        assertThat(table.find(stale)).isNull();
        assertThat(table.find(fresh)).isSameAs(second);
        table.remove(stale);
        table.replace(stale, first);
        assertThat(table.find(fresh)).isSameAs(second);
    }

    @Test
    void anotherOwnerTakesOverUnderTheSameToken() {
        Ready first = owner();
        Ready second = owner();
        long token = table.add(first);

        table.replace(token, second);

        assertThat(table.find(token)).isSameAs(second);
    }

    @Test
    void tokensThatWereNeverGivenFindNobody() {
        table.add(owner());

        assertThat(table.find(1)).isNull();
        assertThat(table.find(1L << 32)).isNull();
        assertThat(table.find(-1)).isNull();
        assertThat(table.find(Long.MIN_VALUE)).isNull();
        assertThat(table.find(Long.MAX_VALUE)).isNull();
    }

    /// A negative token would look like an error, and the most negative one is the poller's own.
    @Test
    void noNumberOfReusesMakesATokenNegative() throws ReflectiveOperationException {
        table.remove(table.add(owner()));
        Field generations = ReadyTable.class.getDeclaredField("generations");
        generations.setAccessible(true);
        ((int[]) generations.get(table))[0] = Integer.MAX_VALUE;
        Ready last = owner();

        long token = table.add(last);
        assertThat(token).isNotNegative();
        assertThat(table.find(token)).isSameAs(last);
        table.remove(token);
        long next = table.add(last);
        assertThat(next).isNotNegative().isNotEqualTo(token);
        assertThat(table.find(token)).isNull();
    }

    @ParameterizedTest
    @Seeds(20)
    void findsWhatAMapWouldFind(long seed) {
        Random random = new Random(seed);
        Map<Long, Ready> model = new HashMap<>();
        List<Long> given = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            if (random.nextInt(5) < 3) {
                Ready owner = owner();
                long token = table.add(owner);
                assertThat(model.put(token, owner)).isNull();
                given.add(token);
            } else if (!given.isEmpty()) {
                long token = given.get(random.nextInt(given.size()));
                table.remove(token);
                model.remove(token);
            }
            if (!given.isEmpty()) {
                long asked = given.get(random.nextInt(given.size()));
                assertThat(table.find(asked)).isSameAs(model.get(asked));
            }
        }
        given.forEach(token -> assertThat(table.find(token)).isSameAs(model.get(token)));
    }

    private static Ready owner() {
        return new Ready() {
            @Override
            public void onReady(int readiness, long nowNanos) {}

            @Override
            public void onLoopEnd() {}
        };
    }
}
