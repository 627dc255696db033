package sluice.secure.crypto;

import java.util.Arrays;
import javax.crypto.SecretKey;

/// A key together with the cipher it is for. It is all that a session keeps: the cipher objects
/// themselves belong to the loop ([Ciphers]). Immutable; about 56 bytes of heap for a 16-byte key,
/// 72 for 32 bytes.
///
/// An AES-GCM key also serves as a key of the bare block cipher ([Ciphers#encryptBlock]).
public final class AeadKey implements SecretKey {

    private static final long serialVersionUID = 1;

    private final Aead aead;
    private final byte[] bytes;

    private AeadKey(Aead aead, byte[] bytes) {
        this.aead = aead;
        this.bytes = bytes;
    }

    /// Copies the key from the front of `key`, which may be longer.
    public static AeadKey of(Aead aead, byte[] key) {
        return of(aead, key, 0);
    }

    /// Copies the key from `key` at `offset`.
    public static AeadKey of(Aead aead, byte[] key, int offset) {
        if (key.length - offset < aead.keyBytes()) {
            throw new IllegalArgumentException(
                    aead + " needs a key of " + aead.keyBytes() + " bytes");
        }
        return new AeadKey(aead, Arrays.copyOfRange(key, offset, offset + aead.keyBytes()));
    }

    /// The cipher this key is for.
    public Aead aead() {
        return aead;
    }

    /// The key itself, not a copy; for [Ciphers] alone.
    byte[] bytes() {
        return bytes;
    }

    /// Name of the cipher as the JDK wants it.
    @Override
    public String getAlgorithm() {
        return aead.isAes() ? "AES" : "ChaCha20";
    }

    @Override
    public String getFormat() {
        return "RAW";
    }

    /// A copy, since the JDK wipes what it gets.
    @Override
    public byte[] getEncoded() {
        return bytes.clone();
    }

    @Override
    public String toString() {
        return aead + " ***";
    }
}
