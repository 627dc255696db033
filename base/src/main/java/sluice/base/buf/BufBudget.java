package sluice.base.buf;

import java.util.concurrent.atomic.AtomicLong;

/// The ceiling on buffer memory for the whole process; shared by the pools of all loops.
///
/// Pools report arrays as they make and drop them, which happens seldom: a pool keeps what it has
/// warm. When the budget is spent, legs stop reading until buffers come back; nothing fails.
public final class BufBudget {

    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong peakBytes = new AtomicLong();

    /// @param limitBytes ceiling in bytes for all pools together
    public BufBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    void take(int bytes) {
        long now = usedBytes.addAndGet(bytes);
        if (now > peakBytes.get()) {
            peakBytes.accumulateAndGet(now, Math::max);
        }
    }

    void giveBack(int bytes) {
        usedBytes.addAndGet(-bytes);
    }

    /// Bytes in arrays that exist, in use or kept warm. Any thread.
    public long usedBytes() {
        return usedBytes.get();
    }

    /// The highest value of [#usedBytes()] so far. Any thread.
    public long peakBytes() {
        return peakBytes.get();
    }

    /// The ceiling in bytes.
    public long limitBytes() {
        return limitBytes;
    }

    /// Bytes that may still be taken; negative only while a loop finishes the turn that overdrew.
    public long leftBytes() {
        return limitBytes - usedBytes.get();
    }
}
