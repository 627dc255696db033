package sluice.secure.crypto;

import java.nio.charset.StandardCharsets;
import org.apache.commons.codec.digest.Blake3;

/// BLAKE3 in its key derivation mode, for one context string. The context is hashed once. Owned by
/// one loop.
public final class Blake3Kdf {

    private final Blake3 hasher;

    Blake3Kdf(String context) {
        hasher = Blake3.initKeyDerivationFunction(context.getBytes(StandardCharsets.US_ASCII));
    }

    /// Derives `bytes` bytes into `out` from the material `first | second`.
    public void derive(
            byte[] first, byte[] second, int secondOffset, int secondBytes, byte[] out, int bytes) {
        hasher.reset();
        hasher.update(first, 0, first.length);
        hasher.update(second, secondOffset, secondBytes);
        hasher.doFinalize(out, 0, bytes);
    }
}
