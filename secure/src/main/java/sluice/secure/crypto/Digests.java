package sluice.secure.crypto;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.apache.commons.codec.digest.Blake3;

/// Hashes that are computed when a configuration is read, not per packet. Any thread.
public final class Digests {

    private Digests() {}

    /// The first `bytes` bytes of the BLAKE3 hash of `input`.
    public static byte[] blake3(byte[] input, int bytes) {
        byte[] hash = new byte[bytes];
        Blake3.initHash().update(input).doFinalize(hash);
        return hash;
    }

    /// OpenSSL's EVP_BytesToKey with MD5, one round and no salt: `MD5(p) | MD5(MD5(p) | p) | …`,
    /// cut to `bytes`.
    public static byte[] evpBytesToKey(byte[] password, int bytes) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            byte[] key = new byte[bytes];
            byte[] block = {};
            for (int have = 0; have < bytes; have += block.length) {
                md5.update(block);
                block = md5.digest(password);
                System.arraycopy(block, 0, key, have, Math.min(block.length, bytes - have));
            }
            Arrays.fill(block, (byte) 0);
            return key;
        } catch (NoSuchAlgorithmException missing) {
            throw new AssertionError("the JDK has no MD5", missing);
        }
    }
}
