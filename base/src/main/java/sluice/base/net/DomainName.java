package sluice.base.net;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// A host name as a client wrote it, 1 to 255 bytes of UTF-8, without control characters or blanks.
/// Underscores, upper case and non-ASCII labels are allowed, as every other proxy allows them.
///
/// @param text as written; a trailing dot is kept, since it goes out again when dialling
public record DomainName(String text) implements Host {

    /// @throws IllegalArgumentException when empty, too long, or holding a blank or control
    ///   character of any script: names go to the log, where one of these could forge a line
    public DomainName {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > 255) {
            throw new IllegalArgumentException("a host name has 1 to 255 bytes, this one " + bytes);
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || (c > '~' && (Character.isISOControl(c) || Character.isSpaceChar(c)))) {
                throw new IllegalArgumentException(
                        "a host name has no blanks or control characters");
            }
        }
    }

    /// Reads a name.
    ///
    /// @throws IllegalArgumentException with a reason
    public static DomainName parse(String text) {
        return new DomainName(text);
    }

    /// The form that rules compare: lower case, without one trailing dot.
    public String toMatchForm() {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.length() > 1 && lower.endsWith(".")
                ? lower.substring(0, lower.length() - 1)
                : lower;
    }

    @Override
    public String toString() {
        return text;
    }
}
