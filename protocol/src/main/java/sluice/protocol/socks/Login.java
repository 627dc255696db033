package sluice.protocol.socks;

import java.nio.charset.StandardCharsets;
import sluice.base.config.Secret;

/// What an outbound says of itself to a server.
///
/// @param user name, at most 255 bytes of UTF-8
/// @param password at most 255 bytes of UTF-8; may be empty
record Login(String user, Secret password) {

    /// Most bytes of each, RFC 1929 §2.
    static final int BYTES_MAX = 255;

    /// The name's bytes, a fresh array.
    byte[] name() {
        return user.getBytes(StandardCharsets.UTF_8);
    }
}
