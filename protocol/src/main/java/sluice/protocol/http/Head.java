package sluice.protocol.http;

import java.util.Arrays;
import sluice.base.buf.Buf;

/// The head of a message: a start line and fields, as places in an array that somebody else owns.
/// Reused from message to message; valid as long as the array is. RFC 9112 §2 to §5.
final class Head {

    /// How much of the rules to insist on.
    enum Rigour {
        /// A client's request: whatever two parsers could read in two ways is refused.
        REQUEST,
        /// An origin's response: blanks before the colon and folded lines are mended.
        RESPONSE
    }

    /// What a head is.
    enum Verdict {
        FINE,
        /// Against the rules.
        MALFORMED,
        /// More fields, or more names in `Connection`, than anybody needs: each field is looked for
        /// among those names.
        TOO_MANY
    }

    /// Chosen: web servers take 100 fields or so, and some clients send hundreds.
    private static final int FIELDS_MAX = 1000;

    /// Chosen: most elements of `Connection`, empty ones aside.
    private static final int NAMED_MAX = 64;

    /// Room for so many fields stays when the head has been used.
    private static final int FIELDS_KEPT = 64;

    private static final byte[] NOTHING = {};

    private byte[] array = NOTHING;
    private int lineEnd;
    private int start;
    private int count;
    private int bytes;
    private FieldName[] names = new FieldName[16];
    private int[] places = new int[16 * 4];
    private int namedCount;
    private int[] named = new int[4 * 2];

    /// Looks for the end of a head in the readable bytes of `in`. Returns the bytes up to and with
    /// the empty line, or, where it is not there yet, the negated number of bytes that need not be
    /// looked at again.
    ///
    /// @param from bytes that earlier calls looked at
    static int endOrMinus(Buf in, int from) {
        byte[] array = in.array();
        int start = in.start();
        int end = in.end();
        for (int i = start + from; i < end; i++) {
            if (array[i] != '\n') {
                continue;
            }
            if (i + 1 == end || array[i + 1] == '\r' && i + 2 == end) {
                return -(i - start);
            }
            if (array[i + 1] == '\n') {
                return i + 2 - start;
            }
            if (array[i + 1] == '\r' && array[i + 2] == '\n') {
                return i + 3 - start;
            }
        }
        return -(end - start);
    }

    /// Reads a whole head, the first `bytes` readable bytes of `in`, with its empty line; the start
    /// line is left to the caller. In a response, line ends inside a value become blanks.
    Verdict parse(Buf in, int bytes, Rigour rigour) {
        array = in.array();
        start = in.start();
        this.bytes = bytes;
        count = 0;
        int end = start + bytes;
        int next = lineFeed(start, end);
        lineEnd = withoutReturn(start, next);
        for (int line = next + 1; line < end; line = next + 1) {
            next = lineFeed(line, end);
            int stop = withoutReturn(line, next);
            if (stop == line) {
                break;
            }
            if (Ascii.isBlank(array[line])) {
                if (rigour == Rigour.REQUEST || count == 0 || !unfold(line, stop)) {
                    return Verdict.MALFORMED;
                }
            } else if (count == FIELDS_MAX) {
                return Verdict.TOO_MANY;
            } else if (!addField(line, stop, rigour)) {
                return Verdict.MALFORMED;
            }
        }
        return noteNamed() ? Verdict.FINE : Verdict.TOO_MANY;
    }

    /// RFC 9112 §5.2: a line that begins with a blank goes on with the value before it, behind
    /// blanks.
    private boolean unfold(int line, int stop) {
        int field = count - 1;
        for (int i = line - 1; i >= valueEnd(field) && !Ascii.isBlank(array[i]); i--) {
            array[i] = ' ';
        }
        int end = trimmedEnd(line, stop);
        if (end > line) {
            if (valueStart(field) == valueEnd(field)) {
                places[4 * field + 2] = blanksEnd(line, end);
            }
            places[4 * field + 3] = end;
        }
        return isValue(line, stop);
    }

    private boolean isValue(int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Ascii.isValue(array[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean addField(int line, int stop, Rigour rigour) {
        int colon = line;
        while (colon < stop && array[colon] != ':') {
            colon++;
        }
        int nameEnd = rigour == Rigour.RESPONSE ? trimmedEnd(line, colon) : colon;
        if (colon == stop || !Ascii.isToken(array, line, nameEnd)) {
            return false;
        }
        int from = blanksEnd(colon + 1, stop);
        int to = trimmedEnd(from, stop);
        if (!isValue(from, to)) {
            return false;
        }
        if (count == names.length) {
            names = Arrays.copyOf(names, 2 * count);
            places = Arrays.copyOf(places, 8 * count);
        }
        names[count] = FieldName.of(array, line, nameEnd);
        places[4 * count] = line;
        places[4 * count + 1] = nameEnd;
        places[4 * count + 2] = from;
        places[4 * count + 3] = to;
        count++;
        return true;
    }

    private int lineFeed(int from, int end) {
        int at = from;
        while (at < end && array[at] != '\n') {
            at++;
        }
        return at;
    }

    private int withoutReturn(int from, int lineFeed) {
        return lineFeed > from && array[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
    }

    private int blanksEnd(int from, int end) {
        int at = from;
        while (at < end && Ascii.isBlank(array[at])) {
            at++;
        }
        return at;
    }

    private int trimmedEnd(int from, int end) {
        int at = end;
        while (at > from && Ascii.isBlank(array[at - 1])) {
            at--;
        }
        return at;
    }

    /// The head has been used: what is left takes little, however many fields it had.
    void forget() {
        array = NOTHING;
        count = 0;
        namedCount = 0;
        if (names.length > FIELDS_KEPT) {
            names = new FieldName[16];
            places = new int[16 * 4];
        }
    }

    /// For how many fields there is room now.
    int room() {
        return names.length;
    }

    /// The array that all places are in.
    byte[] array() {
        return array;
    }

    /// Where the start line begins.
    int lineStart() {
        return start;
    }

    /// Behind the start line, without its line end.
    int lineEnd() {
        return lineEnd;
    }

    /// How many fields.
    int count() {
        return count;
    }

    /// Bytes of the head, as read.
    int bytes() {
        return bytes;
    }

    /// Which field.
    FieldName name(int index) {
        return names[index];
    }

    /// Where the field's name begins.
    int nameStart(int index) {
        return places[4 * index];
    }

    /// Behind the field's name.
    int nameEnd(int index) {
        return places[4 * index + 1];
    }

    /// Where the field's value begins.
    int valueStart(int index) {
        return places[4 * index + 2];
    }

    /// Behind the field's value, without blanks.
    int valueEnd(int index) {
        return places[4 * index + 3];
    }

    /// Whether the field's value is `lower`, whatever its case.
    boolean isValue(int index, byte[] lower) {
        return Ascii.isText(array, valueStart(index), valueEnd(index), lower);
    }

    /// Whether any field `name` has the element `lower` in its list.
    boolean listHas(FieldName name, byte[] lower) {
        for (int i = 0; i < count; i++) {
            if (names[i] == name && listHas(i, lower)) {
                return true;
            }
        }
        return false;
    }

    private boolean listHas(int index, byte[] lower) {
        int end = valueEnd(index);
        int at = valueStart(index);
        while (at < end) {
            int comma = comma(at, end);
            int from = blanksEnd(at, comma);
            if (Ascii.isText(array, from, trimmedEnd(from, comma), lower)) {
                return true;
            }
            at = comma + 1;
        }
        return false;
    }

    /// Whether `Connection` names the field: then it concerns this connection alone.
    boolean isNamedByConnection(int index) {
        int from = nameStart(index);
        int to = nameEnd(index);
        for (int i = 0; i < namedCount; i++) {
            if (Ascii.isSame(array, named[2 * i], named[2 * i + 1], from, to)) {
                return true;
            }
        }
        return false;
    }

    /// Notes what the `Connection` fields name. Returns whether it is not too much.
    private boolean noteNamed() {
        namedCount = 0;
        for (int i = 0; i < count; i++) {
            if (names[i] == FieldName.CONNECTION && !noteNamed(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean noteNamed(int index) {
        int end = valueEnd(index);
        int next;
        for (int at = valueStart(index); at < end; at = next + 1) {
            next = comma(at, end);
            int from = blanksEnd(at, next);
            int to = trimmedEnd(from, next);
            if (from == to) {
                continue;
            }
            if (namedCount == NAMED_MAX) {
                return false;
            }
            if (2 * namedCount == named.length) {
                named = Arrays.copyOf(named, 2 * named.length);
            }
            named[2 * namedCount] = from;
            named[2 * namedCount + 1] = to;
            namedCount++;
        }
        return true;
    }

    /// Index of the next comma in `[from, end)`, or `end`.
    int comma(int from, int end) {
        int at = from;
        while (at < end && array[at] != ',') {
            at++;
        }
        return at;
    }

    /// Most bytes that the fields take when they are written by [#writeField].
    int writtenBytesMax() {
        return bytes + 4 * count;
    }

    /// Appends a field as it was read, with the line end that the rules ask for.
    void writeField(int index, Buf into) {
        into.put(array, nameStart(index), nameEnd(index) - nameStart(index));
        into.put(':');
        into.put(' ');
        into.put(array, valueStart(index), valueEnd(index) - valueStart(index));
        into.put('\r');
        into.put('\n');
    }
}
