package sluice.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for what another thread or process is about to do. Machines under virtual time need none
/// of this.
public final class Eventually {
    private static final long PAUSE_MILLIS_MAX = 20;

    private Eventually() {}

    /// Returns as soon as `condition` holds; fails when it does not within `limit`.
    public static void await(Duration limit, BooleanSupplier condition) {
        await(limit, () -> "the condition to hold", condition);
    }

    /// As [#await(Duration, BooleanSupplier)]; `what` completes the sentence "waited for …" of the
    /// failure.
    public static void await(Duration limit, Supplier<String> what, BooleanSupplier condition) {
        long start = System.nanoTime();
        long pauseMillis = 1;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new AssertionError("waited " + limit + " in vain for " + what.get());
            }
            try {
                Thread.sleep(pauseMillis);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError(
                        "interrupted while waiting for " + what.get(), interrupted);
            }
            pauseMillis = Math.min(pauseMillis * 2, PAUSE_MILLIS_MAX);
        }
    }
}
