package sluice.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// Counts the bytes that the calling thread allocates. For claims such as "sealing a record
/// allocates nothing".
public final class Allocations {
    /// Enough for the optimising compiler to have seen the code.
    private static final int WARM_UP_RUNS = 20_000;

    /// A slow action is not warmed up for longer than this.
    private static final long WARM_UP_NANOS_MAX = Duration.ofSeconds(2).toNanos();

    private static final int ROUNDS = 10;
    private static final int RUNS_PER_ROUND = 200;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /// Fails when `action`, once warm, still allocates.
    public static void assertNone(Runnable action) {
        long bytes = bytesPerRun(action);
        if (bytes != 0) {
            throw new AssertionError(
                    "expected no allocation, but one run allocates about " + bytes + " bytes");
        }
    }

    /// The bytes one run allocates after warm-up, rounded up. The quietest of several rounds
    /// counts, because a compilation that is still going on allocates now and then.
    public static long bytesPerRun(Runnable action) {
        warmUp(action);
        long quietest = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && quietest != 0; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int run = 0; run < RUNS_PER_ROUND; run++) {
                action.run();
            }
            quietest = Math.min(quietest, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return Math.ceilDiv(quietest, RUNS_PER_ROUND);
    }

    private static void warmUp(Runnable action) {
        long start = System.nanoTime();
        for (int run = 0; run < WARM_UP_RUNS; run++) {
            action.run();
            if (System.nanoTime() - start > WARM_UP_NANOS_MAX) {
                return;
            }
        }
    }
}
