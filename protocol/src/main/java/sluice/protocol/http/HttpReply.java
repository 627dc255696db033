package sluice.protocol.http;

import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.machine.OpenOutcome;

/// Answers of the proxy itself. All but the tunnel's have an empty body and say so.
final class HttpReply {

    private static final int BYTES_MAX = 512;

    private HttpReply() {}

    /// The answer to CONNECT; the words are those that a very old client looks for. RFC 9110
    /// §9.3.6: no length.
    static void sendTunnel(boolean isOld, Effects out) {
        send(version(isOld) + "200 Connection established\r\n\r\n", out);
    }

    /// An answer behind which the connection ends.
    static void sendLast(boolean isOld, int status, String phrase, Effects out) {
        send(
                version(isOld)
                        + status
                        + " "
                        + phrase
                        + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                out);
    }

    /// The answer to a target that was not reached; the connection ends behind it.
    static void sendFailure(boolean isOld, OpenOutcome outcome, Effects out) {
        switch (outcome) {
            case DENIED -> sendLast(isOld, 403, "Forbidden", out);
            case TIMED_OUT -> sendLast(isOld, 504, "Gateway Timeout", out);
            case OK, NETWORK_UNREACHABLE, HOST_UNREACHABLE, REFUSED, FAILED ->
                    sendLast(isOld, 502, "Bad Gateway", out);
        }
    }

    /// Asks for a name and a password, RFC 7617 §2.
    static void sendChallenge(boolean isOld, String realm, boolean isKept, Effects out) {
        send(
                version(isOld)
                        + "407 Proxy Authentication Required\r\n"
                        + "Proxy-Authenticate: Basic realm=\""
                        + realm
                        + "\", charset=\"UTF-8\"\r\nContent-Length: 0\r\nConnection: "
                        + (isKept ? "keep-alive" : "close")
                        + "\r\n\r\n",
                out);
    }

    private static String version(boolean isOld) {
        return isOld ? "HTTP/1.0 " : "HTTP/1.1 ";
    }

    private static void send(String text, Effects out) {
        Buf reply = out.acquire(BYTES_MAX);
        reply.put(Ascii.bytes(text));
        out.send(reply);
    }
}
