package sluice.policy.route;

import org.jspecify.annotations.Nullable;
import sluice.base.config.Refusal;
import sluice.base.config.Shown;
import sluice.policy.match.DomainSet;

/// Host names and ends of them, as rules are written. What no name could ever match is refused: the
/// traffic that it was meant for would go another way in silence.
final class NamePattern {

    private NamePattern() {}

    /// A whole name.
    ///
    /// @throws Refusal with what to write instead
    static String whole(String text) {
        if (text.startsWith(".") && !text.contains("*")) {
            requireNamed(text);
            throw new Refusal(
                    Shown.quoted(text) + " is the end of names, not a name",
                    "write it in \"domain_suffix\"");
        }
        if (text.startsWith("*.") && isPlain(text.substring(1))) {
            throw new Refusal(
                    noWildcard(text),
                    "write \"domain_suffix\": " + Shown.quoted(text.substring(1)));
        }
        requirePlain(text);
        return text;
    }

    /// The end of a name.
    ///
    /// @throws Refusal with what to write instead
    static String suffix(String text) {
        if (text.startsWith("*.") && isPlain(text.substring(1))) {
            throw new Refusal(noWildcard(text), "write " + Shown.quoted(text.substring(1)));
        }
        requirePlain(text);
        return text;
    }

    private static void requirePlain(String text) {
        String bare = withoutUrl(text);
        if (!bare.equals(text)) {
            throw new Refusal(
                    Shown.quoted(text) + " is more than a host name",
                    isPlain(bare)
                            ? "write the name alone: " + Shown.quoted(bare)
                            : "write the name alone");
        }
        if (text.contains("*")) {
            throw new Refusal(
                    noWildcard(text),
                    text.equals("*")
                            ? "leave the field out to match every name"
                            : "write a part of the name in \"domain_keyword\"");
        }
        if (!isPlain(text)) {
            requireNamed(text);
            throw new Refusal(
                    Shown.quoted(text) + " is more than a host name", "write the name alone");
        }
    }

    private static void requireNamed(String text) {
        String refusal = DomainSet.refusalOrNull(text);
        if (refusal != null) {
            throw new IllegalArgumentException(refusal);
        }
    }

    /// Whether a client can ask for the name, or for one that ends so.
    private static boolean isPlain(@Nullable String text) {
        if (text == null || DomainSet.refusalOrNull(text) != null) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if ("*:/?#@".indexOf(text.charAt(i)) >= 0) {
                return false;
            }
        }
        return true;
    }

    /// Without scheme, path and port.
    private static String withoutUrl(String text) {
        int scheme = text.indexOf("://");
        String rest = scheme < 0 ? text : text.substring(scheme + 3);
        int path = rest.indexOf('/');
        rest = path < 0 ? rest : rest.substring(0, path);
        int port = rest.indexOf(':');
        boolean isPort = port >= 0 && rest.substring(port + 1).matches("[0-9]+");
        return isPort ? rest.substring(0, port) : rest;
    }

    private static String noWildcard(String text) {
        return Shown.quoted(text) + " matches no name: there are no wildcards";
    }
}
