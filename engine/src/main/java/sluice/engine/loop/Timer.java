package sluice.engine.loop;

import org.jspecify.annotations.Nullable;
import sluice.base.time.Deadline;

/// One entry of a [TimerWheel], embedded in what it times: setting and clearing it allocates
/// nothing. Owned by the loop.
public abstract class Timer {

    long deadlineNanos = Deadline.NONE;
    int slot = -1;
    @Nullable Timer before;
    @Nullable Timer after;

    /// Makes an unset timer.
    protected Timer() {}

    /// The deadline has passed. The timer is unset by now and may be set again.
    protected abstract void onTimer(long nowNanos);

    /// When it will fire, or [Deadline#NONE].
    public final long deadlineNanos() {
        return deadlineNanos;
    }
}
