package sluice.protocol.http;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.protocol.http.ResponseRules.Connection;

/// An origin's answer to one request, on its way to the client: interim heads, the head, the body.
/// Bodies pass in the buffers they came in.
final class Answer {

    /// What the client's machine has to do.
    enum Progress {
        /// More must come.
        MORE,
        /// The answer is complete.
        DONE,
        /// 101: from here on both sides speak another protocol. [#takeRest] has its first bytes.
        UPGRADED,
        /// Not a well-formed answer.
        BAD
    }

    private static final int SWITCHING_PROTOCOLS = 101;

    /// Chosen: as much as clients may send by default, so that it fits a medium buffer.
    private static final int HEAD_BYTES_MAX = 64 * 1024;

    /// Chosen: interim answers to one request. Each is sent by itself, so a read full of them is
    /// costly; an origin that tells of progress each 20 s works for five hours.
    private static final int INTERIM_MAX = 1000;

    /// Bodies that begin in the read of the head go out with it up to this size, at the cost of a
    /// copy.
    private static final int JOINED_BYTES_MAX = 32 * 1024;

    private final Head head;
    private final boolean isOld;
    private final boolean toHead;
    private final boolean isUpgradeAsked;
    private final BodyFraming body = new BodyFraming();
    private @Nullable Buf rest;
    private int scanned;
    private int interims;
    private boolean hasBegun;
    private boolean isOriginKept;
    private boolean isClientKept;

    /// @param head to read heads with; only used during a call
    /// @param isOld whether the client speaks HTTP/1.0
    /// @param toHead whether it answers a HEAD request
    /// @param isUpgradeAsked whether 101 may come
    Answer(Head head, boolean isOld, boolean toHead, boolean isUpgradeAsked) {
        this.head = head;
        this.isOld = isOld;
        this.toHead = toHead;
        this.isUpgradeAsked = isUpgradeAsked;
    }

    /// Bytes from the origin. Takes `owned`; puts a part of a head back.
    ///
    /// @param mayKeep whether the client's connection can be kept behind this answer
    Progress take(Buf owned, boolean mayKeep, Effects out) {
        if (hasBegun) {
            return takeBody(null, owned, out);
        }
        while (true) {
            int end = Head.endOrMinus(owned, scanned);
            if ((end > 0 ? end : owned.length()) > HEAD_BYTES_MAX) {
                owned.release();
                return Progress.BAD;
            }
            if (end <= 0) {
                scanned = -end;
                out.putBack(owned);
                return Progress.MORE;
            }
            scanned = 0;
            if (head.parse(owned, end, Head.Rigour.RESPONSE) != Head.Verdict.FINE) {
                owned.release();
                return Progress.BAD;
            }
            int status =
                    ResponseRules.statusOrMinus(head.array(), head.lineStart(), head.lineEnd());
            if (status == SWITCHING_PROTOCOLS && isUpgradeAsked) {
                return takeUpgrade(owned, end, out);
            }
            if (status >= 200) {
                return takeFinal(owned, end, status, mayKeep, out);
            }
            if (status < 0 || status == SWITCHING_PROTOCOLS || ++interims > INTERIM_MAX) {
                owned.release();
                return Progress.BAD;
            }
            takeInterim(owned, end, out);
        }
    }

    /// Bytes of the other protocol that came with the head of 101, or null. The caller owns them.
    @Nullable Buf takeRest() {
        Buf present = rest;
        rest = null;
        return present;
    }

    /// Whether the client saw a part of the final answer.
    boolean hasBegun() {
        return hasBegun;
    }

    /// Whether the end of the origin's stream completes the answer.
    boolean isUntilEnd() {
        return body.isUntilEnd();
    }

    /// Whether the origin's connection can serve another request.
    boolean isOriginKept() {
        return isOriginKept;
    }

    /// Whether the client was told that its connection stays.
    boolean isClientKept() {
        return isClientKept;
    }

    private void takeInterim(Buf in, int end, Effects out) {
        if (!isOld) {
            Buf message = out.acquire(ResponseRules.writtenBytesMax(head));
            ResponseRules.write(head, false, Connection.SILENT, message);
            out.send(message);
        }
        head.forget();
        in.consume(end);
    }

    private Progress takeUpgrade(Buf in, int end, Effects out) {
        hasBegun = true;
        Buf message = out.acquire(ResponseRules.writtenBytesMax(head));
        ResponseRules.write(head, false, Connection.UPGRADE, message);
        head.forget();
        in.consume(end);
        out.send(message);
        if (in.isEmpty()) {
            in.release();
        } else {
            rest = in;
        }
        return Progress.UPGRADED;
    }

    private Progress takeFinal(Buf in, int end, int status, boolean mayKeep, Effects out) {
        if (!ResponseRules.frame(head, status, toHead, body)) {
            in.release();
            return Progress.BAD;
        }
        hasBegun = true;
        isClientKept = mayKeep && !body.isUntilEnd();
        isOriginKept = !body.isUntilEnd() && ResponseRules.keeps(head);
        int behind = in.length() - end;
        int room = ResponseRules.writtenBytesMax(head);
        Buf message = out.acquire(behind <= JOINED_BYTES_MAX ? room + behind : room);
        ResponseRules.write(
                head, isOld, isClientKept ? Connection.KEEP : Connection.CLOSE, message);
        head.forget();
        in.consume(end);
        return takeBody(message, in, out);
    }

    /// Sends what of `owned` belongs to the body. Takes both.
    ///
    /// @param message the head that goes ahead of it, or null
    private Progress takeBody(@Nullable Buf message, Buf owned, Effects out) {
        int start = owned.start();
        int bytes = body.pass(owned.array(), start, owned.end());
        boolean isBad = body.isBroken();
        boolean isDone = body.isDone();
        if (bytes < owned.length()) {
            // More than was announced: whose answer that is, nobody can tell.
            isOriginKept = false;
            owned.range(start, start + bytes);
        }
        if (message != null) {
            sendJoined(message, owned, out);
        } else if (owned.isEmpty()) {
            owned.release();
        } else {
            out.send(owned);
        }
        return isBad ? Progress.BAD : isDone ? Progress.DONE : Progress.MORE;
    }

    /// Sends both in one buffer where that is cheap.
    private static void sendJoined(Buf message, Buf owned, Effects out) {
        int bytes = message.length();
        if (!owned.isEmpty() && owned.headroom() >= bytes) {
            System.arraycopy(
                    message.array(), message.start(), owned.array(), owned.start() - bytes, bytes);
            owned.prepend(bytes);
            message.release();
            out.send(owned);
        } else if (message.tailroom() >= owned.length()) {
            message.put(owned.array(), owned.start(), owned.length());
            owned.release();
            out.send(message);
        } else {
            out.send(message);
            out.send(owned);
        }
    }
}
