package sluice.secure.crypto;

import java.nio.charset.StandardCharsets;
import org.apache.commons.codec.digest.Blake3;

/// BLAKE3 in its key derivation mode, for one context string. The context is hashed once. Owned by
/// one loop.
public final class Blake3Kdf {

    private final Blake3 hasher;
    private final byte[] derived = new byte[32];

    Blake3Kdf(String context) {
        hasher = Blake3.initKeyDerivationFunction(context.getBytes(StandardCharsets.US_ASCII));
    }

    /// Derives a key from the material `first | second`.
    ///
    /// @param aead what the key is for; a short key is the beginning of a long one
    /// @param second holds `secondBytes` bytes at `secondOffset`
    public AeadKey derive(
            Aead aead, byte[] first, byte[] second, int secondOffset, int secondBytes) {
        hasher.reset();
        hasher.update(first, 0, first.length);
        hasher.update(second, secondOffset, secondBytes);
        hasher.doFinalize(derived, 0, aead.keyBytes());
        return AeadKey.of(aead, derived);
    }
}
