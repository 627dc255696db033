package sluice.protocol.shadowsocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Kind;
import sluice.base.config.Nearest;
import sluice.base.config.Refusal;
import sluice.secure.crypto.Aead;

/// What an operator names as `method`: a cipher together with the edition of the protocol.
enum Method {
    NONE("none", Edition.PLAIN, null),
    AES_128_GCM("aes-128-gcm", Edition.AEAD, Aead.AES_128_GCM),
    AES_192_GCM("aes-192-gcm", Edition.AEAD, Aead.AES_192_GCM),
    AES_256_GCM("aes-256-gcm", Edition.AEAD, Aead.AES_256_GCM),
    CHACHA20_IETF_POLY1305("chacha20-ietf-poly1305", Edition.AEAD, Aead.CHACHA20_POLY1305),
    XCHACHA20_IETF_POLY1305("xchacha20-ietf-poly1305", Edition.AEAD, Aead.XCHACHA20_POLY1305),
    BLAKE3_AES_128_GCM("2022-blake3-aes-128-gcm", Edition.AEAD_2022, Aead.AES_128_GCM),
    BLAKE3_AES_256_GCM("2022-blake3-aes-256-gcm", Edition.AEAD_2022, Aead.AES_256_GCM),
    BLAKE3_CHACHA20_POLY1305(
            "2022-blake3-chacha20-poly1305", Edition.AEAD_2022, Aead.CHACHA20_POLY1305);

    /// Editions of the protocol.
    enum Edition {
        /// No encryption at all.
        PLAIN,
        /// SIP004.
        AEAD,
        /// SIP022.
        AEAD_2022
    }

    /// Other spellings, in lower case.
    private static final Map<String, Method> ALIASES =
            Map.of(
                    "plain", NONE,
                    "dummy", NONE,
                    "aead_aes_128_gcm", AES_128_GCM,
                    "aead_aes_256_gcm", AES_256_GCM,
                    "aead_chacha20_poly1305", CHACHA20_IETF_POLY1305,
                    "chacha20-poly1305", CHACHA20_IETF_POLY1305,
                    "aead_xchacha20_poly1305", XCHACHA20_IETF_POLY1305,
                    "xchacha20-poly1305", XCHACHA20_IETF_POLY1305);

    /// Ciphers without a tag, which the protocol had before SIP004.
    private static final Set<String> STREAM_CIPHERS =
            Set.of(
                    "rc4",
                    "rc4-md5",
                    "rc4-md5-6",
                    "table",
                    "salsa20",
                    "chacha20",
                    "chacha20-ietf",
                    "xchacha20");

    private static final String MEND =
            "write 2022-blake3-aes-128-gcm, or aes-128-gcm where the other side knows no 2022 edition";

    /// The value of `method` in a configuration.
    static final Kind<Method> KIND =
            Kind.of("a Shadowsocks method", schema(), scalar -> parse(scalar.text()));

    private final String text;
    private final Edition edition;
    private final @Nullable Aead aead;

    Method(String text, Edition edition, @Nullable Aead aead) {
        this.text = text;
        this.edition = edition;
        this.aead = aead;
    }

    /// Reads a name or one of its other spellings, upper and lower case alike.
    ///
    /// @throws Refusal with the reason and what to write instead
    static Method parse(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        Method method = ALIASES.get(lower);
        if (method != null) {
            return method;
        }
        for (Method each : values()) {
            if (each.text.equals(lower)) {
                return each;
            }
        }
        if (isStreamCipher(lower)) {
            throw new Refusal(
                    lower
                            + " is a stream cipher of old, without integrity: anybody can find out"
                            + " such a server",
                    MEND);
        }
        if (isPrivate(lower)) {
            throw new Refusal(lower + " is a private method of a few programs", MEND);
        }
        // A slip must not end in no encryption at all.
        List<String> sealed = names();
        sealed.remove(NONE.text);
        String near = Nearest.to(lower, sealed);
        throw new Refusal(
                "no Shadowsocks method has this name", near == null ? MEND : "write " + near);
    }

    private static boolean isStreamCipher(String lower) {
        return STREAM_CIPHERS.contains(lower)
                || lower.endsWith("-cfb")
                || lower.endsWith("-cfb8")
                || lower.endsWith("-ctr")
                || lower.endsWith("-ofb");
    }

    private static boolean isPrivate(String lower) {
        return lower.contains("chacha8")
                || lower.contains("-ccm")
                || lower.endsWith("-gcm-siv")
                || lower.startsWith("aegis-")
                || lower.startsWith("lea-")
                || lower.startsWith("rabbit128")
                || lower.contains("-ascon")
                || lower.contains("sm4-");
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Method method : values()) {
            names.add(method.text);
        }
        return names;
    }

    private static Map<String, Object> schema() {
        return Map.of("type", "string", "enum", names());
    }

    /// The canonical name.
    String text() {
        return text;
    }

    Edition edition() {
        return edition;
    }

    boolean is2022() {
        return edition == Edition.AEAD_2022;
    }

    /// The cipher of streams; only for methods that have one.
    Aead aead() {
        if (aead == null) {
            throw new IllegalStateException(text + " has no cipher");
        }
        return aead;
    }

    /// Bytes of a key, and of a salt; 0 for `none`.
    int keyBytes() {
        return aead == null ? 0 : aead.keyBytes();
    }

    /// Whether identity headers exist (SIP023): they are AES blocks.
    boolean hasIdentities() {
        return is2022() && aead().isAes();
    }

    @Override
    public String toString() {
        return text;
    }
}
