package sluice.protocol.shadowsocks;

import java.util.Arrays;

/// Which packet ids of one session were seen (SIP022 §3.2.4): accepts those above the highest, and
/// those at most [#BEHIND_MAX] below it that did not come yet. Ids are unsigned. Owned by one loop.
///
/// A ring of words that grows with the highest id, so that a session of a few packets keeps 8
/// bytes; 1 KiB at most.
final class SlidingWindow {

    /// As far as sing and shadowsocks-rust look back.
    static final int BEHIND_MAX = 8128;

    private static final int WORDS_MAX = (BEHIND_MAX + 64) / 64;

    private long[] words = new long[1];
    private long highest;
    private boolean isEmpty = true;

    /// Whether [#accept] would say yes. Changes nothing.
    boolean isFresh(long id) {
        if (isEmpty || Long.compareUnsigned(id, highest) > 0) {
            return true;
        }
        return Long.compareUnsigned(highest - id, BEHIND_MAX) <= 0 && (word(id) & bit(id)) == 0;
    }

    /// Marks `id` as seen; false where it is too old or was seen before. Only for authentic
    /// packets.
    boolean accept(long id) {
        if (!isFresh(id)) {
            return false;
        }
        if (isEmpty || Long.compareUnsigned(id, highest) > 0) {
            advance(id);
        }
        words[index(id)] |= bit(id);
        return true;
    }

    private void advance(long id) {
        long before = isEmpty ? 0 : highest >>> 6;
        long after = id >>> 6;
        if (after >= words.length && words.length < WORDS_MAX) {
            // Nothing wrapped around yet, so that every word keeps its place.
            int size = after >= WORDS_MAX ? WORDS_MAX : Integer.highestOneBit((int) after) * 2;
            words = Arrays.copyOf(words, size);
        }
        long steps = Math.min(after - before, words.length);
        for (long step = 0; step < steps; step++) {
            words[(int) (after - step) & words.length - 1] = 0;
        }
        highest = id;
        isEmpty = false;
    }

    private long word(long id) {
        return words[index(id)];
    }

    private int index(long id) {
        return (int) (id >>> 6) & words.length - 1;
    }

    private static long bit(long id) {
        return 1L << id;
    }
}
