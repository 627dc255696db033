package sluice.protocol.http;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.time.Deadline;
import sluice.protocol.access.EarlyPayload;

/// The server's side of HTTP/1.1 proxying, RFC 9110 and RFC 9112: CONNECT, and plain requests one after the
/// other, each routed by itself. Bodies are streamed. What a client sends ahead of an answer is not
/// read until its turn comes. The machine holds nothing but a short request that may have to be
/// sent again.
///
///     EXPECT_HEAD ──► TUNNELLING ──► OVER (transparent)
///       ▲     └─────► EXCHANGING ──► OVER (transparent after an upgrade)
///       └─────────────────┘    └──► DISCARDING ──► OVER
final class HttpServer implements StreamMachine {

    private enum Phase {
        EXPECT_HEAD,
        TUNNELLING,
        EXCHANGING,
        /// The answer is complete, the request is not: what comes of it is discarded, so that the
        /// client reads the answer before it meets a reset.
        DISCARDING,
        OVER
    }

    /// Between requests; the usual value of web servers.
    private static final long IDLE_NANOS = 60_000_000_000L;

    /// For a further request's head, from its first byte; the first one is covered by the inbound's
    /// deadline.
    private static final long HEAD_NANOS = 10_000_000_000L;

    /// Chosen: enough for a client to notice that it need not send the rest.
    private static final long DISCARD_NANOS = 5_000_000_000L;

    /// Chosen: the longest request that is sent again when an idle connection turns out to have
    /// ended; a longer one is answered with 502.
    private static final int AGAIN_BYTES_MAX = 8 * 1024;

    /// After so many challenges on one connection it ends.
    private static final int CHALLENGES_MAX = 5;

    private final HttpServerOptions options;
    private final RequestReader reader;
    private final BodyFraming requestBody = new BodyFraming();
    private Phase phase = Phase.EXPECT_HEAD;
    private long deadlineNanos = Deadline.NONE;
    private boolean isFirst = true;
    private int challenges;
    private boolean isClientEnded;
    private boolean isOld;
    private boolean isKept;
    private @Nullable Answer answer;
    private @Nullable Destination target;
    private @Nullable String targetUser;
    private byte @Nullable [] again;

    HttpServer(HttpServerOptions options) {
        this.options = options;
        this.reader = new RequestReader(options.headBytesMax());
    }

    // The client's bytes

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        process(in, nowNanos, out);
        if (phase == Phase.EXCHANGING && !in.isEmpty()) {
            // It belongs to the next request.
            out.stopReading();
        }
    }

    private void process(Buf in, long nowNanos, Effects out) {
        boolean moves = true;
        while (moves) {
            moves =
                    switch (phase) {
                        case EXPECT_HEAD -> readHead(in, nowNanos, out);
                        case EXCHANGING, DISCARDING -> readBody(in, out);
                        case TUNNELLING -> {
                            EarlyPayload.deliver(in, out);
                            yield false;
                        }
                        case OVER -> {
                            in.consume(in.length());
                            yield false;
                        }
                    };
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        switch (phase) {
            case EXPECT_HEAD -> endBetweenRequests(out);
            case TUNNELLING -> out.deliverEnd();
            case EXCHANGING -> {
                isClientEnded = true;
                if (!requestBody.isDone()) {
                    out.deliverEnd();
                }
            }
            case DISCARDING -> close(out);
            case OVER -> {}
        }
    }

    private void endBetweenRequests(Effects out) {
        if (reader.hasBegun()) {
            fail(PeerFault.Kind.TRUNCATED, "http: the stream ended in a request", out);
        } else {
            close(out);
        }
    }

    @Override
    public void onDeadline(long nowNanos, Effects out) {
        if (!Deadline.isPast(deadlineNanos(), nowNanos)) {
            return;
        }
        if (phase == Phase.EXPECT_HEAD && reader.hasBegun()) {
            fail(PeerFault.Kind.TOO_SLOW, "http: the request took too long", out);
        } else {
            close(out);
        }
    }

    @Override
    public long deadlineNanos() {
        return switch (phase) {
            case EXPECT_HEAD, DISCARDING -> deadlineNanos;
            case TUNNELLING, EXCHANGING, OVER -> Deadline.NONE;
        };
    }

    // Heads of requests

    /// Reads a request's head. Returns whether to go on with what is behind it.
    private boolean readHead(Buf in, long nowNanos, Effects out) {
        boolean hadBegun = reader.hasBegun();
        RequestReader.Finding finding = reader.read(in);
        if (!hadBegun && reader.hasBegun() && !isFirst) {
            deadlineNanos = nowNanos + HEAD_NANOS;
        }
        return switch (finding) {
            case MORE -> false;
            case REQUEST -> onRequest(in, nowNanos, out);
            case GARBAGE, TLS, BAD_LINE, BAD_FIELDS, TOO_LARGE -> {
                in.consume(in.length());
                refuse(finding, out);
                yield false;
            }
        };
    }

    private void refuse(RequestReader.Finding finding, Effects out) {
        switch (finding) {
            case TLS -> fail(PeerFault.Kind.UNSUPPORTED, "http: TLS on a plain port", out);
            case TOO_LARGE -> {
                HttpReply.sendLast(false, 431, "Request Header Fields Too Large", out);
                fail(PeerFault.Kind.TOO_LARGE, "http: the request's head is too large", out);
            }
            case BAD_LINE -> {
                RequestLine.Refusal refusal = reader.refusal();
                boolean isMalformed = refusal == RequestLine.Refusal.MALFORMED;
                if (!isMalformed || !options.silentOnGarbage()) {
                    HttpReply.sendLast(false, refusal.status(), refusal.phrase(), out);
                }
                fail(
                        isMalformed ? PeerFault.Kind.MALFORMED : PeerFault.Kind.UNSUPPORTED,
                        "http: the request line cannot be served",
                        out);
            }
            case GARBAGE, BAD_FIELDS, MORE, REQUEST -> {
                if (finding != RequestReader.Finding.GARBAGE || !options.silentOnGarbage()) {
                    HttpReply.sendLast(false, 400, "Bad Request", out);
                }
                fail(PeerFault.Kind.MALFORMED, "http: not a well-formed request", out);
            }
        }
    }

    private boolean onRequest(Buf in, long nowNanos, Effects out) {
        Head head = reader.head();
        RequestLine line = reader.line();
        isOld = line.isOld();
        if (!RequestRules.frame(head, isOld, requestBody)) {
            in.consume(in.length());
            refuse(RequestReader.Finding.BAD_FIELDS, out);
            return false;
        }
        if (line.isConnect()) {
            // Nothing behind the head of CONNECT is a body, whatever the fields say.
            requestBody.none();
        }
        isKept = RequestRules.keeps(head, isOld);
        String user = null;
        if (!options.access().users().isEmpty()) {
            user = BasicLogin.userOrNull(head, options.access().users());
            if (user == null) {
                in.consume(reader.bytes());
                return challenge(nowNanos, out);
            }
        }
        isFirst = false;
        if (line.isConnect()) {
            in.consume(reader.bytes());
            reader.reset();
            openTunnel(line.destination(), user, out);
        } else {
            beginExchange(in, line, user, out);
        }
        return true;
    }

    private boolean challenge(long nowNanos, Effects out) {
        challenges++;
        boolean stays = isKept && requestBody.isDone() && challenges < CHALLENGES_MAX;
        HttpReply.sendChallenge(isOld, options.realm(), stays, out);
        if (!stays) {
            fail(PeerFault.Kind.UNAUTHENTICATED, "http: no or wrong user name and password", out);
            return false;
        }
        reader.reset();
        isFirst = false;
        deadlineNanos = nowNanos + IDLE_NANOS;
        return true;
    }

    // CONNECT

    private void openTunnel(Destination destination, @Nullable String user, Effects out) {
        phase = Phase.TUNNELLING;
        leaveTarget(out);
        if (options.access().earlyReply()) {
            HttpReply.sendTunnel(isOld, out);
        }
        out.open(destination, user);
    }

    private void tunnelOpened(OpenOutcome outcome, Effects out) {
        boolean isAnswered = options.access().earlyReply();
        phase = Phase.OVER;
        if (outcome == OpenOutcome.OK) {
            if (!isAnswered) {
                HttpReply.sendTunnel(isOld, out);
            }
            out.becomeTransparent();
        } else if (isAnswered) {
            // A clean end would look like an empty answer of the target.
            out.fail(
                    new PeerFault(
                            PeerFault.Kind.REFUSED,
                            "http: target not reached after an early reply: " + outcome),
                    Farewell.RESET);
        } else {
            HttpReply.sendFailure(isOld, outcome, out);
            out.close();
        }
    }

    // Plain requests

    private void beginExchange(Buf in, RequestLine line, @Nullable String user, Effects out) {
        Head head = reader.head();
        int bytes = reader.bytes();
        boolean isUpgrade = !isOld && RequestRules.upgrades(head);
        answer = new Answer(head, isOld, RequestRules.isHead(head, line), isUpgrade);
        Destination destination = line.destination();
        boolean isReused = destination.equals(target) && Objects.equals(user, targetUser);
        int behind = requestBody.isDone() ? 0 : in.length() - bytes;
        Buf message = out.acquire(RequestRules.writtenBytesMax(head) + behind);
        RequestRules.write(head, line, isKept, isUpgrade, message);
        // An idle connection may have ended while this request was on its way.
        again =
                isReused
                                && requestBody.isDone()
                                && RequestRules.isSafe(head, line)
                                && message.length() <= AGAIN_BYTES_MAX
                        ? message.toBytes()
                        : null;
        in.consume(bytes);
        reader.reset();
        phase = Phase.EXCHANGING;
        if (!isReused) {
            leaveTarget(out);
            target = destination;
            targetUser = user;
            out.open(destination, user);
        }
        int part = requestBody.pass(in.array(), in.start(), in.end());
        if (requestBody.isBroken()) {
            message.release();
            refuseBody(out);
            return;
        }
        message.put(in.array(), in.start(), part);
        in.consume(part);
        out.deliver(message);
    }

    /// Passes on what of the request's body is there. Returns whether anything was.
    private boolean readBody(Buf in, Effects out) {
        int bytes = requestBody.pass(in.array(), in.start(), in.end());
        if (requestBody.isBroken()) {
            in.consume(in.length());
            refuseBody(out);
            return false;
        }
        if (phase == Phase.DISCARDING) {
            in.consume(requestBody.isDone() ? in.length() : bytes);
            if (requestBody.isDone()) {
                close(out);
            }
            return false;
        }
        if (bytes == 0) {
            return false;
        }
        Buf part = out.acquire(bytes);
        part.put(in.array(), in.start(), bytes);
        in.consume(bytes);
        out.deliver(part);
        return true;
    }

    private void refuseBody(Effects out) {
        boolean isAnswered = phase == Phase.DISCARDING || answer != null && answer.hasBegun();
        if (!isAnswered) {
            HttpReply.sendLast(isOld, 400, "Bad Request", out);
        }
        phase = Phase.OVER;
        out.fail(
                new PeerFault(PeerFault.Kind.MALFORMED, "http: the request's body is malformed"),
                isAnswered ? Farewell.RESET : Farewell.FIN);
    }

    // The origin

    @Override
    public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
        if (phase == Phase.TUNNELLING) {
            tunnelOpened(outcome, out);
        } else if (phase == Phase.EXCHANGING && outcome != OpenOutcome.OK) {
            phase = Phase.OVER;
            target = null;
            HttpReply.sendFailure(isOld, outcome, out);
            out.close();
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        Answer present = answer;
        if (phase != Phase.EXCHANGING || present == null) {
            // Nobody asked: the next request must not get this for an answer.
            owned.release();
            if (phase == Phase.EXPECT_HEAD) {
                leaveTarget(out);
            }
            return;
        }
        again = null;
        boolean mayKeep = isKept && requestBody.isDone() && !isClientEnded;
        switch (present.take(owned, mayKeep, out)) {
            case MORE -> {}
            case DONE -> finishExchange(present, nowNanos, out);
            case UPGRADED -> upgrade(present, out);
            case BAD -> badAnswer(present, PeerFault.Kind.MALFORMED, out);
        }
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        switch (phase) {
            case EXPECT_HEAD -> leaveTarget(out);
            case EXCHANGING -> originEnded(nowNanos, out);
            case TUNNELLING -> out.end();
            case DISCARDING, OVER -> {}
        }
    }

    @Override
    public boolean onPayloadBroken(long nowNanos, Effects out) {
        return switch (phase) {
            case EXPECT_HEAD -> {
                leaveTarget(out);
                yield true;
            }
            case EXCHANGING -> {
                Answer present = answer;
                if (present == null || present.hasBegun()) {
                    phase = Phase.OVER;
                    yield false;
                }
                originEnded(nowNanos, out);
                yield true;
            }
            case DISCARDING -> true;
            case TUNNELLING, OVER -> false;
        };
    }

    private void originEnded(long nowNanos, Effects out) {
        Answer present = answer;
        byte[] request = again;
        if (present == null) {
            return;
        }
        if (present.isUntilEnd()) {
            finishExchange(present, nowNanos, out);
        } else if (request != null) {
            again = null;
            sendAgain(request, out);
        } else {
            badAnswer(present, PeerFault.Kind.TRUNCATED, out);
        }
    }

    private void sendAgain(byte[] request, Effects out) {
        Destination destination = target;
        if (destination == null) {
            return;
        }
        Buf message = out.acquire(request.length);
        message.put(request);
        out.detach();
        out.open(destination, targetUser);
        out.deliver(message);
    }

    private void badAnswer(Answer present, PeerFault.Kind kind, Effects out) {
        phase = Phase.OVER;
        if (!present.hasBegun()) {
            HttpReply.sendFailure(isOld, OpenOutcome.FAILED, out);
            out.close();
        } else {
            // A clean end would make a part look like the whole.
            out.fail(
                    new PeerFault(kind, "http: the origin's answer ended early or is malformed"),
                    Farewell.RESET);
        }
    }

    private void finishExchange(Answer finished, long nowNanos, Effects out) {
        answer = null;
        if (!requestBody.isDone() && !isClientEnded) {
            phase = Phase.DISCARDING;
            leaveTarget(out);
            deadlineNanos = nowNanos + DISCARD_NANOS;
            return;
        }
        if (!finished.isClientKept()) {
            close(out);
            return;
        }
        phase = Phase.EXPECT_HEAD;
        deadlineNanos = nowNanos + IDLE_NANOS;
        if (!finished.isOriginKept()) {
            leaveTarget(out);
        }
        if (isClientEnded) {
            endBetweenRequests(out);
        } else {
            out.goOnReading();
        }
    }

    /// RFC 9110 §7.8: what follows on both sides is another protocol.
    private void upgrade(Answer upgraded, Effects out) {
        phase = Phase.OVER;
        answer = null;
        Buf first = upgraded.takeRest();
        if (first != null) {
            out.send(first);
        }
        out.becomeTransparent();
    }

    /// Drops the origin's leg, where there is one.
    private void leaveTarget(Effects out) {
        if (target != null) {
            target = null;
            targetUser = null;
            out.detach();
        }
    }

    private void close(Effects out) {
        phase = Phase.OVER;
        out.close();
    }

    private void fail(PeerFault.Kind kind, String reason, Effects out) {
        phase = Phase.OVER;
        out.fail(new PeerFault(kind, reason), Farewell.FIN);
    }
}
