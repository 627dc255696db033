package sluice.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.time.Deadline;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;

final class TimerWheelTest {

    private static final long TICK = TimerWheel.TICK_NANOS;
    private static final long TURN = TimerWheel.SLOTS * TICK;
    private static final long MILLI = 1_000_000;

    private final List<Throwable> failures = new ArrayList<>();
    private long now = 123_456_789_012L;
    private TimerWheel wheel = new TimerWheel(now, failures::add);

    /// Remembers when it fired, and checks what must hold at that moment.
    private class Probe extends Timer {
        long wanted = Deadline.NONE;
        long dueFrom;
        int fired;
        long firedAt;

        void set(long deadlineNanos) {
            wanted = deadlineNanos;
            dueFrom = deadlineNanos - now > 0 ? deadlineNanos : now;
            wheel.set(this, deadlineNanos);
        }

        void clear() {
            wanted = Deadline.NONE;
            wheel.clear(this);
        }

        @Override
        protected void onTimer(long nowNanos) {
            assertThat(nowNanos).isEqualTo(now);
            assertThat(wanted - nowNanos).as("not early").isLessThanOrEqualTo(0);
            assertThat(deadlineNanos()).as("unset by now").isEqualTo(Deadline.NONE);
            wanted = Deadline.NONE;
            fired++;
            firedAt = nowNanos;
        }
    }

    @Test
    void anEmptyWheelWakesNobody() {
        assertThat(wheel.nanosUntilNext(now)).isEqualTo(-1);
        Probe probe = new Probe();
        probe.set(now + 50 * MILLI);
        assertThat(wheel.count()).isOne();
        probe.clear();

        assertThat(wheel.nanosUntilNext(now)).isEqualTo(-1);
        assertThat(wheel.count()).isZero();
        now += TURN * 3;
        wheel.fire(now);
        assertThat(probe.fired).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                MILLI,
                TICK - 1,
                TICK,
                TICK + 1,
                100 * MILLI,
                TURN - TICK,
                TURN,
                TURN + 1,
                5 * TURN + 7
            })
    void sleepingAsLongAsToldFiresInTime(long delay) {
        Probe probe = new Probe();
        long deadline = now + delay;
        probe.set(deadline);

        while (probe.fired == 0) {
            long sleep = wheel.nanosUntilNext(now);
            assertThat(sleep).isBetween(0L, TURN + TICK);
            now += Math.max(1, sleep);
            wheel.fire(now);
        }

        assertThat(probe.firedAt - deadline).isBetween(0L, TICK);
        assertThat(wheel.nanosUntilNext(now)).isEqualTo(-1);
    }

    @Test
    void aDeadlineThatHasPassedFiresWithinATick() {
        Probe probe = new Probe();
        probe.set(now - 100 * TURN);

        assertThat(wheel.nanosUntilNext(now)).isBetween(0L, TICK);
        now += TICK;
        wheel.fire(now);
        assertThat(probe.fired).isOne();
    }

    @Test
    void settingAgainMovesIt() {
        Probe probe = new Probe();
        probe.set(now + 3 * TICK);
        probe.set(now + 10 * TICK);
        assertThat(wheel.count()).isOne();
        now += 5 * TICK;
        wheel.fire(now);
        assertThat(probe.fired).isZero();

        probe.set(Deadline.NONE);
        assertThat(wheel.count()).isZero();
        assertThat(probe.deadlineNanos()).isEqualTo(Deadline.NONE);
    }

    @Test
    void timersOfLaterTurnsShareASlotAndWait() {
        Probe soon = new Probe();
        Probe later = new Probe();
        Probe muchLater = new Probe();
        soon.set(now + 5 * TICK);
        later.set(now + 5 * TICK + TURN);
        muchLater.set(now + 5 * TICK + 1000 * TURN);

        now += 6 * TICK;
        wheel.fire(now);
        assertThat(List.of(soon.fired, later.fired, muchLater.fired)).containsExactly(1, 0, 0);
        now += TURN;
        wheel.fire(now);
        assertThat(List.of(soon.fired, later.fired, muchLater.fired)).containsExactly(1, 1, 0);
        now += 1000 * TURN;
        wheel.fire(now);
        assertThat(muchLater.fired).isOne();
    }

    /// A pause of the whole machine may be longer than a turn of the wheel.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 100, 511, 512, 513, 1000, 5000})
    void whatIsSetInACallbackFiresSoonHoweverLateTheWheelIs(long ticksLate) {
        List<Probe> children = new ArrayList<>();
        for (int i = 0; i < TimerWheel.SLOTS; i += 3) {
            Probe child = new Probe();
            children.add(child);
            Probe parent =
                    new Probe() {
                        @Override
                        protected void onTimer(long nowNanos) {
                            super.onTimer(nowNanos);
                            child.set(nowNanos + 3 * TICK);
                        }
                    };
            parent.set(now + i * TICK / 100);
        }
        now += ticksLate * TICK;
        wheel.fire(now);
        now += TURN;
        wheel.fire(now);
        long fromHere = now;
        for (int i = 0; i < 6; i++) {
            now += TICK;
            wheel.fire(now);
        }

        assertThat(now - fromHere).isLessThan(TURN);
        assertThat(children).allSatisfy(child -> assertThat(child.fired).isOne());
    }

    @Test
    void callbacksMayClearAndSetTheirNeighbours() {
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            probes.add(
                    new Probe() {
                        @Override
                        protected void onTimer(long nowNanos) {
                            super.onTimer(nowNanos);
                            for (Probe other : probes) {
                                if (other != this && other.fired == 0) {
                                    other.set(nowNanos + 2 * TICK);
                                }
                            }
                        }
                    });
        }
        probes.forEach(probe -> probe.set(now + 5 * TICK));

        for (int i = 0; i < 100; i++) {
            now += TICK;
            wheel.fire(now);
        }

        assertThat(probes).allSatisfy(probe -> assertThat(probe.fired).isOne());
        assertThat(wheel.count()).isZero();
        assertThat(failures).isEmpty();
    }

    @Test
    void aTimerThatSetsItselfForAtOnceDoesNotHoldTheWheel() {
        Probe eager =
                new Probe() {
                    @Override
                    protected void onTimer(long nowNanos) {
                        super.onTimer(nowNanos);
                        set(nowNanos);
                    }
                };
        eager.set(now);
        for (int i = 1; i <= 50; i++) {
            now += TICK;
            wheel.fire(now);
            assertThat(eager.fired).isEqualTo(i);
        }
    }

    @Test
    void aTimerThatThrowsDoesNotKeepOthersFromFiring() {
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            boolean fails = i % 3 == 0;
            Probe probe =
                    new Probe() {
                        @Override
                        protected void onTimer(long nowNanos) {
                            super.onTimer(nowNanos);
                            if (fails) {
                                throw new IllegalStateException("on purpose");
                            }
                        }
                    };
            probe.set(now + (i / 5) * TICK + TICK);
            probes.add(probe);
        }
        now += 5 * TICK;
        wheel.fire(now);

        assertThat(probes).allSatisfy(probe -> assertThat(probe.fired).isOne());
        assertThat(failures)
                .hasSize(4)
                .allSatisfy(failure -> assertThat(failure).hasMessage("on purpose"));
        assertThat(wheel.count()).isZero();
    }

    /// 40,000 timers in one slot, half of them for a later turn: firing is linear, or this takes
    /// minutes.
    @Test
    void manyTimersInOneSlotAreNoBurden() {
        List<Probe> due = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            Probe probe = new Probe();
            probe.set(now + 3 * TICK);
            due.add(probe);
        }
        for (int i = 0; i < 20_000; i++) {
            new Probe().set(now + 3 * TICK + 10 * TURN);
        }
        long before = System.nanoTime();
        now += 4 * TICK;
        wheel.fire(now);

        assertThat(System.nanoTime() - before).isLessThan(5_000 * MILLI);
        assertThat(due).allMatch(probe -> probe.fired == 1);
        assertThat(wheel.count()).isEqualTo(20_000);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                Long.MAX_VALUE - 2 * TURN,
                Long.MAX_VALUE - TURN / 2,
                Long.MIN_VALUE,
                -TURN / 2,
                0
            })
    void goesOnAcrossTheWrapOfTheScale(long start) {
        now = start;
        wheel = new TimerWheel(now, failures::add);
        Random random = new Random(start);
        for (int i = 0; i < 400; i++) {
            Probe probe = new Probe();
            long deadline = now + random.nextInt((int) (2 * TURN / MILLI)) * MILLI;
            probe.set(deadline);
            long waited = 0;
            while (probe.fired == 0 && waited <= 3 * TURN) {
                long sleep = Math.max(1, wheel.nanosUntilNext(now));
                waited += sleep;
                now += sleep;
                wheel.fire(now);
            }
            assertThat(probe.fired).isOne();
            assertThat(probe.firedAt - deadline).isBetween(0L, TICK);
        }
    }

    @ParameterizedTest
    @Seeds(60)
    void doesWhatAListWouldDo(long seed) {
        Random random = new Random(seed);
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            probes.add(random.nextInt(4) == 0 ? meddler(probes, random) : new Probe());
        }
        for (int step = 0; step < 600; step++) {
            Probe probe = probes.get(random.nextInt(probes.size()));
            switch (random.nextInt(8)) {
                case 0 -> probe.clear();
                case 1, 2, 3 -> probe.set(now + delay(random));
                case 4 -> advance(probes, random.nextLong(delay(random) + 2));
                default -> advance(probes, Math.max(0, wheel.nanosUntilNext(now)));
            }
            assertThat(wheel.count())
                    .isEqualTo(
                            (int)
                                    probes.stream()
                                            .filter(each -> each.wanted != Deadline.NONE)
                                            .count());
        }
        assertThat(failures).isEmpty();
    }

    private Probe meddler(List<Probe> probes, Random random) {
        return new Probe() {
            @Override
            protected void onTimer(long nowNanos) {
                super.onTimer(nowNanos);
                Probe other = probes.get(random.nextInt(probes.size()));
                if (random.nextBoolean()) {
                    other.set(nowNanos + delay(random) - TICK);
                } else {
                    other.clear();
                }
            }
        };
    }

    private void advance(List<Probe> probes, long nanos) {
        now += nanos;
        wheel.fire(now);
        boolean isSet = false;
        for (Probe probe : probes) {
            if (probe.wanted != Deadline.NONE) {
                isSet = true;
                assertThat(now - probe.dueFrom).as("at most a tick late").isLessThan(TICK);
                assertThat(wheel.nanosUntilNext(now))
                        .as("wakes in time")
                        .isLessThanOrEqualTo(Math.max(0, probe.wanted - now) + TICK);
            }
        }
        assertThat(wheel.nanosUntilNext(now) >= 0).isEqualTo(isSet);
    }

    private static long delay(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(2 * TICK);
            case 1 -> random.nextLong(TURN);
            case 2 -> TURN - TICK + random.nextLong(2 * TICK);
            default -> random.nextLong(6 * TURN);
        };
    }

    @Test
    void settingClearingAndFiringAllocatesNothing() {
        Timer quiet =
                new Timer() {
                    @Override
                    protected void onTimer(long nowNanos) {}
                };
        Allocations.assertNone(() -> {
            wheel.set(quiet, now + TICK);
            wheel.clear(quiet);
            wheel.set(quiet, now + TICK);
            now += 2 * TICK;
            wheel.fire(now);
            wheel.nanosUntilNext(now);
        });
    }
}
