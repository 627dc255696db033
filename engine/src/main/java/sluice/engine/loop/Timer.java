package sluice.engine.loop;

import java.util.function.LongConsumer;
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

    /// A timer that calls `onTimer` with the time, in nanoseconds.
    public static Timer calling(LongConsumer onTimer) {
        return new Timer() {
            @Override
            protected void onTimer(long nowNanos) {
                onTimer.accept(nowNanos);
            }
        };
    }

    /// The deadline has passed. The timer is unset by now and may be set again.
    protected abstract void onTimer(long nowNanos);

    /// When it will fire, or [Deadline#NONE].
    public final long deadlineNanos() {
        return deadlineNanos;
    }
}
