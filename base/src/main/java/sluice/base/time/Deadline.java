package sluice.base.time;

/// Moments on the loop's nanosecond scale. They compare by subtraction, since the scale may wrap.
public final class Deadline {

    /// No deadline.
    public static final long NONE = Long.MAX_VALUE;

    private Deadline() {}

    /// Whether `deadlineNanos` lies at or before `nowNanos`; never for [#NONE].
    public static boolean isPast(long deadlineNanos, long nowNanos) {
        return deadlineNanos != NONE && deadlineNanos - nowNanos <= 0;
    }

    /// The earlier of the two, either of which may be [#NONE].
    public static long earlier(long a, long b) {
        if (a == NONE || b == NONE) {
            return a == NONE ? b : a;
        }
        return a - b <= 0 ? a : b;
    }
}
