package sluice.protocol.http;

import java.nio.charset.StandardCharsets;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;

/// The client's side of CONNECT, RFC 9110 §9.3.6, for every destination.
///
///     EXPECT_ANSWER ──► OVER (transparent)
final class HttpClient implements StreamMachine {

    private enum State {
        EXPECT_ANSWER,
        OVER
    }

    /// Chosen: as much as the accepting side takes of a head.
    private static final int HEAD_BYTES_MAX = 64 * 1024;

    private static final byte[] METHOD = Ascii.bytes("CONNECT ");
    private static final byte[] VERSION_LINE = Ascii.bytes(" HTTP/1.1\r\n");
    private static final byte[] HOST = Ascii.bytes("Host: ");

    private final Destination target;
    private final HttpOutbound outbound;
    private State state = State.EXPECT_ANSWER;
    private int lineScanned;
    private int scanned;

    HttpClient(Destination target, HttpOutbound outbound) {
        this.target = target;
        this.outbound = outbound;
    }

    @Override
    public void onStart(long nowNanos, Effects out) {
        // Brackets stand around an IPv6 address in both places.
        byte[] authority = target.toString().getBytes(StandardCharsets.UTF_8);
        byte[] wanted = outbound.path().length == 0 ? authority : outbound.path();
        byte[] fields = outbound.fields();
        Buf request =
                out.acquire(
                        METHOD.length
                                + wanted.length
                                + VERSION_LINE.length
                                + HOST.length
                                + authority.length
                                + 2
                                + fields.length);
        request.put(METHOD);
        request.put(wanted);
        request.put(VERSION_LINE);
        if (!outbound.hasHost()) {
            request.put(HOST);
            request.put(authority);
            request.put('\r');
            request.put('\n');
        }
        request.put(fields);
        out.send(request);
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        boolean moves = true;
        while (moves && state == State.EXPECT_ANSWER) {
            moves = readAnswer(in, out);
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (state != State.OVER) {
            fail(PeerFault.Kind.TRUNCATED, "http: the proxy ended the stream", out);
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        owned.release();
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {}

    /// Reads one head. Returns whether another one must follow and may be there.
    private boolean readAnswer(Buf in, Effects out) {
        byte[] array = in.array();
        int feed = in.start() + lineScanned;
        while (feed < in.end() && array[feed] != '\n') {
            feed++;
        }
        lineScanned = feed - in.start();
        if (lineScanned > HEAD_BYTES_MAX) {
            fail(PeerFault.Kind.TOO_LARGE, "http: the proxy's answer is too large", out);
            return false;
        }
        if (feed == in.end()) {
            return false;
        }
        int lineEnd = feed > in.start() && array[feed - 1] == '\r' ? feed - 1 : feed;
        int status = ResponseRules.statusOrMinus(array, in.start(), lineEnd);
        if (status < 0 || status == 101) {
            fail(PeerFault.Kind.MALFORMED, "http: the proxy does not answer in HTTP/1", out);
            return false;
        }
        if (status >= 300) {
            // What stands behind the line does not matter; some proxies leave out a length and
            // wait.
            refuse(status, out);
            return false;
        }
        int bytes = Head.endOrMinus(in, scanned);
        if ((bytes > 0 ? bytes : in.length()) > HEAD_BYTES_MAX) {
            fail(PeerFault.Kind.TOO_LARGE, "http: the proxy's answer is too large", out);
            return false;
        }
        if (bytes <= 0) {
            scanned = -bytes;
            return false;
        }
        in.consume(bytes);
        lineScanned = 0;
        scanned = 0;
        if (status < 200) {
            return true;
        }
        // Any 2xx opens the tunnel; a length in it means nothing, what follows is payload.
        state = State.OVER;
        out.becomeTransparent();
        return false;
    }

    private void refuse(int status, Effects out) {
        if (status == 407) {
            fail(
                    PeerFault.Kind.UNAUTHENTICATED,
                    "http: the proxy wants another user name or password (407)",
                    out);
            return;
        }
        state = State.OVER;
        OpenOutcome outcome =
                switch (status) {
                    case 403 -> OpenOutcome.DENIED;
                    case 504 -> OpenOutcome.TIMED_OUT;
                    default -> OpenOutcome.FAILED;
                };
        out.refuse(outcome, "http: the proxy answered " + status);
    }

    private void fail(PeerFault.Kind kind, String reason, Effects out) {
        state = State.OVER;
        out.fail(new PeerFault(kind, reason), Farewell.FIN);
    }
}
