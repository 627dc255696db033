package sluice.lab.engine;

/// Names of methods and their passwords, which all engines spell alike.
final class Shadowsocks {

    private Shadowsocks() {}

    /// Whether a protocol is Shadowsocks, of any edition and without TLS around it.
    static boolean is(Protocol protocol) {
        return isClassic(protocol) || is2022(protocol);
    }

    /// Of the first edition, with a password.
    static boolean isClassic(Protocol protocol) {
        return switch (protocol) {
            case SS_NONE, SS_AES128, SS_CHACHA -> true;
            default -> false;
        };
    }

    /// Of the 2022 edition, with a key.
    static boolean is2022(Protocol protocol) {
        return switch (protocol) {
            case SS22_AES128, SS22_AES256, SS22_CHACHA -> true;
            default -> false;
        };
    }

    static String method(Protocol protocol) {
        return switch (protocol) {
            case SS_NONE, SS_NONE_TLS -> "none";
            case SS_AES128 -> "aes-128-gcm";
            case SS_CHACHA -> "chacha20-ietf-poly1305";
            case SS22_AES128 -> "2022-blake3-aes-128-gcm";
            case SS22_AES256 -> "2022-blake3-aes-256-gcm";
            case SS22_CHACHA -> "2022-blake3-chacha20-poly1305";
            default -> throw new IllegalArgumentException(protocol.id());
        };
    }

    static String password(Protocol protocol) {
        return switch (protocol) {
            case SS22_AES128 -> Wiring.KEY_16;
            case SS22_AES256, SS22_CHACHA -> Wiring.KEY_32;
            default -> Wiring.PASSWORD;
        };
    }
}
