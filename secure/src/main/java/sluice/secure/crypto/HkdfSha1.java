package sluice.secure.crypto;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/// HKDF with HMAC-SHA-1 (RFC 5869), which the JDK's own KDF lacks. Owned by one loop.
final class HkdfSha1 {

    private static final int HASH_BYTES = 20;

    private final Mac mac;
    private final byte[] prk = new byte[HASH_BYTES];
    private final byte[] block = new byte[HASH_BYTES];

    HkdfSha1() {
        try {
            mac = Mac.getInstance("HmacSHA1");
        } catch (NoSuchAlgorithmException missing) {
            throw new AssertionError("the JDK has no HmacSHA1", missing);
        }
    }

    /// Extract and expand: writes `bytes` bytes to `out`.
    void derive(
            byte[] salt,
            int saltOffset,
            int saltBytes,
            byte[] key,
            byte[] info,
            byte[] out,
            int bytes) {
        try {
            mac.init(new SecretKeySpec(salt, saltOffset, saltBytes, "HmacSHA1"));
            mac.update(key);
            mac.doFinal(prk, 0);
            mac.init(new SecretKeySpec(prk, "HmacSHA1"));
            int have = 0;
            for (byte counter = 1; have < bytes; counter++) {
                if (have > 0) {
                    mac.update(block);
                }
                mac.update(info);
                mac.update(counter);
                mac.doFinal(block, 0);
                System.arraycopy(block, 0, out, have, Math.min(HASH_BYTES, bytes - have));
                have += HASH_BYTES;
            }
        } catch (InvalidKeyException | ShortBufferException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
