package sluice.lab.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Random;

/// An endless stream of bytes in which every place looks different, so that a lost, doubled or
/// misplaced byte shows. The byte at a position follows from the seed and the position alone.
final class Pattern {

    private static final int CHUNK = 256 * 1024;

    private Pattern() {}

    /// Writes the bytes from `position` on.
    static void fill(long seed, long position, byte[] into, int length) {
        long word = 0;
        for (int i = 0; i < length; i++) {
            long at = position + i;
            if (i == 0 || (at & 7) == 0) {
                word = mix(seed + (at >>> 3) * 0x9e37_79b9_7f4a_7c15L);
            }
            into[i] = (byte) (word >>> ((at & 7) << 3));
        }
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }

    /// Sends `bytes` in chunks of random size, most of them large, some tiny.
    static void send(OutputStream out, long seed, long bytes) throws IOException {
        Random random = new Random(seed);
        byte[] chunk = new byte[CHUNK];
        long sent = 0;
        while (sent < bytes) {
            int most = random.nextInt(4) == 0 ? 2_000 : CHUNK;
            int length = (int) Math.min(bytes - sent, 1 + random.nextInt(most));
            fill(seed, sent, chunk, length);
            out.write(chunk, 0, length);
            sent += length;
        }
    }

    /// Reads to the end of the stream and returns how many bytes came.
    ///
    /// @throws AssertionError where a byte is not the one that belongs there
    static long receive(InputStream in, long seed) throws IOException {
        return receive(in, seed, 0, Long.MAX_VALUE);
    }

    /// Reads `bytes` bytes or to the end, and checks that they are those from `position` on.
    static long receive(InputStream in, long seed, long position, long bytes) throws IOException {
        byte[] got = new byte[CHUNK];
        byte[] wanted = new byte[CHUNK];
        long received = 0;
        while (received < bytes) {
            int count = in.read(got, 0, (int) Math.min(CHUNK, bytes - received));
            if (count < 0) {
                return received;
            }
            fill(seed, position + received, wanted, count);
            int wrong = java.util.Arrays.mismatch(got, 0, count, wanted, 0, count);
            if (wrong >= 0) {
                throw new AssertionError("wrong byte at " + (position + received + wrong));
            }
            received += count;
        }
        return received;
    }
}
