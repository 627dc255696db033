package sluice.app;

/// Gives memory back after a peak. The serial collector lets the old generation grow to its ceiling
/// before it looks for garbage there, so a heap that has grown is collected once, and shrinks.
final class HeapWatch {

    /// Growth that is worth a pause: a collection takes about 20 ms for 10 MiB of live objects.
    private static final long WORTH_BYTES = 24L << 20;

    /// Growth between two looks that calls for the next one soon.
    private static final long GROWING_BYTES = 4L << 20;

    private long liveBytes;
    private long seenBytes;
    private boolean growing;

    /// Collects when the heap holds half as much again as after the last collection, and 24 MiB
    /// more.
    void collectAfterGrowth() {
        Runtime runtime = Runtime.getRuntime();
        long used = runtime.totalMemory() - runtime.freeMemory();
        growing = used > seenBytes + GROWING_BYTES;
        seenBytes = used;
        if (used > liveBytes + liveBytes / 2 + WORTH_BYTES) {
            System.gc();
            liveBytes = runtime.totalMemory() - runtime.freeMemory();
            seenBytes = liveBytes;
        }
    }

    /// Whether the last look found much more than the one before.
    boolean isGrowing() {
        return growing;
    }
}
