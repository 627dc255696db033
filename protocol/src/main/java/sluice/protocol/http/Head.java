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

    private byte[] array = {};
    private int lineEnd;
    private int start;
    private int count;
    private int bytes;
    private FieldName[] names = new FieldName[16];
    private int[] places = new int[16 * 4];

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

    /// Reads a whole head, the first `bytes` readable bytes of `in`, with its empty line. Returns
    /// whether it is well formed; the start line is left to the caller.
    boolean parse(Buf in, int bytes, Rigour rigour) {
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
                return true;
            }
            if (Ascii.isBlank(array[line])) {
                if (rigour == Rigour.REQUEST || count == 0) {
                    return false;
                }
                places[4 * count - 1] = trimmedEnd(line, stop);
            } else if (!addField(line, stop, rigour)) {
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
        int from = colon + 1;
        while (from < stop && Ascii.isBlank(array[from])) {
            from++;
        }
        int to = trimmedEnd(from, stop);
        for (int i = from; i < to; i++) {
            if (!Ascii.isValue(array[i])) {
                return false;
            }
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

    private int trimmedEnd(int from, int end) {
        int at = end;
        while (at > from && Ascii.isBlank(array[at - 1])) {
            at--;
        }
        return at;
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
            int from = at;
            while (from < comma && Ascii.isBlank(array[from])) {
                from++;
            }
            if (Ascii.isText(array, from, trimmedEnd(from, comma), lower)) {
                return true;
            }
            at = comma + 1;
        }
        return false;
    }

    /// Whether `Connection` names the field: then it concerns this connection alone.
    boolean isNamedByConnection(int index) {
        for (int i = 0; i < count; i++) {
            if (names[i] != FieldName.CONNECTION) {
                continue;
            }
            int end = valueEnd(i);
            int at = valueStart(i);
            while (at < end) {
                int comma = comma(at, end);
                int from = at;
                while (from < comma && Ascii.isBlank(array[from])) {
                    from++;
                }
                int to = trimmedEnd(from, comma);
                if (Ascii.isSame(array, from, to, nameStart(index), nameEnd(index))) {
                    return true;
                }
                at = comma + 1;
            }
        }
        return false;
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

    /// Appends a field as it was read, with the line ends that the rules ask for.
    void writeField(int index, Buf into) {
        into.put(array, nameStart(index), nameEnd(index) - nameStart(index));
        into.put(':');
        into.put(' ');
        int from = into.end();
        into.put(array, valueStart(index), valueEnd(index) - valueStart(index));
        byte[] written = into.array();
        for (int i = from; i < into.end(); i++) {
            if (written[i] == '\r' || written[i] == '\n') {
                // A folded value, RFC 9112 §5.2.
                written[i] = ' ';
            }
        }
        into.put('\r');
        into.put('\n');
    }
}
