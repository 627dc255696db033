package sluice.app.link;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The two encodings of share links. The JDK's own do not fit: its URL decoder turns `+` into a
/// blank, which breaks keys in Base64, and its Base64 decoders know one alphabet each.
final class LinkText {

    private static final String UNRESERVED = "-._~";

    private LinkText() {}

    /// Percent-decoded UTF-8; a malformed escape stays as it is, and so does `+`.
    static String decodePercent(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            int value = text.charAt(i) == '%' ? hexByte(text, i + 1) : -1;
            if (value >= 0) {
                bytes.write(value);
                i += 2;
            } else {
                int end = text.offsetByCodePoints(i, 1);
                bytes.writeBytes(text.substring(i, end).getBytes(StandardCharsets.UTF_8));
                i = end - 1;
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /// Percent-encoded UTF-8; letters, digits and `-._~` stay.
    static String encodePercent(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9'
                    || UNRESERVED.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%')
                        .append(Character.toUpperCase(Character.forDigit(b >> 4 & 15, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
            }
        }
        return encoded.toString();
    }

    /// Text in Base64 of either alphabet, padded or not; null where it is none or does not hold
    /// UTF-8.
    static @Nullable String decodeBase64(String text) {
        String plain = text.replace('-', '+').replace('_', '/').replaceAll("[\\r\\n\\t ]", "");
        while (plain.endsWith("=")) {
            plain = plain.substring(0, plain.length() - 1);
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(plain);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (IllegalArgumentException | CharacterCodingException _) {
            return null;
        }
    }

    /// Base64 of the URL alphabet, without padding.
    static String encodeBase64(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static int hexByte(String text, int at) {
        if (at + 2 > text.length() || text.charAt(at) > 'f' || text.charAt(at + 1) > 'f') {
            return -1;
        }
        int high = Character.digit(text.charAt(at), 16);
        int low = Character.digit(text.charAt(at + 1), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}
