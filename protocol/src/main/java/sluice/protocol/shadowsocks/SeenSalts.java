package sluice.protocol.shadowsocks;

/// Salts of accepted handshakes, against replays. Exact: no salt is taken for another's, except at
/// the odds of 2^-128. Shared by all loops of a listener and, over a reload, by its successor; the
/// lock is held for a look and an insertion, once per handshake.
///
/// Two generations: a salt is remembered for `memoryNanos` at least, and while fewer than
/// `remembered` others came. Only salts whose first tag was right come here, so that strangers
/// cannot fill it. At [#GENERATION_MAX] salts within one generation it refuses all further ones:
/// rather a refused client than an accepted replay.
///
/// Memory: 16 bytes a slot and at most two thirds of the slots used: 2 × 4 MiB for 100,000 salts,
/// at most 2 × 64 MiB.
final class SeenSalts {

    /// Chosen: 46,000 handshakes a second for a minute.
    static final int GENERATION_MAX = 2_796_202;

    private static final int SLOTS_MIN = 1024;

    private final long memoryNanos;
    private final int remembered;
    private long[] present = new long[2 * SLOTS_MIN];
    private long[] past = new long[2 * SLOTS_MIN];
    private int presentCount;
    private long presentSinceNanos;
    private boolean begun;

    /// @param memoryNanos how long a salt is remembered at least
    /// @param remembered how many salts are remembered at least
    SeenSalts(long memoryNanos, int remembered) {
        this.memoryNanos = memoryNanos;
        this.remembered = remembered;
    }

    /// Remembers the salt of `bytes` bytes at `offset`; false where it was seen before. Any thread.
    boolean add(byte[] salt, int offset, int bytes, long nowNanos) {
        long high = Wire.getLong(salt, offset);
        long low = Wire.getLong(salt, offset + 8);
        if (bytes > 16) {
            high ^= mixed(Wire.getLong(salt, offset + 16));
        }
        if (bytes > 24) {
            low ^= mixed(Wire.getLong(salt, offset + 24));
        }
        return add(high == 0 && low == 0 ? 1 : high, low, nowNanos);
    }

    /// Spreads every bit over all, so that long salts fold into 16 bytes without meeting.
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 32) * 0xd6e8_feb8_6659_fd93L;
        mixed = (mixed ^ mixed >>> 32) * 0xd6e8_feb8_6659_fd93L;
        return mixed ^ mixed >>> 32;
    }

    private synchronized boolean add(long high, long low, long nowNanos) {
        rotateWhenDue(nowNanos);
        if (slotOf(past, high, low) < 0) {
            return false;
        }
        int slot = slotOf(present, high, low);
        if (slot < 0 || presentCount >= GENERATION_MAX) {
            return false;
        }
        present[slot] = high;
        present[slot + 1] = low;
        if (++presentCount * 3L > present.length) {
            present = grown(present);
        }
        return true;
    }

    private void rotateWhenDue(long nowNanos) {
        if (!begun) {
            begun = true;
            presentSinceNanos = nowNanos;
        }
        long age = nowNanos - presentSinceNanos;
        if (age > memoryNanos && presentCount >= remembered) {
            // A generation that is older than two memories holds nothing worth keeping.
            past = age > 2 * memoryNanos && remembered == 0 ? new long[2 * SLOTS_MIN] : present;
            present = new long[2 * SLOTS_MIN];
            presentCount = 0;
            presentSinceNanos = nowNanos;
        }
    }

    /// Index of the free slot where the salt belongs, or -1 where it is there already.
    private static int slotOf(long[] table, long high, long low) {
        int mask = table.length / 2 - 1;
        int slot = (int) ((high ^ low) * 0x9e37_79b9_7f4a_7c15L >>> 32) & mask;
        while (true) {
            long there = table[2 * slot];
            long thereLow = table[2 * slot + 1];
            if (there == 0 && thereLow == 0) {
                return 2 * slot;
            }
            if (there == high && thereLow == low) {
                return -1;
            }
            slot = slot + 1 & mask;
        }
    }

    private static long[] grown(long[] table) {
        long[] larger = new long[2 * table.length];
        for (int i = 0; i < table.length; i += 2) {
            if (table[i] != 0 || table[i + 1] != 0) {
                int slot = slotOf(larger, table[i], table[i + 1]);
                larger[slot] = table[i];
                larger[slot + 1] = table[i + 1];
            }
        }
        return larger;
    }

    /// Slots of both generations; tells tests what is kept.
    synchronized int slots() {
        return (present.length + past.length) / 2;
    }
}
