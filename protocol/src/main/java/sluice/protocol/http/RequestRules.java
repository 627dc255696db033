package sluice.protocol.http;

import sluice.base.buf.Buf;

/// What a proxy reads out of a request's fields and writes on: RFC 9110 §7.6, RFC 9112 §6 and §9.
/// The checks refuse what two parsers could read in two ways.
final class RequestRules {

    private static final byte[] CLOSE = Ascii.bytes("close");
    private static final byte[] KEEP_ALIVE = Ascii.bytes("keep-alive");
    private static final byte[] UPGRADE = Ascii.bytes("upgrade");
    private static final byte[] OPTIONS = Ascii.bytes("options");
    private static final byte[] HEAD = Ascii.bytes("head");
    private static final byte[] GET = Ascii.bytes("get");
    private static final byte[] TRACE = Ascii.bytes("trace");

    private static final byte[] HOST_LINE = Ascii.bytes("Host: ");
    private static final byte[] CLOSE_LINE = Ascii.bytes("Connection: close\r\n");
    private static final byte[] KEEP_LINE = Ascii.bytes("Connection: keep-alive\r\n");
    private static final byte[] UPGRADE_LINE = Ascii.bytes("Connection: Upgrade\r\n");
    private static final byte[] NEW = Ascii.bytes(" HTTP/1.1\r\n");
    private static final byte[] OLD = Ascii.bytes(" HTTP/1.0\r\n");

    /// What the lines written besides the fields take at most.
    private static final int OWN_BYTES = 128;

    private RequestRules() {}

    /// Whether the client keeps its connection, from `Connection` and the older `Proxy-Connection`.
    static boolean keeps(Head head, boolean isOld) {
        if (head.listHas(FieldName.CONNECTION, CLOSE)
                || head.listHas(FieldName.PROXY_CONNECTION, CLOSE)) {
            return false;
        }
        return !isOld
                || head.listHas(FieldName.CONNECTION, KEEP_ALIVE)
                || head.listHas(FieldName.PROXY_CONNECTION, KEEP_ALIVE);
    }

    /// Whether the client asks to go on in another protocol.
    static boolean upgrades(Head head) {
        if (!head.listHas(FieldName.CONNECTION, UPGRADE)) {
            return false;
        }
        for (int i = 0; i < head.count(); i++) {
            if (head.name(i) == FieldName.UPGRADE) {
                return true;
            }
        }
        return false;
    }

    /// Whether the answer has no body whatever it says.
    static boolean isHead(Head head, RequestLine line) {
        return Ascii.isText(head.array(), head.lineStart(), line.methodEnd(), HEAD);
    }

    /// Whether the request may be sent twice without harm, RFC 9110 §9.2.1.
    static boolean isSafe(Head head, RequestLine line) {
        byte[] array = head.array();
        int start = head.lineStart();
        int end = line.methodEnd();
        return Ascii.isText(array, start, end, GET)
                || Ascii.isText(array, start, end, HEAD)
                || Ascii.isText(array, start, end, OPTIONS)
                || Ascii.isText(array, start, end, TRACE);
    }

    /// Reads how long the body is into `body`. Returns false where the fields leave a doubt, also
    /// about the host.
    static boolean frame(Head head, boolean isOld, BodyFraming body) {
        int hosts = 0;
        for (int i = 0; i < head.count(); i++) {
            if (head.name(i) == FieldName.HOST) {
                hosts++;
            }
        }
        long length = Lengths.contentLength(head);
        Lengths.Coding coding = Lengths.transferCoding(head);
        boolean isUnclear = coding == Lengths.Coding.OTHER || coding == Lengths.Coding.IDENTITY;
        if (hosts > 1 || length == Lengths.BAD || isUnclear) {
            return false;
        }
        if (coding == Lengths.Coding.CHUNKED) {
            // RFC 9112 §6.1: together with a length, or in HTTP/1.0, its framing is not to be
            // trusted.
            if (isOld || length != Lengths.ABSENT) {
                return false;
            }
            body.chunked();
        } else if (length == Lengths.ABSENT) {
            body.none();
        } else {
            body.length(length);
        }
        return true;
    }

    /// Most bytes that [#write] appends.
    static int writtenBytesMax(Head head) {
        return head.writtenBytesMax() + OWN_BYTES;
    }

    /// Appends the head that the origin gets: origin-form, the target's authority as `Host`,
    /// nothing that concerns the client's connection alone, nothing that names us.
    ///
    /// @param isKept whether the origin's connection shall stay
    /// @param isUpgrade whether to ask for the other protocol on the client's behalf
    static void write(Head head, RequestLine line, boolean isKept, boolean isUpgrade, Buf into) {
        byte[] array = head.array();
        into.put(array, head.lineStart(), line.methodEnd() - head.lineStart());
        into.put(' ');
        writePath(head, line, into);
        into.put(line.isOld() ? OLD : NEW);
        into.put(HOST_LINE);
        into.put(array, line.authorityStart(), line.authorityEnd() - line.authorityStart());
        into.put('\r');
        into.put('\n');
        boolean hasLength = false;
        for (int i = 0; i < head.count(); i++) {
            FieldName name = head.name(i);
            boolean isWritten =
                    switch (name) {
                        case HOST -> false;
                        case TRANSFER_ENCODING -> true;
                        case CONTENT_LENGTH -> !hasLength;
                        case UPGRADE -> isUpgrade;
                        default -> !name.isHopByHop() && !head.isNamedByConnection(i);
                    };
            hasLength |= name == FieldName.CONTENT_LENGTH;
            if (isWritten) {
                head.writeField(i, into);
            }
        }
        if (isUpgrade) {
            into.put(UPGRADE_LINE);
        } else if (!isKept) {
            into.put(CLOSE_LINE);
        } else if (line.isOld()) {
            into.put(KEEP_LINE);
        }
        into.put('\r');
        into.put('\n');
    }

    private static void writePath(Head head, RequestLine line, Buf into) {
        byte[] array = head.array();
        int bytes = line.pathEnd() - line.pathStart();
        if (bytes == 0) {
            boolean isOptions = Ascii.isText(array, head.lineStart(), line.methodEnd(), OPTIONS);
            into.put(isOptions ? '*' : '/');
            return;
        }
        if (array[line.pathStart()] != '/') {
            into.put('/');
        }
        into.put(array, line.pathStart(), bytes);
    }
}
