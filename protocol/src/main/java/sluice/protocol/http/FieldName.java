package sluice.protocol.http;

import java.nio.charset.StandardCharsets;

/// The field names that a proxy acts on.
enum FieldName {
    CONNECTION("connection"),
    CONTENT_LENGTH("content-length"),
    HOST("host"),
    KEEP_ALIVE("keep-alive"),
    PROXY_AUTHENTICATE("proxy-authenticate"),
    PROXY_AUTHORIZATION("proxy-authorization"),
    PROXY_CONNECTION("proxy-connection"),
    TE("te"),
    TRAILER("trailer"),
    TRANSFER_ENCODING("transfer-encoding"),
    UPGRADE("upgrade"),
    /// Any other.
    OTHER("");

    private static final FieldName[] ALL = values();

    private final byte[] lower;

    FieldName(String lower) {
        this.lower = lower.getBytes(StandardCharsets.US_ASCII);
    }

    /// The name that stands at `[start, end)`, whatever its case.
    static FieldName of(byte[] array, int start, int end) {
        for (FieldName name : ALL) {
            if (name != OTHER && Ascii.isText(array, start, end, name.lower)) {
                return name;
            }
        }
        return OTHER;
    }

    /// Whether the field concerns one connection alone and goes no further (RFC 9110 §7.6.1, and
    /// two older ones). `Upgrade` is one too, but may go on.
    boolean isHopByHop() {
        return switch (this) {
            case CONNECTION,
                    KEEP_ALIVE,
                    PROXY_AUTHENTICATE,
                    PROXY_AUTHORIZATION,
                    PROXY_CONNECTION,
                    TE,
                    TRAILER,
                    UPGRADE ->
                    true;
            case CONTENT_LENGTH, HOST, TRANSFER_ENCODING, OTHER -> false;
        };
    }
}
