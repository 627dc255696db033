package sluice.base.buf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;

final class BufPoolTest {

    private static final int LARGE = 288 * 1024;

    private final BufBudget budget = new BufBudget(16 << 20);
    private final BufPool pool = new BufPool(budget);

    @ParameterizedTest
    @CsvSource({
        "0, 1024",
        "1, 1024",
        "1024, 1024",
        "1025, 4096",
        "4096, 4096",
        "4097, 73728",
        "73728, 73728",
        "73729, 294912",
        "262128, 294912",
        "294912, 294912",
        "294913, 294913",
        "1000000, 1000000",
    })
    void givesTheSmallestArrayThatFits(int bytes, int arrayBytes) {
        Buf buf = pool.acquire(bytes);

        assertThat(buf.array()).hasSize(arrayBytes);
        assertThat(pool.inUse()).isOne();
        assertThat(pool.inUseBytes()).isEqualTo(arrayBytes);
        assertThat(budget.usedBytes()).isEqualTo(arrayBytes);
        buf.release();
        assertThat(pool.inUse()).isZero();
        assertThat(pool.inUseBytes()).isZero();
    }

    @Test
    void theLastOneBackIsTheNextOneTaken() {
        Buf first = pool.acquire(10);
        Buf second = pool.acquire(10);
        first.put(1);
        first.release();
        second.release();

        assertThat(pool.acquire(10)).isSameAs(second);
        Buf again = pool.acquire(10);
        assertThat(again).isSameAs(first);
        assertThat(again.isEmpty()).isTrue();
        assertThat(again.next()).isNull();
    }

    @Test
    void readsBecomeSmallerWhenMuchIsHeld() {
        List<Buf> held = new ArrayList<>();
        while (!pool.isTight()) {
            assertThat(pool.readBytes()).isEqualTo(BufPool.READ_BYTES);
            held.add(pool.acquireForRead());
        }
        assertThat(pool.inUseBytes())
                .isBetween(BufPool.TIGHT_BYTES + 1L, (long) BufPool.TIGHT_BYTES + LARGE);
        assertThat(pool.readBytes()).isEqualTo(BufPool.TIGHT_READ_BYTES);
        Buf small = pool.acquireForRead();
        assertThat(small.array().length).isEqualTo(72 * 1024);
        small.release();

        held.forEach(Buf::release);
        assertThat(pool.isTight()).isFalse();
    }

    @Test
    void steadyLoadMakesNoGarbage() {
        Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int round = 0; round < 10; round++) {
            List<Buf> taken = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                taken.add(pool.acquire(i % 6 == 0 ? BufPool.READ_BYTES : BufPool.TIGHT_READ_BYTES));
            }
            taken.forEach(each -> arrays.add(each.array()));
            taken.forEach(Buf::release);
            pool.ebb();
        }

        assertThat(arrays.size()).isEqualTo(60);
    }

    @Test
    void whatWasNotNeededForAWhileIsDropped() {
        holdAndRelease(pool, 10);
        pool.ebb();
        holdAndRelease(pool, 3);
        pool.ebb();

        assertThat(budget.usedBytes()).isEqualTo(3L * LARGE);
        assertThat(pool.keptBytes()).isEqualTo(3L * LARGE);
        pool.ebb();
        assertThat(budget.usedBytes()).isZero();
        assertThat(pool.keptBytes()).isZero();
        assertThat(budget.peakBytes()).isEqualTo(10L * LARGE);
        assertThat(pool.acquireForRead().array()).hasSize(LARGE);
    }

    @Test
    void keepsFewWhenTheBudgetIsHalfSpent() {
        BufBudget shared = new BufBudget(16 << 20);
        BufPool poor = new BufPool(shared);
        Buf other = new BufPool(shared).acquire(9 << 20);

        holdAndRelease(poor, 10);

        assertThat(poor.keptBytes()).isEqualTo(4L * LARGE);
        other.release();
    }

    private static void holdAndRelease(BufPool from, int count) {
        List<Buf> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(from.acquire(BufPool.READ_BYTES));
        }
        taken.forEach(Buf::release);
    }

    @Test
    void oddSizesAreNeverKept() {
        pool.acquire(LARGE + 1).release();

        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void shrinkingMovesTheBytesToTheSmallestArray() {
        Buf large = pool.acquireForRead();
        large.range(100, 100);
        for (int i = 0; i < 900; i++) {
            large.put(i);
        }
        byte[] bytes = large.toBytes();

        Buf small = pool.shrink(large);

        assertThat(small.array()).hasSize(1024);
        assertThat(small.toBytes()).isEqualTo(bytes);
        assertThat(pool.inUse()).isOne();
        assertThat(pool.shrink(small)).isSameAs(small);
        small.release();
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void shrinkingAFullArrayReturnsIt() {
        Buf large = pool.acquireForRead();
        large.extend(72 * 1024 + 1);

        assertThat(pool.shrink(large)).isSameAs(large);
        large.release();
        Buf odd = pool.acquire(LARGE + 1);
        odd.extend(LARGE + 1);
        assertThat(pool.shrink(odd)).isSameAs(odd);
        odd.release();
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void isSpentWhileATurnCouldOverdraw() {
        BufBudget tight = new BufBudget(4 << 20);
        BufPool poor = new BufPool(tight);
        List<Buf> taken = new ArrayList<>();
        while (!poor.isSpent()) {
            taken.add(poor.acquireForRead());
        }

        assertThat(tight.leftBytes()).isBetween(0L, (long) BufPool.RESERVE_BYTES);
        for (int i = 0; i < 2; i++) {
            taken.add(poor.acquire(LARGE));
        }
        assertThat(tight.peakBytes()).isLessThanOrEqualTo(tight.limitBytes());
        taken.forEach(Buf::release);
        assertThat(poor.isSpent()).isFalse();
    }

    @Test
    void readsGetSmallerAsTheBudgetGoes() {
        BufBudget shared = new BufBudget(8 << 20);
        BufPool poor = new BufPool(shared);
        Set<Integer> sizes = new LinkedHashSet<>();
        List<Buf> taken = new ArrayList<>();
        while (!poor.isSpent()) {
            sizes.add(poor.readBytes());
            taken.add(poor.acquireForRead());
        }

        assertThat(sizes)
                .containsExactly(
                        BufPool.READ_BYTES,
                        BufPool.TIGHT_READ_BYTES,
                        BufPool.SCARCE_READ_BYTES,
                        BufPool.LAST_READ_BYTES);
        assertThat(taken).hasSizeGreaterThan(1_000);
        assertThat(new BufPool(shared).readBytes()).isEqualTo(BufPool.LAST_READ_BYTES);
        taken.forEach(Buf::release);
        assertThat(poor.readBytes()).isEqualTo(BufPool.READ_BYTES);
    }

    /// What is kept warm may never be what makes the budget look spent.
    @ParameterizedTest
    @Seeds(20)
    void isNotSpentWhenNobodyHoldsAnything(long seed) {
        Random random = new Random(seed);
        BufBudget shared = new BufBudget(4 << 20);
        BufPool[] pools = {new BufPool(shared), new BufPool(shared)};
        List<Buf> taken = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            BufPool one = pools[random.nextInt(2)];
            if (random.nextInt(5) < 3 && !one.isSpent()) {
                taken.add(one.acquire(random.nextInt(1 << (6 + random.nextInt(13)))));
            } else if (!taken.isEmpty()) {
                taken.remove(random.nextInt(taken.size())).release();
            }
        }
        taken.forEach(Buf::release);

        assertThat(pools[0].isSpent()).isFalse();
        assertThat(pools[1].isSpent()).isFalse();
        for (BufPool each : pools) {
            each.ebb();
            each.ebb();
        }
        assertThat(shared.usedBytes()).isZero();
    }

    @ParameterizedTest
    @Seeds(5)
    void everyArrayHasOneOwner(long seed) {
        Random random = new Random(seed);
        Set<byte[]> owned = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Buf> taken = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            if (random.nextBoolean()) {
                Buf buf = pool.acquire(random.nextInt(300_000));
                assertThat(owned.add(buf.array())).isTrue();
                taken.add(buf);
            } else if (!taken.isEmpty()) {
                Buf buf = taken.remove(random.nextInt(taken.size()));
                owned.remove(buf.array());
                buf.release();
            }
            assertThat(pool.inUse()).isEqualTo(taken.size());
        }
        long bytes = taken.stream().mapToLong(buf -> buf.array().length).sum();
        assertThat(pool.inUseBytes()).isEqualTo(bytes);
        assertThat(budget.usedBytes()).isGreaterThanOrEqualTo(bytes);
        assertThat(budget.peakBytes()).isGreaterThanOrEqualTo(budget.usedBytes());
        taken.forEach(Buf::release);
    }

    @Test
    void takingAndGivingBackAllocatesNothing() {
        Allocations.assertNone(() -> {
            Buf buf = pool.acquireForRead();
            buf.extend(10);
            pool.shrink(buf).release();
        });
    }
}
