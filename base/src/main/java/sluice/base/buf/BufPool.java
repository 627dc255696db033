package sluice.base.buf;

import org.jspecify.annotations.Nullable;

/// Buffers of one loop, in a few sizes. The last one given back is the next one taken, so that a
/// busy loop works in the processor's cache. Not thread-safe: one loop thread owns it.
///
/// What comes back is kept, so that steady load makes no garbage, until [#ebb] finds that a while
/// has passed without need of it. When less than half of the budget is left, a pool keeps 64 tiny
/// (1 KiB), 64 small (4 KiB), 32 medium (72 KiB) and 4 large (288 KiB) arrays at most, about 4 MiB,
/// and leaves the rest to the others. Large arrays are for the few flows that are served at a time:
/// when flows hold more than [#TIGHT_BYTES], reads get medium ones, so that many stalled flows cost
/// little. [#acquire] never fails; [#isSpent] tells readers to stop, and leaves [#RESERVE_BYTES]
/// for the turn that is under way.
public final class BufPool {

    /// Most bytes that one read asks for: 16 full Shadowsocks chunks of 16,383 bytes, and just
    /// short of 4 chunks of 65,535, so that batches fill the records they are cut into.
    public static final int READ_BYTES = 16 * 16_383;

    /// What a turn may still take after [#isSpent] said yes: a read, and its outcome in two layers.
    public static final int RESERVE_BYTES = 3 * 288 * 1024;

    /// What flows may hold before reads become smaller: eight large arrays.
    public static final int TIGHT_BYTES = 8 * 288 * 1024;

    /// Most bytes that one read asks for when memory is tight: 4 full chunks of 16,383 bytes. A
    /// medium array holds that, or the largest record there is (65,569 bytes).
    public static final int TIGHT_READ_BYTES = 4 * 16_383;

    /// Most bytes that one read asks for when less than half of the budget is left: with what
    /// layers add, they fit a small array.
    public static final int SCARCE_READ_BYTES = 4 * 1024 - 128;

    /// Most bytes that one read asks for when less than a quarter of the budget is left: with what
    /// layers add, they fit a tiny array.
    public static final int LAST_READ_BYTES = 1024 - 128;

    private static final int[] SIZES = {1024, 4 * 1024, 72 * 1024, 288 * 1024};
    private static final int[] KEPT = {64, 64, 32, 4};

    private final BufBudget budget;
    private final @Nullable Buf[] free = new @Nullable Buf[SIZES.length];
    private final int[] freeCount = new int[SIZES.length];

    /// The fewest free arrays of each size since the last [#ebb]: so many were not needed.
    private final int[] fewestFree = new int[SIZES.length];

    private int inUse;
    private long inUseBytes;
    private long keptBytes;

    /// @param budget the ceiling shared with the other loops
    public BufPool(BufBudget budget) {
        this.budget = budget;
    }

    /// Returns an empty buffer with room for at least `bytes`; the caller owns it.
    public Buf acquire(int bytes) {
        int kind = kindFor(bytes);
        Buf buf = kind < SIZES.length ? free[kind] : null;
        if (buf != null) {
            free[kind] = buf.next();
            freeCount[kind]--;
            fewestFree[kind] = Math.min(fewestFree[kind], freeCount[kind]);
            keptBytes -= SIZES[kind];
        } else {
            int size = kind < SIZES.length ? SIZES[kind] : bytes;
            budget.take(size);
            buf = new Buf(this, new byte[size]);
        }
        buf.markFree(false);
        inUse++;
        inUseBytes += buf.array().length;
        return buf;
    }

    /// Returns a buffer fit for one read; the caller owns it.
    public Buf acquireForRead() {
        return acquire(readBytes());
    }

    /// How many bytes a read should ask for. The less is left of the budget, the less each read
    /// takes of it, so that it takes many thousand stalled flows to stop the others.
    public int readBytes() {
        if (!isTight()) {
            return READ_BYTES;
        }
        long left = budget.leftBytes();
        long limit = budget.limitBytes();
        return left > limit / 2
                ? TIGHT_READ_BYTES
                : left > limit / 4 ? SCARCE_READ_BYTES : LAST_READ_BYTES;
    }

    /// Whether so much is held that whoever holds more than it needs should move to smaller arrays.
    public boolean isTight() {
        return inUseBytes > TIGHT_BYTES || budget.leftBytes() < budget.limitBytes() / 2;
    }

    /// Returns a copy of the readable bytes in the smallest buffer that holds them, and releases
    /// `owned`. Returns `owned` itself where a copy would not be smaller.
    public Buf shrink(Buf owned) {
        int kind = kindFor(owned.length());
        if (kind >= SIZES.length || SIZES[kind] >= owned.array().length) {
            return owned;
        }
        Buf small = acquire(owned.length());
        small.put(owned.array(), owned.start(), owned.length());
        owned.release();
        return small;
    }

    /// Whether readers should stop: what is left of the budget is kept for the turn under way.
    public boolean isSpent() {
        return budget.leftBytes() < RESERVE_BYTES;
    }

    /// Drops the arrays that nobody has needed since the last call. Called twice in a row, it drops
    /// all that have no owner.
    public void ebb() {
        for (int kind = 0; kind < SIZES.length; kind++) {
            for (int i = fewestFree[kind]; i > 0; i--) {
                dropFree(kind);
            }
            fewestFree[kind] = freeCount[kind];
        }
    }

    private void dropFree(int kind) {
        Buf buf = free[kind];
        if (buf != null) {
            free[kind] = buf.next();
            freeCount[kind]--;
            keptBytes -= SIZES[kind];
            budget.giveBack(SIZES[kind]);
        }
    }

    /// Bytes of arrays that have no owner and are kept warm.
    public long keptBytes() {
        return keptBytes;
    }

    /// Buffers that have an owner now.
    public int inUse() {
        return inUse;
    }

    /// Bytes of the arrays that have an owner now.
    public long inUseBytes() {
        return inUseBytes;
    }

    /// The size of the array that [#acquire] gives for `bytes`.
    public int sizeFor(int bytes) {
        int kind = kindFor(bytes);
        return kind < SIZES.length ? SIZES[kind] : bytes;
    }

    void giveBack(Buf buf) {
        buf.markFree(true);
        inUse--;
        inUseBytes -= buf.array().length;
        int kind = kindFor(buf.array().length);
        if (kind >= SIZES.length || !isWorthKeeping(kind)) {
            budget.giveBack(buf.array().length);
            return;
        }
        buf.next(free[kind]);
        free[kind] = buf;
        freeCount[kind]++;
        keptBytes += SIZES[kind];
    }

    private boolean isWorthKeeping(int kind) {
        long left = budget.leftBytes();
        return left > budget.limitBytes() / 2
                || (left >= RESERVE_BYTES && freeCount[kind] < KEPT[kind]);
    }

    private static int kindFor(int bytes) {
        int kind = 0;
        while (kind < SIZES.length && SIZES[kind] < bytes) {
            kind++;
        }
        return kind;
    }
}
