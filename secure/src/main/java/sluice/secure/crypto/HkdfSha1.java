package sluice.secure.crypto;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// HKDF with HMAC-SHA-1 (RFC 5869), which the JDK's own KDF lacks. Built on the bare hash, since
/// the JDK's HMAC allocates for every new key. Owned by one loop.
final class HkdfSha1 {

    private static final int HASH_BYTES = 20;
    private static final int BLOCK_BYTES = 64;

    private final MessageDigest sha1;
    private final byte[] innerPad = new byte[BLOCK_BYTES];
    private final byte[] outerPad = new byte[BLOCK_BYTES];
    private final byte[] inner = new byte[HASH_BYTES];
    private final byte[] prk = new byte[HASH_BYTES];
    private final byte[] block = new byte[HASH_BYTES];

    HkdfSha1() {
        try {
            sha1 = MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException missing) {
            throw new AssertionError("the JDK has no SHA-1", missing);
        }
    }

    /// Extract and expand: writes `bytes` bytes to `out`. The salt has at most 64 bytes.
    void derive(
            byte[] salt,
            int saltOffset,
            int saltBytes,
            byte[] key,
            byte[] info,
            byte[] out,
            int bytes) {
        assert saltBytes <= BLOCK_BYTES;
        begin(salt, saltOffset, saltBytes);
        sha1.update(key);
        finish(prk);
        int have = 0;
        for (byte counter = 1; have < bytes; counter++) {
            begin(prk, 0, HASH_BYTES);
            if (have > 0) {
                sha1.update(block);
            }
            sha1.update(info);
            sha1.update(counter);
            finish(block);
            System.arraycopy(block, 0, out, have, Math.min(HASH_BYTES, bytes - have));
            have += HASH_BYTES;
        }
    }

    /// Begins an HMAC (RFC 2104) with a key that fits into one block.
    private void begin(byte[] key, int offset, int bytes) {
        Arrays.fill(innerPad, (byte) 0x36);
        Arrays.fill(outerPad, (byte) 0x5c);
        for (int i = 0; i < bytes; i++) {
            innerPad[i] ^= key[offset + i];
            outerPad[i] ^= key[offset + i];
        }
        sha1.update(innerPad);
    }

    private void finish(byte[] mac) {
        try {
            sha1.digest(inner, 0, HASH_BYTES);
            sha1.update(outerPad);
            sha1.update(inner);
            sha1.digest(mac, 0, HASH_BYTES);
        } catch (DigestException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
