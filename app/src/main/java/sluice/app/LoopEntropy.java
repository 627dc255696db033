package sluice.app;

import java.security.SecureRandom;
import java.util.Arrays;
import sluice.base.random.Entropy;

/// The system's randomness, drawn in blocks: a salt per packet must not cost a call each. One per
/// loop; not thread-safe. Bytes are wiped as they are handed out.
final class LoopEntropy implements Entropy {

    private static final int BLOCK_BYTES = 1024;

    private final SecureRandom source = new SecureRandom();
    private final byte[] block = new byte[BLOCK_BYTES];
    private int used = BLOCK_BYTES;

    @Override
    public void fill(byte[] array, int offset, int length) {
        int at = offset;
        int left = length;
        while (left > 0) {
            if (used == BLOCK_BYTES) {
                source.nextBytes(block);
                used = 0;
            }
            int step = Math.min(left, BLOCK_BYTES - used);
            System.arraycopy(block, used, array, at, step);
            Arrays.fill(block, used, used + step, (byte) 0);
            used += step;
            at += step;
            left -= step;
        }
    }
}
