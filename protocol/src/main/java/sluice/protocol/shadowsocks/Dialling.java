package sluice.protocol.shadowsocks;

import java.util.List;

/// How an outbound is known to its server. Immutable, shared by all loops.
///
/// @param method of the server
/// @param relays the keys of identity headers, nearest server first (SIP023); mostly none
/// @param user the key of the last server or user; seals everything but identity headers
record Dialling(Method method, List<Credential> relays, Credential user) {

    /// Whose identity the header sealed with `relays.get(index)` names.
    Credential named(int index) {
        return index + 1 < relays.size() ? relays.get(index + 1) : user;
    }

    /// The key that separate headers of datagrams to the server are sealed with (SIP023 §2.2).
    Credential nearest() {
        return relays.isEmpty() ? user : relays.getFirst();
    }

    /// Bytes of all identity headers.
    int identityBytes() {
        return relays.size() * Wire.IDENTITY_BYTES;
    }
}
