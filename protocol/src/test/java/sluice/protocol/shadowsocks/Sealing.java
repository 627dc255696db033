package sluice.protocol.shadowsocks;

import sluice.secure.crypto.AeadKey;
import sluice.secure.crypto.Ciphers;

/// A hand-driven sender, for what no honest one sends.
final class Sealing {

    private final Ciphers ciphers = new Ciphers();
    private final byte[] salt;
    private final AeadKey key;
    private long counter;

    /// The user and salt of the SIP004 vectors.
    Sealing(Method method) {
        this(method, Setup.user(method), Setup.aeadSalt(method));
    }

    Sealing(Method method, Credential user, byte[] salt) {
        this.salt = salt;
        key = Subkeys.ofSalt(ciphers, method, user, salt, 0);
    }

    byte[] salt() {
        return salt.clone();
    }

    /// A sealed length and payload.
    byte[] chunk(byte[] payload) {
        return Setup.concat(length(payload.length), record(payload));
    }

    /// A sealed length.
    byte[] length(int value) {
        return record(new byte[] {(byte) (value >>> 8), (byte) value});
    }

    /// A sealed record.
    byte[] record(byte[] plain) {
        byte[] sealed = new byte[plain.length + Wire.TAG_BYTES];
        ciphers.seal(key, counter++, plain, 0, plain.length, sealed, 0);
        return sealed;
    }
}
