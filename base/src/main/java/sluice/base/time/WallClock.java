package sluice.base.time;

/// The calendar's time as a parameter; it may jump. Durations use nanoseconds of the loop instead.
@FunctionalInterface
public interface WallClock {

    /// Seconds since 1970-01-01T00:00:00Z.
    long epochSeconds();
}
