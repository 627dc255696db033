package sluice.protocol.shadowsocks;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Destination;
import sluice.secure.crypto.Aead;
import sluice.secure.crypto.AeadKey;
import sluice.secure.crypto.Digests;

/// A long-lived key: a user's, a server's, or a relay's. Immutable, shared by all loops; it prints
/// without the key.
final class Credential {

    private final @Nullable String name;
    private final byte[] key;
    private final AeadKey direct;
    private final long identityHigh;
    private final long identityLow;
    private final @Nullable Destination next;

    private Credential(
            Method method, @Nullable String name, byte[] key, @Nullable Destination next) {
        this.name = name;
        this.key = key;
        this.next = next;
        Aead aead = method.aead();
        direct = AeadKey.of(aead.isAes() ? aead : Aead.XCHACHA20_POLY1305, key);
        byte[] hash = method.is2022() ? Digests.blake3(key, 16) : new byte[16];
        identityHigh = Wire.getLong(hash, 0);
        identityLow = Wire.getLong(hash, 8);
    }

    /// A decoded key of the 2022 edition, or a master key of SIP004.
    static Credential of(Method method, @Nullable String name, byte[] key) {
        return new Credential(method, name, key, null);
    }

    /// The key that stands for a password: decoded in the 2022 edition, hashed before it.
    ///
    /// @throws sluice.base.config.Refusal where it is no key of this method
    static Credential ofPassword(Method method, @Nullable String name, String password) {
        byte[] key =
                method.is2022()
                        ? PreSharedKey.decode(method, password, "the key")
                        : Digests.evpBytesToKey(
                                password.getBytes(StandardCharsets.UTF_8), method.keyBytes());
        return of(method, name, key);
    }

    /// The same key, in a relay's table: what names it goes to `next`.
    Credential to(Method method, Destination next) {
        return new Credential(method, name, key, next);
    }

    /// The user's name, or null for a server with one key.
    @Nullable String name() {
        return name;
    }

    /// The key's bytes, not a copy; nobody changes them.
    byte[] key() {
        return key;
    }

    /// The key for direct use: as a block cipher with AES, as XChaCha20-Poly1305 otherwise (SIP022
    /// §3.2).
    AeadKey direct() {
        return direct;
    }

    /// First half of BLAKE3 over the key, cut to 16 bytes (SIP023 §2).
    long identityHigh() {
        return identityHigh;
    }

    /// Second half of the same.
    long identityLow() {
        return identityLow;
    }

    /// Where a relay sends those who name this key; null elsewhere.
    @Nullable Destination next() {
        return next;
    }

    @Override
    public String toString() {
        return "credential of " + name;
    }
}
