package sluice.protocol.http;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;

/// Reads the head of one request after the other, and turns away what is none as early as can be
/// told.
final class RequestReader {

    /// What is there.
    enum Finding {
        /// Not yet enough to tell.
        MORE,
        /// A well-formed head: [#head], [#line] and [#bytes] describe it.
        REQUEST,
        /// Not HTTP.
        GARBAGE,
        /// A client that thinks it speaks to a TLS port.
        TLS,
        /// [#refusal] says what is wrong with the first line.
        BAD_LINE,
        /// The fields break the rules.
        BAD_FIELDS,
        /// Over a limit.
        TOO_LARGE
    }

    /// Type of a TLS record of the handshake.
    private static final int TLS_HANDSHAKE = 0x16;

    private final int headBytesMax;
    private final Head head = new Head();
    private boolean hasBegun;
    private boolean hasSkippedLine;
    private boolean isLineFine;
    private int lineScanned;
    private int scanned;
    private int bytes;
    private RequestLine.@Nullable Refusal refusal;
    private @Nullable RequestLine line;

    /// @param headBytesMax longest head
    RequestReader(int headBytesMax) {
        this.headBytesMax = headBytesMax;
    }

    /// Looks at what is readable and consumes nothing but an empty line ahead of the request.
    Finding read(Buf in) {
        skipEmptyLine(in);
        if (in.isEmpty() || in.length() == 1 && in.unsigned(0) == '\r') {
            return Finding.MORE;
        }
        if (!hasBegun) {
            hasBegun = true;
            if (in.unsigned(0) == TLS_HANDSHAKE) {
                return Finding.TLS;
            }
            if (!Ascii.isToken((byte) in.unsigned(0))) {
                return Finding.GARBAGE;
            }
        }
        Finding early = isLineFine ? Finding.REQUEST : readLine(in);
        return early == Finding.REQUEST ? readFields(in) : early;
    }

    /// RFC 9112 §2.2: old clients send an empty line behind a body.
    private void skipEmptyLine(Buf in) {
        if (hasBegun || hasSkippedLine || in.isEmpty()) {
            return;
        }
        if (in.unsigned(0) == '\n') {
            in.consume(1);
            hasSkippedLine = true;
        } else if (in.length() > 1 && in.unsigned(0) == '\r' && in.unsigned(1) == '\n') {
            in.consume(2);
            hasSkippedLine = true;
        }
    }

    /// Judges the first line as soon as it is there.
    private Finding readLine(Buf in) {
        byte[] array = in.array();
        int feed = in.start() + lineScanned;
        while (feed < in.end() && array[feed] != '\n') {
            feed++;
        }
        lineScanned = feed - in.start();
        if (lineScanned >= headBytesMax) {
            return Finding.TOO_LARGE;
        }
        if (feed == in.end()) {
            return Finding.MORE;
        }
        int end = feed > in.start() && array[feed - 1] == '\r' ? feed - 1 : feed;
        refusal = RequestLine.parse(array, in.start(), end).refusal();
        isLineFine = refusal == null;
        return isLineFine ? Finding.REQUEST : Finding.BAD_LINE;
    }

    private Finding readFields(Buf in) {
        int found = Head.endOrMinus(in, scanned);
        if ((found > 0 ? found : in.length()) > headBytesMax) {
            return Finding.TOO_LARGE;
        }
        if (found <= 0) {
            scanned = -found;
            return Finding.MORE;
        }
        bytes = found;
        Head.Verdict verdict = head.parse(in, found, Head.Rigour.REQUEST);
        line = RequestLine.parse(head.array(), head.lineStart(), head.lineEnd()).line();
        return switch (verdict) {
            case FINE -> Finding.REQUEST;
            case MALFORMED -> Finding.BAD_FIELDS;
            case TOO_MANY -> Finding.TOO_LARGE;
        };
    }

    /// Makes ready for the next request.
    void reset() {
        hasBegun = false;
        hasSkippedLine = false;
        isLineFine = false;
        lineScanned = 0;
        scanned = 0;
        line = null;
        head.forget();
    }

    /// Whether a part of a request was seen.
    boolean hasBegun() {
        return hasBegun;
    }

    /// The head; its places are valid during the call that found it, until [#reset].
    Head head() {
        return head;
    }

    /// The first line of the head.
    RequestLine line() {
        RequestLine found = line;
        if (found == null) {
            throw new AssertionError("no request was read");
        }
        return found;
    }

    /// Bytes of the head.
    int bytes() {
        return bytes;
    }

    /// What is wrong with the first line.
    RequestLine.Refusal refusal() {
        RequestLine.Refusal reason = refusal;
        if (reason == null) {
            throw new AssertionError("the line is fine");
        }
        return reason;
    }
}
