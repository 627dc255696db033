package sluice.app.probe;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Destination;
import sluice.base.net.Host;

/// One GET by HTTP/1.1, with the time that each step takes.
public final class Fetch {

    private static final int MOST_HEAD_BYTES = 64 << 10;

    private final Prober prober;
    private final long timeoutMillis;
    private final Consumer<String> steps;
    private long sinceNanos;

    /// @param steps told of each step as it ends
    public Fetch(Prober prober, long timeoutMillis, Consumer<String> steps) {
        this.prober = prober;
        this.timeoutMillis = timeoutMillis;
        this.steps = steps;
    }

    /// What an address asks for.
    ///
    /// @param secure whether by TLS
    /// @param assumed whether [#secure] was not written
    /// @param to the server
    /// @param authority as the Host field names it
    /// @param path with its query, at least `/`
    public record Target(
            boolean secure, boolean assumed, Destination to, String authority, String path) {

        /// Reads `http://host[:port][/path]`, or the same with `https`; without either, `https` is
        /// meant.
        ///
        /// @throws IllegalArgumentException with the reason
        public static Target parse(String url) {
            String rest = url;
            boolean secure = true;
            boolean assumed = !url.contains("://");
            if (url.regionMatches(true, 0, "http://", 0, 7)) {
                secure = false;
                rest = url.substring(7);
            } else if (url.regionMatches(true, 0, "https://", 0, 8)) {
                rest = url.substring(8);
            } else if (url.contains("://")) {
                throw new IllegalArgumentException("fetches http:// and https:// alone");
            }
            int fragment = rest.indexOf('#');
            rest = fragment < 0 ? rest : rest.substring(0, fragment);
            int end = rest.length();
            for (int i = 0; i < rest.length(); i++) {
                char c = rest.charAt(i);
                if (c <= ' ' || c >= 0x7f) {
                    throw new IllegalArgumentException(
                            "an address has no blanks and no letters beyond ASCII");
                }
                if ((c == '/' || c == '?') && end == rest.length()) {
                    end = i;
                }
            }
            String authority = rest.substring(0, end);
            String path = rest.substring(end);
            return new Target(
                    secure,
                    assumed,
                    destination(authority, secure ? 443 : 80),
                    authority,
                    path.startsWith("/") ? path : "/" + path);
        }
    }

    /// Reads `host:port`, `[v6]:port`, or a host alone.
    ///
    /// @param port where none is written; 0 for none
    /// @throws IllegalArgumentException with the reason
    public static Destination destination(String text, int port) {
        int colon = text.lastIndexOf(':');
        boolean hasPort =
                text.startsWith("[")
                        ? colon > text.lastIndexOf(']')
                        : colon >= 0 && text.indexOf(':') == colon;
        String host = hasPort ? text.substring(0, colon) : text;
        String digits = hasPort ? text.substring(colon + 1) : Integer.toString(port);
        if (!digits.matches("[0-9]{1,5}")
                || Integer.parseInt(digits) < 1
                || Integer.parseInt(digits) > 65_535) {
            throw new IllegalArgumentException(
                    hasPort
                            ? "\"" + digits + "\" is not a port (1 to 65535)"
                            : "needs a port, such as " + text + ":443");
        }
        return new Destination(Host.parse(host), Integer.parseInt(digits));
    }

    /// Fetches; the body goes to `body`. Returns the status, such as 200.
    public int run(Target target, OutputStream body) throws IOException {
        long begin = System.nanoTime();
        sinceNanos = begin;
        steps.accept(prober.choice(target.to()));
        try (ProbeStream stream = prober.connect(target.to(), timeoutMillis)) {
            step(prober.reached(target.to()));
            TlsProbe tls = null;
            if (target.secure()) {
                tls = shakeHands(stream, target);
                step("TLS handshake: " + tls.describe());
            }
            byte[] request = request(target);
            if (tls == null) {
                stream.send(request);
            } else {
                tls.send(request);
            }
            return answer(stream, tls, body, begin);
        }
    }

    private static TlsProbe shakeHands(ProbeStream stream, Target target) throws IOException {
        try {
            return TlsProbe.start(stream, target.to().host().toString(), target.to().port());
        } catch (IOException fault) {
            if (!target.assumed()) {
                throw fault;
            }
            throw new IOException(
                    fault.getMessage()
                            + "\n    mend: without a scheme https:// is meant; if the server has no TLS,"
                            + " write http://"
                            + target.authority()
                            + target.path(),
                    fault);
        }
    }

    private static byte[] request(Target target) {
        return ("GET "
                        + target.path()
                        + " HTTP/1.1\r\nHost: "
                        + target.authority()
                        + "\r\nUser-Agent: sluice\r\nAccept: */*\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private int answer(ProbeStream stream, @Nullable TlsProbe tls, OutputStream body, long begin)
            throws IOException {
        byte[] piece = new byte[64 << 10];
        byte[] head = new byte[0];
        int end = -1;
        while (end < 0) {
            int received = tls == null ? stream.receive(piece) : tls.receive(piece);
            if (received < 0 || head.length > MOST_HEAD_BYTES) {
                throw new IOException(
                        head.length == 0
                                ? "the server closed without an answer"
                                : "the answer is not HTTP");
            }
            if (head.length == 0) {
                step("first byte of the answer");
            }
            int before = head.length;
            head = Arrays.copyOf(head, before + received);
            System.arraycopy(piece, 0, head, before, received);
            end = endOfHead(head);
        }
        String text = new String(head, 0, end, StandardCharsets.ISO_8859_1);
        String status = text.lines().findFirst().orElse("");
        if (!status.matches("HTTP/1\\.[01] [0-9]{3}.*")) {
            throw new IOException("the answer is not HTTP");
        }
        long bytes = (long) head.length - end;
        body.write(head, end, head.length - end);
        while (true) {
            int received = tls == null ? stream.receive(piece) : tls.receive(piece);
            if (received < 0) {
                break;
            }
            body.write(piece, 0, received);
            bytes += received;
        }
        step(status + ", " + bytes + " bytes behind the head");
        steps.accept("in all " + millis(System.nanoTime() - begin));
        return Integer.parseInt(status.substring(9, 12));
    }

    private static int endOfHead(byte[] head) {
        for (int i = 3; i < head.length; i++) {
            if (head[i] == '\n'
                    && head[i - 1] == '\r'
                    && head[i - 2] == '\n'
                    && head[i - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    private void step(String what) {
        long now = System.nanoTime();
        steps.accept(millis(now - sinceNanos) + "  " + what);
        sinceNanos = now;
    }

    /// `12.3 ms`, right-aligned.
    public static String millis(long nanos) {
        String text = nanos / 1_000_000 + "." + nanos / 100_000 % 10 + " ms";
        return " ".repeat(Math.max(0, 10 - text.length())) + text;
    }
}
