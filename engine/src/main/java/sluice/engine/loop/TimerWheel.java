package sluice.engine.loop;

import org.jspecify.annotations.Nullable;
import sluice.base.time.Deadline;

/// A hashed timer wheel: 512 slots of 16 ms. Setting and clearing a timer is constant work; later turns of the
/// wheel share a slot with earlier ones and are skipped until their turn. An empty wheel asks for no
/// wake-up, so an idle loop sleeps without limit. Owned by the loop.
///
/// Timers fire up to one tick late, never early.
public final class TimerWheel {

    /// 16 ms: finer than any timeout here needs (the finest are 100 ms), coarse enough to batch.
    static final long TICK_NANOS = 1L << 24;

    private static final int SLOTS = 512;

    private final @Nullable Timer[] slots = new @Nullable Timer[SLOTS];
    private final long[] occupied = new long[SLOTS / 64];
    private long tick;
    private int count;

    /// @param nowNanos the start of the scale
    public TimerWheel(long nowNanos) {
        tick = nowNanos >> 24;
    }

    /// Sets `timer` to fire at `deadlineNanos`; moves it when it was set; clears it for [Deadline#NONE].
    public void set(Timer timer, long deadlineNanos) {
        if (timer.deadlineNanos == deadlineNanos) {
            return;
        }
        clear(timer);
        if (deadlineNanos == Deadline.NONE) {
            return;
        }
        long due = Math.max((deadlineNanos + TICK_NANOS - 1) >> 24, tick + 1);
        int slot = (int) due & (SLOTS - 1);
        timer.deadlineNanos = deadlineNanos;
        timer.slot = slot;
        timer.before = null;
        Timer head = slots[slot];
        timer.after = head;
        if (head != null) {
            head.before = timer;
        }
        slots[slot] = timer;
        occupied[slot >> 6] |= 1L << slot;
        count++;
    }

    /// Unsets `timer`.
    public void clear(Timer timer) {
        int slot = timer.slot;
        if (slot < 0) {
            return;
        }
        Timer before = timer.before;
        Timer after = timer.after;
        if (before != null) {
            before.after = after;
        } else {
            slots[slot] = after;
            if (after == null) {
                occupied[slot >> 6] &= ~(1L << slot);
            }
        }
        if (after != null) {
            after.before = before;
        }
        timer.before = null;
        timer.after = null;
        timer.slot = -1;
        timer.deadlineNanos = Deadline.NONE;
        count--;
    }

    /// Fires what is due.
    public void fire(long nowNanos) {
        long nowTick = nowNanos >> 24;
        if (count == 0) {
            tick = Math.max(tick, nowTick);
            return;
        }
        long last = Math.min(nowTick, tick + SLOTS);
        while (tick < last) {
            tick++;
            fireSlot((int) tick & (SLOTS - 1), nowNanos);
        }
        tick = nowTick;
    }

    private void fireSlot(int slot, long nowNanos) {
        Timer timer = slots[slot];
        while (timer != null) {
            if (timer.deadlineNanos - nowNanos > 0) {
                timer = timer.after;
                continue;
            }
            clear(timer);
            timer.onTimer(nowNanos);
            timer = slots[slot];
        }
    }

    /// How long until the next occupied slot, at most one turn of the wheel; -1 when no timer is set.
    public long nanosUntilNext(long nowNanos) {
        if (count == 0) {
            return -1;
        }
        int from = (int) (tick + 1) & (SLOTS - 1);
        for (int step = 0; step < SLOTS; ) {
            int slot = (from + step) & (SLOTS - 1);
            long word = occupied[slot >> 6] >>> slot;
            if (word == 0) {
                step += 64 - (slot & 63);
                continue;
            }
            step += Long.numberOfTrailingZeros(word);
            return Math.max(0, ((tick + 1 + Math.min(step, SLOTS - 1)) << 24) - nowNanos);
        }
        return Math.max(0, ((tick + SLOTS) << 24) - nowNanos);
    }

    /// Timers that are set.
    public int count() {
        return count;
    }
}
