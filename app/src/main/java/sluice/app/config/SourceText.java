package sluice.app.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Findings;
import sluice.base.config.Place;

/// One file as text.
///
/// @param name as the operator named it
/// @param text its contents without a byte order mark
record SourceText(String name, String text) {

    /// Chosen: a configuration with some ten thousand rules has a tenth of it. A value takes some
    /// fifteen times its bytes while it is read, so a small heap takes less.
    static final int MOST_BYTES =
            Math.clamp(Runtime.getRuntime().maxMemory() / 32, 1 << 20, 32 << 20);

    /// Decodes UTF-8. Anything else is reported, and the result is null.
    static @Nullable SourceText decode(String name, byte[] bytes, Findings findings) {
        if (bytes.length > MOST_BYTES) {
            findings.error(
                    Place.of(name), "", "is larger than " + (MOST_BYTES >> 20) + " MiB", null);
            return null;
        }
        if (isUtf16(bytes)) {
            findings.error(
                    new Place(name, 1, 1), "", "is UTF-16, not UTF-8", "save the file as UTF-8");
            return null;
        }
        int skip = startsWithMark(bytes) ? 3 : 0;
        CharBuffer chars = CharBuffer.allocate(bytes.length - skip);
        CharsetDecoder decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        CoderResult result =
                decoder.decode(ByteBuffer.wrap(bytes, skip, bytes.length - skip), chars, true);
        String text = chars.flip().toString();
        if (result.isError()) {
            Place end = placeOf(name, text, text.length());
            findings.error(end, "", "holds bytes that are not UTF-8", "save the file as UTF-8");
            return null;
        }
        return new SourceText(name, text);
    }

    /// The place of a character index.
    Place placeOf(int index) {
        return placeOf(name, text, index);
    }

    private static Place placeOf(String name, String text, int index) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < index; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new Place(name, line, text.codePointCount(lineStart, index) + 1);
    }

    private static boolean startsWithMark(byte[] bytes) {
        return bytes.length >= 3
                && bytes[0] == (byte) 0xef
                && bytes[1] == (byte) 0xbb
                && bytes[2] == (byte) 0xbf;
    }

    /// A byte order mark of UTF-16 or UTF-32, or a zero in the first two bytes, which no text in
    /// UTF-8 has.
    private static boolean isUtf16(byte[] bytes) {
        if (bytes.length < 2) {
            return false;
        }
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        return first == 0xfe && second == 0xff
                || first == 0xff && second == 0xfe
                || first == 0
                || second == 0;
    }
}
