package sluice.engine.loop;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import sluice.base.time.Deadline;

/// A hashed timer wheel: 512 slots of 16 ms. Setting and clearing a timer is constant work; later
/// turns of the wheel share a slot with earlier ones and are skipped until their turn. An empty
/// wheel asks for no wake-up, so an idle loop sleeps without limit. Owned by the loop.
///
/// Timers fire up to one tick late, never early. A timer that throws is told about and does not
/// keep others from firing.
public final class TimerWheel {

    /// 16 ms: finer than any timeout here needs (the finest are 100 ms), coarse enough to batch.
    static final long TICK_NANOS = 1L << 24;

    static final int SLOTS = 512;

    /// The list of the slot that is being fired: what has had its turn, or stays for a later one,
    /// is no longer in it.
    private static final int FIRING = SLOTS;

    private final @Nullable Timer[] slots = new @Nullable Timer[SLOTS + 1];
    private final long[] occupied = new long[SLOTS / 64];
    private final Consumer<Throwable> unexpected;

    /// The tick that was fired last. It only grows; `tick << 24` wraps as the scale does.
    private long tick;

    private int count;

    /// @param nowNanos the start of the scale
    /// @param unexpected is told what a timer threw
    public TimerWheel(long nowNanos, Consumer<Throwable> unexpected) {
        this.tick = nowNanos >> 24;
        this.unexpected = unexpected;
    }

    /// Sets `timer` to fire at `deadlineNanos`; moves it when it was set; clears it for
    /// [Deadline#NONE].
    public void set(Timer timer, long deadlineNanos) {
        if (timer.deadlineNanos == deadlineNanos) {
            return;
        }
        clear(timer);
        if (deadlineNanos == Deadline.NONE) {
            return;
        }
        long ahead = (deadlineNanos - (tick << 24) + TICK_NANOS - 1) >> 24;
        timer.deadlineNanos = deadlineNanos;
        link(timer, (int) (tick + Math.max(1, ahead)) & (SLOTS - 1));
        count++;
    }

    /// Unsets `timer`.
    public void clear(Timer timer) {
        if (timer.slot >= 0) {
            unlink(timer);
            timer.deadlineNanos = Deadline.NONE;
            count--;
        }
    }

    private void link(Timer timer, int slot) {
        Timer head = slots[slot];
        timer.slot = slot;
        timer.before = null;
        timer.after = head;
        if (head != null) {
            head.before = timer;
        }
        slots[slot] = timer;
        if (slot != FIRING) {
            occupied[slot >> 6] |= 1L << slot;
        }
    }

    private void unlink(Timer timer) {
        int slot = timer.slot;
        Timer before = timer.before;
        Timer after = timer.after;
        if (before != null) {
            before.after = after;
        } else {
            slots[slot] = after;
            if (after == null && slot != FIRING) {
                occupied[slot >> 6] &= ~(1L << slot);
            }
        }
        if (after != null) {
            after.before = before;
        }
        timer.before = null;
        timer.after = null;
        timer.slot = -1;
    }

    /// Fires what is due. What is set meanwhile has its turn in the next tick, however long this
    /// one comes late.
    public void fire(long nowNanos) {
        long elapsed = (nowNanos - (tick << 24)) >> 24;
        if (elapsed <= 0) {
            return;
        }
        long last = tick;
        tick += elapsed;
        if (count == 0) {
            return;
        }
        for (int i = 1; i <= Math.min(elapsed, SLOTS); i++) {
            fireSlot((int) (last + i) & (SLOTS - 1), nowNanos);
        }
    }

    private void fireSlot(int slot, long nowNanos) {
        Timer each;
        while ((each = slots[slot]) != null) {
            unlink(each);
            link(each, FIRING);
        }
        while ((each = slots[FIRING]) != null) {
            unlink(each);
            if (each.deadlineNanos - nowNanos > 0) {
                link(each, slot);
            } else {
                each.deadlineNanos = Deadline.NONE;
                count--;
                call(each, nowNanos);
            }
        }
    }

    private void call(Timer due, long nowNanos) {
        try {
            due.onTimer(nowNanos);
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            unexpected.accept(failure);
        }
    }

    /// How long until the next occupied slot, at most one turn of the wheel; -1 when no timer is
    /// set.
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
