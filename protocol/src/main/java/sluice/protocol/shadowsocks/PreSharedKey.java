package sluice.protocol.shadowsocks;

import java.util.Base64;
import sluice.base.config.Refusal;

/// Reads keys of the 2022 edition: base64 of exactly as many random bytes as the method wants
/// (SIP022 §2.1). The URL-safe alphabet, missing padding and line breaks are taken too, since a key
/// that was copied from elsewhere is still the same key.
final class PreSharedKey {

    private PreSharedKey() {}

    /// Reads one key.
    ///
    /// @param role names the key in messages, such as `this key`
    /// @throws Refusal with what is wrong and how to make a right one; it does not show the key
    static byte[] decode(Method method, String text, String role) {
        String mend = "sluice generate ss-key " + method;
        String plain = text.replaceAll("\\s", "").replace('-', '+').replace('_', '/');
        if (plain.isEmpty()) {
            throw new Refusal(role + " is empty, but " + needs(method), mend);
        }
        byte[] key;
        try {
            key = Base64.getDecoder().decode(plain.replaceAll("=+$", ""));
        } catch (IllegalArgumentException _) {
            throw new Refusal(
                    role
                            + " is not base64 ("
                            + text.length()
                            + " characters), but "
                            + needs(method),
                    mend);
        }
        if (key.length != method.keyBytes()) {
            throw new Refusal(
                    role
                            + " decodes to "
                            + key.length
                            + " bytes, but "
                            + needs(method)
                            + hint(method, text, key),
                    mend);
        }
        return key;
    }

    private static String needs(Method method) {
        return method + " needs base64 of exactly " + method.keyBytes() + " bytes";
    }

    private static String hint(Method method, String text, byte[] key) {
        if (text.strip().matches("[0-9a-fA-F]{" + 2 * method.keyBytes() + "}")) {
            return "; it looks like hexadecimal";
        }
        return key.length > method.keyBytes()
                ? "; some servers hash a longer key, which other programs cannot follow"
                : "";
    }
}
