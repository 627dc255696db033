package sluice.protocol.shadowsocks;

import sluice.secure.crypto.Aead;
import sluice.secure.crypto.AeadKey;
import sluice.secure.crypto.Ciphers;

/// From a long-lived key and a salt to the key of one session.
final class Subkeys {

    private Subkeys() {}

    /// The key of one direction of a stream, or of one packet of SIP004.
    ///
    /// @param salt holds a salt as long as the method's keys at `offset`
    static AeadKey ofSalt(
            Ciphers ciphers, Method method, Credential credential, byte[] salt, int offset) {
        int bytes = method.keyBytes();
        Aead aead = method.aead();
        return method.is2022()
                ? ciphers.blake3Kdf(Wire.SESSION_CONTEXT)
                        .derive(aead, credential.key(), salt, offset, bytes)
                : ciphers.hkdfSha1(aead, salt, offset, bytes, credential.key(), Wire.SUBKEY_INFO);
    }

    /// The key of one direction of a datagram session with AES (SIP022 §3.2.2).
    ///
    /// @param id holds the 8 bytes of the session id at `offset`
    static AeadKey ofSession(
            Ciphers ciphers, Method method, Credential credential, byte[] id, int offset) {
        return ciphers.blake3Kdf(Wire.SESSION_CONTEXT)
                .derive(method.aead(), credential.key(), id, offset, 8);
    }

    /// The key of a stream's identity header (SIP023 §2.1).
    static AeadKey ofIdentity(
            Ciphers ciphers, Method method, Credential credential, byte[] salt, int offset) {
        return ciphers.blake3Kdf(Wire.IDENTITY_CONTEXT)
                .derive(method.aead(), credential.key(), salt, offset, method.keyBytes());
    }
}
