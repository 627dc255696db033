package sluice.protocol.http;

import sluice.base.buf.Buf;

/// What a proxy reads out of a response's head and writes on: RFC 9110 §7.6, RFC 9112 §4, §6 and
/// §9.
final class ResponseRules {

    private static final byte[] VERSION = Ascii.bytes("HTTP/1.");
    private static final byte[] CLOSE = Ascii.bytes("close");
    private static final byte[] KEEP_ALIVE = Ascii.bytes("keep-alive");

    private static final byte[] NEW = Ascii.bytes("HTTP/1.1 ");
    private static final byte[] OLD = Ascii.bytes("HTTP/1.0 ");
    private static final byte[] KEEP_LINES =
            Ascii.bytes("Connection: keep-alive\r\nProxy-Connection: keep-alive\r\n");
    private static final byte[] CLOSE_LINES =
            Ascii.bytes("Connection: close\r\nProxy-Connection: close\r\n");
    private static final byte[] UPGRADE_LINE = Ascii.bytes("Connection: Upgrade\r\n");

    /// What the lines written besides the fields take at most.
    private static final int OWN_BYTES = 128;

    /// Behind `HTTP/1.x `, where the status stands.
    private static final int STATUS_OFFSET = 9;

    /// What the client reads about its connection in a head.
    enum Connection {
        KEEP,
        CLOSE,
        UPGRADE,
        /// Interim answers say nothing.
        SILENT
    }

    private ResponseRules() {}

    /// The status, 100 to 599 and beyond as three digits, or -1 where the line is no status line.
    static int statusOrMinus(byte[] array, int start, int end) {
        int status = start + STATUS_OFFSET;
        if (end - start < STATUS_OFFSET + 3) {
            return -1;
        }
        for (int i = 0; i < VERSION.length; i++) {
            if (array[start + i] != VERSION[i]) {
                return -1;
            }
        }
        if (!Ascii.isDigit(array[start + VERSION.length])
                || array[status - 1] != ' '
                || end > status + 3 && array[status + 3] != ' ') {
            return -1;
        }
        int number = 0;
        for (int i = status; i < status + 3; i++) {
            if (!Ascii.isDigit(array[i])) {
                return -1;
            }
            number = 10 * number + array[i] - '0';
        }
        return number < 100 ? -1 : number;
    }

    /// Whether the origin keeps its connection behind this answer.
    static boolean keeps(Head head) {
        boolean isOld = head.array()[head.lineStart() + VERSION.length] == '0';
        return !head.listHas(FieldName.CONNECTION, CLOSE)
                && (!isOld || head.listHas(FieldName.CONNECTION, KEEP_ALIVE));
    }

    /// Reads how long the body is into `body`. Returns false where nobody can tell.
    ///
    /// @param toHead whether it answers a HEAD request
    static boolean frame(Head head, int status, boolean toHead, BodyFraming body) {
        if (toHead || status < 200 || status == 204 || status == 304) {
            body.none();
            return true;
        }
        switch (Lengths.transferCoding(head)) {
            case CHUNKED -> body.chunked();
            case OTHER -> body.untilEnd();
            case NONE, IDENTITY -> {
                long length = Lengths.contentLength(head);
                if (length == Lengths.BAD) {
                    return false;
                }
                if (length == Lengths.ABSENT) {
                    body.untilEnd();
                } else {
                    body.length(length);
                }
            }
        }
        return true;
    }

    /// Most bytes that [#write] appends.
    static int writtenBytesMax(Head head) {
        return head.writtenBytesMax() + OWN_BYTES;
    }

    /// Appends the head that the client gets, without what concerned the origin's connection alone.
    static void write(Head head, boolean isOld, Connection connection, Buf into) {
        byte[] array = head.array();
        int status = head.lineStart() + STATUS_OFFSET;
        into.put(isOld ? OLD : NEW);
        into.put(array, status, head.lineEnd() - status);
        if (head.lineEnd() == status + 3) {
            // RFC 9112 §4: the blank behind the status stays when there is no phrase.
            into.put(' ');
        }
        into.put('\r');
        into.put('\n');
        Lengths.Coding coding = Lengths.transferCoding(head);
        boolean isCoded = coding == Lengths.Coding.CHUNKED || coding == Lengths.Coding.OTHER;
        boolean hasLength = false;
        for (int i = 0; i < head.count(); i++) {
            FieldName name = head.name(i);
            boolean isWritten =
                    switch (name) {
                        case HOST -> true;
                        case TRANSFER_ENCODING -> isCoded;
                        // RFC 9112 §6.3: a transfer coding overrides the length, which must not go
                        // on.
                        case CONTENT_LENGTH -> !hasLength && !isCoded;
                        case UPGRADE -> connection == Connection.UPGRADE;
                        default -> !name.isHopByHop() && !head.isNamedByConnection(i);
                    };
            hasLength |= name == FieldName.CONTENT_LENGTH;
            if (isWritten) {
                head.writeField(i, into);
            }
        }
        switch (connection) {
            case KEEP -> into.put(KEEP_LINES);
            case CLOSE -> into.put(CLOSE_LINES);
            case UPGRADE -> into.put(UPGRADE_LINE);
            case SILENT -> {}
        }
        into.put('\r');
        into.put('\n');
    }
}
