package sluice.protocol.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;

/// The first line of a request to a proxy, RFC 9112 §3: a method, a target in authority-form
/// (CONNECT) or absolute-form, a version. Places are in the array of the [Head] it was read from.
///
/// @param methodEnd behind the method, which begins the line
/// @param isConnect whether the method is CONNECT
/// @param isOld whether the version is HTTP/1.0, not HTTP/1.1
/// @param destination where to connect to
/// @param authorityStart where the authority begins, behind a user that may stand there
/// @param authorityEnd behind the authority, without a port that says nothing
/// @param pathStart where path and query begin; equal to `pathEnd` where there is no path
/// @param pathEnd behind path and query, before a fragment
record RequestLine(
        int methodEnd,
        boolean isConnect,
        boolean isOld,
        Destination destination,
        int authorityStart,
        int authorityEnd,
        int pathStart,
        int pathEnd) {

    /// Why a line cannot be served, with the status to answer.
    enum Refusal {
        MALFORMED(400, "Bad Request"),
        OTHER_SCHEME(501, "Not Implemented"),
        OTHER_VERSION(505, "HTTP Version Not Supported");

        private final int status;
        private final String phrase;

        Refusal(int status, String phrase) {
            this.status = status;
            this.phrase = phrase;
        }

        int status() {
            return status;
        }

        String phrase() {
            return phrase;
        }
    }

    /// A line or the reason against it.
    ///
    /// @param line null where it is refused
    /// @param refusal null where it is fine
    record Result(@Nullable RequestLine line, @Nullable Refusal refusal) {}

    private static final byte[] CONNECT = Ascii.bytes("CONNECT");
    private static final byte[] SCHEME = Ascii.bytes("http://");
    private static final byte[] VERSION = Ascii.bytes("HTTP/");
    private static final int VERSION_BYTES = 8;
    private static final int HTTP_PORT = 80;
    private static final int CONNECT_PORT = 443;

    /// Reads the line at `[start, end)`, which has no line end.
    static Result parse(byte[] array, int start, int end) {
        int methodEnd = indexOf(array, start, end, ' ');
        int targetEnd = methodEnd < 0 ? -1 : indexOf(array, methodEnd + 1, end, ' ');
        if (targetEnd < 0 || !Ascii.isToken(array, start, methodEnd)) {
            return refuse(Refusal.MALFORMED);
        }
        int version = end - (targetEnd + 1) == VERSION_BYTES ? version(array, targetEnd + 1) : -1;
        if (version < 0) {
            return refuse(Refusal.MALFORMED);
        }
        if (version != 10 && version != 11) {
            return refuse(Refusal.OTHER_VERSION);
        }
        int targetStart = methodEnd + 1;
        for (int i = targetStart; i < targetEnd; i++) {
            if (array[i] >= 0 && array[i] < '!' || array[i] == 0x7f) {
                return refuse(Refusal.MALFORMED);
            }
        }
        return matches(array, start, methodEnd, CONNECT)
                ? authorityForm(array, methodEnd, targetStart, targetEnd, version == 10)
                : absoluteForm(array, methodEnd, targetStart, targetEnd, version == 10);
    }

    /// `HTTP/d.d` as a number of two digits, or -1.
    private static int version(byte[] array, int at) {
        for (int i = 0; i < VERSION.length; i++) {
            if (array[at + i] != VERSION[i]) {
                return -1;
            }
        }
        int digits = at + VERSION.length;
        return Ascii.isDigit(array[digits])
                        && array[digits + 1] == '.'
                        && Ascii.isDigit(array[digits + 2])
                ? 10 * (array[digits] - '0') + array[digits + 2] - '0'
                : -1;
    }

    /// RFC 9112 §3.2.3. The target alone decides; a `Host` that says something else is passed over.
    private static Result authorityForm(
            byte[] array, int methodEnd, int start, int end, boolean isOld) {
        Destination destination = destinationOrNull(array, start, end, CONNECT_PORT);
        return destination == null
                ? refuse(Refusal.MALFORMED)
                : new Result(
                        new RequestLine(methodEnd, true, isOld, destination, start, end, end, end),
                        null);
    }

    /// RFC 9112 §3.2.2.
    private static Result absoluteForm(
            byte[] array, int methodEnd, int start, int end, boolean isOld) {
        int scheme = start + SCHEME.length;
        if (scheme > end || !Ascii.isText(array, start, scheme, SCHEME)) {
            return refuse(hasScheme(array, start, end) ? Refusal.OTHER_SCHEME : Refusal.MALFORMED);
        }
        int authorityEnd = scheme;
        while (authorityEnd < end && !endsAuthority(array[authorityEnd])) {
            authorityEnd++;
        }
        int authority = scheme;
        for (int i = scheme; i < authorityEnd; i++) {
            if (array[i] == '@') {
                authority = i + 1;
            }
        }
        Destination destination = destinationOrNull(array, authority, authorityEnd, HTTP_PORT);
        if (destination == null) {
            return refuse(Refusal.MALFORMED);
        }
        int pathEnd = indexOf(array, authorityEnd, end, '#');
        int hostEnd = authorityEnd;
        if (destination.port() == HTTP_PORT) {
            int colon = portColonOrMinus(array, authority, authorityEnd);
            hostEnd = colon < 0 ? authorityEnd : colon;
        }
        return new Result(
                new RequestLine(
                        methodEnd,
                        false,
                        isOld,
                        destination,
                        authority,
                        hostEnd,
                        authorityEnd,
                        pathEnd < 0 ? end : pathEnd),
                null);
    }

    private static boolean endsAuthority(byte b) {
        return b == '/' || b == '?' || b == '#';
    }

    /// Whether the target begins with a scheme and `//`, RFC 3986 §3.1.
    private static boolean hasScheme(byte[] array, int start, int end) {
        int colon = indexOf(array, start, end, ':');
        return colon > start
                && colon + 2 < end
                && array[colon + 1] == '/'
                && array[colon + 2] == '/'
                && Ascii.isToken(array, start, colon);
    }

    /// Reads `host`, `host:port` or `[v6]:port`; null where it is none of them or the port is not 1
    /// to 65535.
    private static @Nullable Destination destinationOrNull(
            byte[] array, int start, int end, int otherwise) {
        int colon = portColonOrMinus(array, start, end);
        int hostEnd = colon < 0 ? end : colon;
        boolean isBracketed = start < end && array[start] == '[';
        if (isBracketed != (hostEnd > start && array[hostEnd - 1] == ']')) {
            return null;
        }
        if (!isBracketed && indexOf(array, start, hostEnd, ':') >= 0) {
            // An IPv6 address without brackets: where its port begins, nobody can tell.
            return null;
        }
        int port = colon < 0 || colon + 1 == end ? otherwise : port(array, colon + 1, end);
        String text = new String(array, start, hostEnd - start, StandardCharsets.UTF_8);
        if (port <= 0 || !isHostText(text)) {
            return null;
        }
        try {
            Host host = Host.parse(text);
            return isBracketed && !(host instanceof IpAddress) ? null : new Destination(host, port);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /// Whether nothing of a longer URI stands in it.
    private static boolean isHostText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/' || c == '?' || c == '#' || c == '@' || c == '\\' || c == '\ufffd') {
                return false;
            }
        }
        return true;
    }

    /// Index of the colon before the port, or -1.
    private static int portColonOrMinus(byte[] array, int start, int end) {
        for (int i = end - 1; i >= start && array[i] != ']'; i--) {
            if (array[i] == ':') {
                return i;
            }
        }
        return -1;
    }

    /// 1 to 65535, or -1.
    private static int port(byte[] array, int start, int end) {
        if (end - start > 5) {
            return -1;
        }
        int port = 0;
        for (int i = start; i < end; i++) {
            if (!Ascii.isDigit(array[i])) {
                return -1;
            }
            port = 10 * port + array[i] - '0';
        }
        return port > 65_535 || port == 0 ? -1 : port;
    }

    private static boolean matches(byte[] array, int start, int end, byte[] text) {
        if (end - start != text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (array[start + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    private static int indexOf(byte[] array, int from, int to, char wanted) {
        for (int i = from; i < to; i++) {
            if (array[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static Result refuse(Refusal refusal) {
        return new Result(null, refusal);
    }
}
