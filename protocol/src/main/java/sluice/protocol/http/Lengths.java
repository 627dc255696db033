package sluice.protocol.http;

/// How long a body is, as the fields say; RFC 9112 §6.
final class Lengths {

    /// The field is not there.
    static final long ABSENT = -1;

    /// Not a number, or two numbers.
    static final long BAD = -2;

    /// The last transfer coding.
    enum Coding {
        NONE,
        /// `identity` and nothing else: an older name for none.
        IDENTITY,
        CHUNKED,
        /// Something else comes last, or chunks of chunks.
        OTHER
    }

    /// 18 digits fit a long.
    private static final int DIGITS_MAX = 18;

    private static final byte[] CHUNKED = Ascii.bytes("chunked");
    private static final byte[] IDENTITY = Ascii.bytes("identity");

    private Lengths() {}

    /// The value of `Content-Length`, [#ABSENT] or [#BAD]. The same number repeated is one number.
    static long contentLength(Head head) {
        long length = ABSENT;
        for (int i = 0; i < head.count(); i++) {
            if (head.name(i) != FieldName.CONTENT_LENGTH) {
                continue;
            }
            long number = digits(head.array(), head.valueStart(i), head.valueEnd(i));
            if (number == BAD || length != ABSENT && length != number) {
                return BAD;
            }
            length = number;
        }
        return length;
    }

    private static long digits(byte[] array, int start, int end) {
        if (start == end || end - start > DIGITS_MAX) {
            return BAD;
        }
        long number = 0;
        for (int i = start; i < end; i++) {
            if (!Ascii.isDigit(array[i])) {
                return BAD;
            }
            number = 10 * number + array[i] - '0';
        }
        return number;
    }

    /// What `Transfer-Encoding` ends in, over all its lines.
    static Coding transferCoding(Head head) {
        Coding coding = Coding.NONE;
        for (int i = 0; i < head.count(); i++) {
            if (head.name(i) != FieldName.TRANSFER_ENCODING) {
                continue;
            }
            int end = head.valueEnd(i);
            int at = head.valueStart(i);
            if (at == end) {
                return Coding.OTHER;
            }
            while (at < end) {
                int comma = head.comma(at, end);
                if (coding == Coding.CHUNKED) {
                    return Coding.OTHER;
                }
                coding = behind(coding, head.array(), at, comma);
                at = comma + 1;
            }
        }
        return coding;
    }

    private static Coding behind(Coding before, byte[] array, int start, int end) {
        if (isElement(array, start, end, CHUNKED)) {
            return Coding.CHUNKED;
        }
        boolean isFirst = before == Coding.NONE || before == Coding.IDENTITY;
        return isFirst && isElement(array, start, end, IDENTITY) ? Coding.IDENTITY : Coding.OTHER;
    }

    private static boolean isElement(byte[] array, int start, int end, byte[] lower) {
        int from = start;
        int to = end;
        while (from < to && Ascii.isBlank(array[from])) {
            from++;
        }
        while (to > from && Ascii.isBlank(array[to - 1])) {
            to--;
        }
        return Ascii.isText(array, from, to, lower);
    }
}
