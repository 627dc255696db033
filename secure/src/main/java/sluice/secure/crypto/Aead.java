package sluice.secure.crypto;

/// The authenticated ciphers on offer. All put a tag of [#TAG_BYTES] behind the ciphertext.
public enum Aead {
    /// NIST SP 800-38D with a 128-bit key.
    AES_128_GCM(16, 12),
    /// NIST SP 800-38D with a 192-bit key.
    AES_192_GCM(24, 12),
    /// NIST SP 800-38D with a 256-bit key.
    AES_256_GCM(32, 12),
    /// RFC 8439 §2.8.
    CHACHA20_POLY1305(32, 12),
    /// draft-irtf-cfrg-xchacha-03 §2: a nonce long enough to be drawn at random.
    XCHACHA20_POLY1305(32, 24);

    /// Bytes of every tag.
    public static final int TAG_BYTES = 16;

    private final int keyBytes;
    private final int nonceBytes;

    Aead(int keyBytes, int nonceBytes) {
        this.keyBytes = keyBytes;
        this.nonceBytes = nonceBytes;
    }

    /// Bytes of a key.
    public int keyBytes() {
        return keyBytes;
    }

    /// Bytes of a nonce.
    public int nonceBytes() {
        return nonceBytes;
    }

    /// Whether it is built on the AES block cipher.
    public boolean isAes() {
        return nonceBytes == 12 && this != CHACHA20_POLY1305;
    }
}
