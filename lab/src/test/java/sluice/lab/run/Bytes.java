package sluice.lab.run;

import java.util.Random;

/// Bytes that differ by seed, so that a mix-up shows.
public final class Bytes {

    private Bytes() {}

    /// So many bytes.
    public static byte[] of(int bytes, long seed) {
        byte[] random = new byte[bytes];
        new Random(seed).nextBytes(random);
        return random;
    }
}
