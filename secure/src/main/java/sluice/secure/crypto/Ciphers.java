package sluice.secure.crypto;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.jspecify.annotations.Nullable;

/// The cipher objects of one loop. Sessions hold an [AeadKey] and a counter and borrow these for
/// each record, so that an idle session costs no cipher state (the JDK keeps 380 bytes for AES-GCM
/// and 1.9 KB for ChaCha20-Poly1305 per object). Not thread-safe.
///
/// Input and output must be different arrays: the JDK opens AES-GCM at half the speed in place.
///
/// Per record the JDK allocates about 1 KB (AES-GCM) or 1.3 to 2.3 KB (ChaCha20-Poly1305) of
/// garbage, whatever the length.
public final class Ciphers {

    private static final int TAG_BITS = 8 * Aead.TAG_BYTES;
    private static final int BLOCK_BYTES = 16;

    private @Nullable Cipher gcmSealer;
    private @Nullable Cipher gcmOpener;
    private @Nullable Cipher chachaSealer;
    private @Nullable Cipher chachaOpener;
    private @Nullable Cipher blockEncryptor;
    private @Nullable Cipher blockDecryptor;
    private @Nullable AeadKey encryptorKey;
    private @Nullable AeadKey decryptorKey;
    private @Nullable HkdfSha1 hkdf;
    private final HChaCha20 hchacha = new HChaCha20();
    private final ScratchKey xchachaKey = new ScratchKey();
    private final byte[] nonce = new byte[24];
    private final byte[] innerNonce = new byte[12];
    private final byte[] two = new byte[2];
    private final byte[] derived = new byte[32];
    private final Map<String, Blake3Kdf> kdfs = new HashMap<>();

    /// Cipher objects are made when they are first needed.
    public Ciphers() {}

    /// Seals `length` bytes of `in` and writes ciphertext and tag to `out`. Returns the bytes
    /// written.
    ///
    /// @param counter the nonce, as a little-endian number as wide as the cipher's nonce; never the
    ///   same twice for a key
    public int seal(
            AeadKey key,
            long counter,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset) {
        return seal(key, counted(counter), 0, in, inOffset, length, out, outOffset);
    }

    /// Seals `length` bytes of `in` and writes ciphertext and tag to `out`. Returns the bytes
    /// written.
    ///
    /// @param nonce holds the nonce at `nonceOffset`; never the same twice for a key
    public int seal(
            AeadKey key,
            byte[] nonce,
            int nonceOffset,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset) {
        Cipher cipher = key.aead().isAes() ? gcmSealer() : chachaSealer();
        try {
            init(cipher, Cipher.ENCRYPT_MODE, key, nonce, nonceOffset);
            return cipher.doFinal(in, inOffset, length, out, outOffset);
        } catch (GeneralSecurityException misuse) {
            throw new AssertionError("sealing failed", misuse);
        }
    }

    /// Opens `length` bytes of `in`, tag included, and writes the plaintext to `out`. Returns its
    /// bytes, or -1 where the tag is wrong; what was written to `out` is then worthless.
    ///
    /// @param counter as for [#seal(AeadKey, long, byte[], int, int, byte[], int)]
    public int open(
            AeadKey key,
            long counter,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset) {
        return open(key, counted(counter), 0, in, inOffset, length, out, outOffset);
    }

    /// Opens `length` bytes of `in`, tag included, and writes the plaintext to `out`. Returns its
    /// bytes, or -1 where the tag is wrong or `length` has no room for one.
    ///
    /// @param nonce holds the nonce at `nonceOffset`
    public int open(
            AeadKey key,
            byte[] nonce,
            int nonceOffset,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset) {
        if (length < Aead.TAG_BYTES) {
            return -1;
        }
        Cipher cipher = key.aead().isAes() ? gcmOpener() : chachaOpener();
        try {
            init(cipher, Cipher.DECRYPT_MODE, key, nonce, nonceOffset);
            return cipher.doFinal(in, inOffset, length, out, outOffset);
        } catch (AEADBadTagException _) {
            return -1;
        } catch (GeneralSecurityException misuse) {
            throw new AssertionError("opening failed", misuse);
        }
    }

    /// Seals a big-endian u16 as a record of its own, such as the length of the next one. Returns
    /// the bytes written to `out`: 2 and the tag.
    public int sealShort(AeadKey key, long counter, int value, byte[] out, int outOffset) {
        two[0] = (byte) (value >>> 8);
        two[1] = (byte) value;
        return seal(key, counter, two, 0, 2, out, outOffset);
    }

    /// Opens what [#sealShort] wrote. Returns the value, or -1 where the tag is wrong.
    public int openShort(AeadKey key, long counter, byte[] in, int inOffset) {
        int bytes = open(key, counter, in, inOffset, 2 + Aead.TAG_BYTES, two, 0);
        return bytes < 0 ? -1 : (two[0] & 0xff) << 8 | two[1] & 0xff;
    }

    /// Encrypts one 16-byte block with the bare block cipher; `in` and `out` may be the same array.
    ///
    /// @param key an AES key; the cipher keeps its schedule until another key comes
    public void encryptBlock(AeadKey key, byte[] in, int inOffset, byte[] out, int outOffset) {
        Cipher cipher = blockEncryptor;
        if (cipher == null) {
            cipher = blockEncryptor = cipher("AES/ECB/NoPadding");
        }
        try {
            if (encryptorKey != key) {
                cipher.init(Cipher.ENCRYPT_MODE, key);
                encryptorKey = key;
            }
            cipher.doFinal(in, inOffset, BLOCK_BYTES, out, outOffset);
        } catch (GeneralSecurityException misuse) {
            throw new AssertionError("block encryption failed", misuse);
        }
    }

    /// Decrypts one 16-byte block with the bare block cipher; `in` and `out` may be the same array.
    ///
    /// @param key an AES key; the cipher keeps its schedule until another key comes
    public void decryptBlock(AeadKey key, byte[] in, int inOffset, byte[] out, int outOffset) {
        Cipher cipher = blockDecryptor;
        if (cipher == null) {
            cipher = blockDecryptor = cipher("AES/ECB/NoPadding");
        }
        try {
            if (decryptorKey != key) {
                cipher.init(Cipher.DECRYPT_MODE, key);
                decryptorKey = key;
            }
            cipher.doFinal(in, inOffset, BLOCK_BYTES, out, outOffset);
        } catch (GeneralSecurityException misuse) {
            throw new AssertionError("block decryption failed", misuse);
        }
    }

    /// Derives a key by HKDF with HMAC-SHA-1 (RFC 5869).
    ///
    /// @param aead what the key is for
    /// @param salt holds a salt of at most 64 bytes at `saltOffset`
    /// @param key the input keying material
    public AeadKey hkdfSha1(
            Aead aead, byte[] salt, int saltOffset, int saltBytes, byte[] key, byte[] info) {
        HkdfSha1 kdf = hkdf;
        if (kdf == null) {
            kdf = hkdf = new HkdfSha1();
        }
        kdf.derive(salt, saltOffset, saltBytes, key, info, derived, aead.keyBytes());
        return AeadKey.of(aead, derived);
    }

    /// This loop's BLAKE3 key derivation for `context`, which is ASCII.
    public Blake3Kdf blake3Kdf(String context) {
        Blake3Kdf kdf = kdfs.get(context);
        if (kdf == null) {
            kdf = new Blake3Kdf(context);
            kdfs.put(context, kdf);
        }
        return kdf;
    }

    private byte[] counted(long counter) {
        for (int i = 0; i < 8; i++) {
            nonce[i] = (byte) (counter >>> (8 * i));
        }
        return nonce;
    }

    private void init(Cipher cipher, int mode, AeadKey key, byte[] nonce, int offset)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        switch (key.aead()) {
            case AES_128_GCM, AES_192_GCM, AES_256_GCM ->
                    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce, offset, 12));
            case CHACHA20_POLY1305 -> initChacha(cipher, mode, key, nonce, offset);
            case XCHACHA20_POLY1305 -> {
                hchacha.derive(key.bytes(), nonce, offset, xchachaKey.bytes);
                System.arraycopy(nonce, offset + 16, innerNonce, 4, 8);
                initChacha(cipher, mode, xchachaKey, innerNonce, 0);
            }
        }
    }

    /// The JDK refuses a key and nonce that equal those of the object's last use, also when
    /// opening, where a repetition is no mistake of ours but a replay by a peer. Another nonce in
    /// between helps.
    private void initChacha(Cipher cipher, int mode, SecretKey key, byte[] nonce, int offset)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        IvParameterSpec spec = new IvParameterSpec(nonce, offset, 12);
        try {
            cipher.init(mode, key, spec);
        } catch (InvalidKeyException repeated) {
            if (mode == Cipher.ENCRYPT_MODE) {
                throw repeated;
            }
            byte[] other = spec.getIV();
            other[0] ^= 1;
            cipher.init(mode, key, new IvParameterSpec(other));
            cipher.init(mode, key, spec);
        }
    }

    private Cipher gcmSealer() {
        Cipher cipher = gcmSealer;
        if (cipher == null) {
            cipher = gcmSealer = cipher("AES/GCM/NoPadding");
        }
        return cipher;
    }

    private Cipher gcmOpener() {
        Cipher cipher = gcmOpener;
        if (cipher == null) {
            cipher = gcmOpener = cipher("AES/GCM/NoPadding");
        }
        return cipher;
    }

    private Cipher chachaSealer() {
        Cipher cipher = chachaSealer;
        if (cipher == null) {
            cipher = chachaSealer = cipher("ChaCha20-Poly1305");
        }
        return cipher;
    }

    private Cipher chachaOpener() {
        Cipher cipher = chachaOpener;
        if (cipher == null) {
            cipher = chachaOpener = cipher("ChaCha20-Poly1305");
        }
        return cipher;
    }

    private static Cipher cipher(String transformation) {
        try {
            return Cipher.getInstance(transformation);
        } catch (GeneralSecurityException missing) {
            throw new AssertionError("the JDK has no " + transformation, missing);
        }
    }

    /// The inner key of XChaCha20, rewritten for every record.
    private static final class ScratchKey implements SecretKey {

        private static final long serialVersionUID = 1;

        private final byte[] bytes = new byte[32];

        @Override
        public String getAlgorithm() {
            return "ChaCha20";
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            return bytes.clone();
        }
    }
}
