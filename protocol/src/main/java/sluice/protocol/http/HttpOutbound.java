package sluice.protocol.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Secret;
import sluice.base.config.Shape;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;

/// A configured HTTP proxy of somebody else, used with CONNECT alone.
final class HttpOutbound implements Outbound {

    private static final Key<Host> SERVER =
            Key.of("server", Kind.HOST).required().says("Address or name of the HTTP proxy.");

    private static final Key<Integer> SERVER_PORT =
            Key.of("server_port", Kind.PORT).required().says("Port of the HTTP proxy.");

    private static final Key<String> USERNAME =
            Key.of("username", Kind.TEXT).says("Name to send to the proxy; it has no colon.");

    private static final Key<Secret> PASSWORD =
            Key.of("password", Kind.SECRET).says("Password to send to the proxy.");

    private static final Key<String> PATH =
            Key.of("path", Kind.TEXT)
                    .says(
                            "What to ask for instead of the target; the target stays in the Host"
                                    + " header.");

    private static final Key<Map<String, List<String>>> HEADERS =
            Key.map("headers").says("Headers to add to the request, or to send instead of ours.");

    /// What an operator may say.
    static final Shape<HttpOutbound> SHAPE =
            Shape.of(
                    "http outbound",
                    HttpOutbound::read,
                    SERVER,
                    SERVER_PORT,
                    USERNAME,
                    PASSWORD,
                    PATH,
                    HEADERS,
                    Key.notYet("tls", true));

    private final Destination server;
    private final byte[] path;
    private final byte[] fields;
    private final boolean hasHost;

    /// @param path empty, or what to ask for instead of the target
    /// @param fields all of the request behind `Host`, with the empty line
    /// @param hasHost whether `fields` has a `Host` of its own
    private HttpOutbound(Destination server, byte[] path, byte[] fields, boolean hasHost) {
        this.server = server;
        this.path = path;
        this.fields = fields;
        this.hasHost = hasHost;
    }

    @Override
    public Destination server() {
        return server;
    }

    @Override
    public StreamMachine dialStream(LoopServices loop, Destination target) {
        return new HttpClient(target, this);
    }

    @Override
    public Datagrams datagrams() {
        return Datagrams.NONE;
    }

    /// What to ask for instead of the target; empty where that is the target.
    byte[] path() {
        return path;
    }

    /// The request behind `Host`, with the empty line. It holds the password.
    byte[] fields() {
        return fields;
    }

    /// Whether [#fields] has a `Host`.
    boolean hasHost() {
        return hasHost;
    }

    private static @Nullable HttpOutbound read(Fields fields) {
        Map<String, List<String>> headers = fields.get(HEADERS);
        String path = fields.orNull(PATH);
        String user = fields.orNull(USERNAME);
        Secret password = fields.orNull(PASSWORD);
        boolean isFine = areHeadersFine(fields, headers);
        if (user != null && (user.indexOf(':') >= 0 || !isVisible(user))) {
            fields.refuse(USERNAME, "holds a colon or a control character", null);
            isFine = false;
        }
        if (password != null && user == null) {
            fields.refuse(PASSWORD, "a password needs a user name", "add \"username\"");
            isFine = false;
        }
        if (user != null && has(headers, "proxy-authorization")) {
            fields.refuse(
                    HEADERS, "says who we are, as \"username\" does", "leave one of them out");
            isFine = false;
        }
        if (path != null && has(headers, "host")) {
            fields.refuse(HEADERS, "has a Host, which a \"path\" leaves to the target", null);
            isFine = false;
        }
        if (path != null && (!isVisible(path) || path.indexOf(' ') >= 0)) {
            fields.refuse(PATH, "holds a blank or a control character", null);
            isFine = false;
        }
        if (!isFine) {
            return null;
        }
        return new HttpOutbound(
                new Destination(fields.get(SERVER), fields.get(SERVER_PORT)),
                path == null ? new byte[0] : path.getBytes(StandardCharsets.UTF_8),
                fieldLines(user, password, headers),
                has(headers, "host"));
    }

    private static boolean areHeadersFine(Fields fields, Map<String, List<String>> headers) {
        boolean isFine = true;
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            String name = header.getKey();
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            String reason = null;
            if (!Ascii.isToken(bytes, 0, bytes.length)) {
                reason = "is not the name of a header";
            } else if (isFraming(name)) {
                reason = "says how long a body is, and CONNECT has none";
            } else if (!header.getValue().stream().allMatch(HttpOutbound::isVisible)) {
                reason = "has a control character in its value";
            }
            if (reason != null) {
                fields.refuse(HEADERS, "\"" + name + "\" " + reason, null);
                isFine = false;
            }
        }
        return isFine;
    }

    private static boolean isFraming(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("content-length") || lower.equals("transfer-encoding");
    }

    private static boolean isVisible(String text) {
        return text.chars().noneMatch(c -> c < ' ' && c != '\t' || c == 0x7f);
    }

    private static boolean has(Map<String, List<String>> headers, String lower) {
        return headers.keySet().stream().anyMatch(name -> name.equalsIgnoreCase(lower));
    }

    /// The order is fixed: a changing one would tell who we are.
    private static byte[] fieldLines(
            @Nullable String user, @Nullable Secret password, Map<String, List<String>> headers) {
        StringBuilder lines = new StringBuilder();
        if (user != null) {
            String login = user + ":" + (password == null ? "" : password.reveal());
            lines.append("Proxy-Authorization: Basic ")
                    .append(
                            Base64.getEncoder()
                                    .encodeToString(login.getBytes(StandardCharsets.UTF_8)))
                    .append("\r\n");
        }
        if (!has(headers, "proxy-connection")) {
            lines.append("Proxy-Connection: Keep-Alive\r\n");
        }
        headers.forEach((name, values) ->
                values.forEach(
                        value -> lines.append(name).append(": ").append(value).append("\r\n")));
        return lines.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }
}
