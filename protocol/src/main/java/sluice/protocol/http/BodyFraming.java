package sluice.protocol.http;

/// Where a message's body ends, RFC 9112 §6 and §7: follows the bytes as they pass and changes
/// none. Bytes that two parsers could read in two ways break it.
final class BodyFraming {

    private enum Kind {
        DONE,
        LENGTH,
        UNTIL_END,
        CHUNKED,
        BROKEN
    }

    private enum Chunk {
        SIZE,
        BEHIND_SIZE,
        EXTENSION,
        SIZE_FEED,
        DATA,
        DATA_RETURN,
        DATA_FEED,
        TRAILER_START,
        TRAILER,
        TRAILER_FEED,
        LAST_FEED
    }

    /// 15 hexadecimal digits are below 2^60: no overflow, and more than anybody sends.
    private static final int SIZE_DIGITS_MAX = 15;

    /// Chosen: the extension and blanks of one chunk, and the trailers; nobody is known to send
    /// more than some hundred.
    private static final int SIDE_BYTES_MAX = 64 * 1024;

    private Kind kind = Kind.DONE;
    private Chunk chunk = Chunk.SIZE;
    private long left;
    private int digits;
    private int sideBytes;

    /// There is no body.
    void none() {
        kind = Kind.DONE;
    }

    /// A body of `bytes` bytes.
    void length(long bytes) {
        left = bytes;
        kind = bytes == 0 ? Kind.DONE : Kind.LENGTH;
    }

    /// A body in chunks.
    void chunked() {
        kind = Kind.CHUNKED;
        chunk = Chunk.SIZE;
        left = 0;
        digits = 0;
        sideBytes = 0;
    }

    /// A body that the end of the stream ends.
    void untilEnd() {
        kind = Kind.UNTIL_END;
    }

    /// Whether all of it has passed.
    boolean isDone() {
        return kind == Kind.DONE;
    }

    /// Whether the bytes broke the rules.
    boolean isBroken() {
        return kind == Kind.BROKEN;
    }

    /// Whether only the end of the stream ends it.
    boolean isUntilEnd() {
        return kind == Kind.UNTIL_END;
    }

    /// Follows the bytes in `[start, end)`. Returns how many of them belong to the body; fewer than
    /// there are only where it is done or broken.
    int pass(byte[] array, int start, int end) {
        return switch (kind) {
            case DONE, BROKEN -> 0;
            case UNTIL_END -> end - start;
            case LENGTH -> passLength(end - start);
            case CHUNKED -> passChunks(array, start, end);
        };
    }

    private int passLength(int bytes) {
        if (bytes < left) {
            left -= bytes;
            return bytes;
        }
        kind = Kind.DONE;
        return (int) left;
    }

    private int passChunks(byte[] array, int start, int end) {
        int at = start;
        while (at < end && kind == Kind.CHUNKED) {
            if (chunk == Chunk.DATA) {
                int bytes = (int) Math.min(left, end - at);
                left -= bytes;
                at += bytes;
                if (left == 0) {
                    chunk = Chunk.DATA_RETURN;
                }
            } else {
                step(array[at++]);
            }
        }
        return at - start;
    }

    private void step(byte b) {
        switch (chunk) {
            case SIZE -> size(b);
            case BEHIND_SIZE -> behindSize(b);
            case EXTENSION -> {
                if (b == '\r') {
                    chunk = Chunk.SIZE_FEED;
                } else {
                    side(b);
                }
            }
            case SIZE_FEED -> expect(b, '\n', left == 0 ? Chunk.TRAILER_START : Chunk.DATA);
            case DATA -> throw new AssertionError("data is passed in runs");
            case DATA_RETURN -> expect(b, '\r', Chunk.DATA_FEED);
            case DATA_FEED -> {
                digits = 0;
                sideBytes = 0;
                expect(b, '\n', Chunk.SIZE);
            }
            case TRAILER_START -> {
                if (b == '\r') {
                    chunk = Chunk.LAST_FEED;
                } else if (Ascii.isToken(b)) {
                    chunk = Chunk.TRAILER;
                    side(b);
                } else {
                    kind = Kind.BROKEN;
                }
            }
            case TRAILER -> {
                if (b == '\r') {
                    chunk = Chunk.TRAILER_FEED;
                } else {
                    side(b);
                }
            }
            case TRAILER_FEED -> expect(b, '\n', Chunk.TRAILER_START);
            case LAST_FEED -> kind = b == '\n' ? Kind.DONE : Kind.BROKEN;
        }
    }

    private void size(byte b) {
        int digit = Ascii.hexOrMinus(b);
        if (digit >= 0 && digits < SIZE_DIGITS_MAX) {
            left = digits == 0 ? digit : left << 4 | digit;
            digits++;
        } else if (digit >= 0 || digits == 0) {
            kind = Kind.BROKEN;
        } else {
            behindSize(b);
        }
    }

    /// Some origins fill the size up with blanks.
    private void behindSize(byte b) {
        if (b == '\r') {
            chunk = Chunk.SIZE_FEED;
        } else if (b == ';') {
            chunk = Chunk.EXTENSION;
        } else if (Ascii.isBlank(b)) {
            chunk = Chunk.BEHIND_SIZE;
            side(b);
        } else {
            kind = Kind.BROKEN;
        }
    }

    private void expect(byte b, char wanted, Chunk next) {
        if (b == wanted) {
            chunk = next;
        } else {
            kind = Kind.BROKEN;
        }
    }

    /// A byte of an extension or trailer: a bare line feed is not one.
    private void side(byte b) {
        if (!Ascii.isValue(b) || ++sideBytes > SIDE_BYTES_MAX) {
            kind = Kind.BROKEN;
        }
    }
}
