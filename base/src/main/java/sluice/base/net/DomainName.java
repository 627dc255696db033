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

    /// Whether the last label is a number, decimal or with `0x` (WHATWG URL, "ends in a number").
    /// No such name exists, but old resolvers read `127.1`, `0x7f.1` and `2130706433` as IPv4
    /// addresses, which rules for addresses would then not see.
    public boolean endsInNumber() {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '.') {
            end--;
        }
        int start = text.lastIndexOf('.', end - 1) + 1;
        boolean isHex =
                end - start >= 2
                        && text.charAt(start) == '0'
                        && (text.charAt(start + 1) | 0x20) == 'x';
        for (int i = isHex ? start + 2 : start; i < end; i++) {
            if (Character.digit(text.charAt(i), isHex ? 16 : 10) < 0) {
                return false;
            }
        }
        return end > start;
    }

    @Override
    public String toString() {
        return text;
    }
}
