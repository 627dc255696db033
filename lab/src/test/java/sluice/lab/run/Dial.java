package sluice.lab.run;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Opens tunnels through a proxy's port, as clients do.
public final class Dial {

    private Dial() {}

    /// SOCKS5 without a password, to a port of loopback.
    public static Link socks5(int proxyPort, int targetPort) {
        return socks5(Link.to(proxyPort), "127.0.0.1", targetPort, null, "");
    }

    /// SOCKS5 over an open connection; the target goes as a name.
    public static Link socks5(
            Link link, String host, int port, @Nullable String user, String password) {
        int reply = socks5Reply(link, host, port, user, password);
        if (reply != 0) {
            throw new AssertionError("SOCKS5 reply " + reply);
        }
        return link;
    }

    /// As [#socks5(Link, String, int, String, String)], with the reply code returned.
    public static int socks5Reply(
            Link link, String host, int port, @Nullable String user, String password) {
        greet(link, user, password);
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(new byte[] {5, 1, 0, 3});
        putText(request, host);
        request.write(port >> 8);
        request.write(port);
        link.send(request.toByteArray());
        byte[] head = link.read(4);
        link.read(addressBytes(link, head[3]) + 2);
        return head[1];
    }

    /// Greets a SOCKS5 server and logs in where a user is given.
    static void greet(Link link, @Nullable String user, String password) {
        if (user == null) {
            link.sendHex("05 01 00");
            expect("0500", link.readHex(2));
            return;
        }
        link.sendHex("05 01 02");
        expect("0502", link.readHex(2));
        ByteArrayOutputStream login = new ByteArrayOutputStream();
        login.write(1);
        putText(login, user);
        putText(login, password);
        link.send(login.toByteArray());
        expect("0100", link.readHex(2));
    }

    /// HTTP CONNECT to a port of loopback.
    public static Link http(int proxyPort, int targetPort) {
        Link link = Link.to(proxyPort);
        String head = httpConnect(link, "127.0.0.1:" + targetPort, null);
        if (!head.startsWith("HTTP/1.1 200")) {
            throw new AssertionError(head);
        }
        return link;
    }

    /// Sends CONNECT and returns the head of the answer.
    ///
    /// @param login `user:password`, or null
    public static String httpConnect(Link link, String target, @Nullable String login) {
        link.send(
                "CONNECT "
                        + target
                        + " HTTP/1.1\r\nHost: "
                        + target
                        + "\r\n"
                        + (login == null ? "" : "Proxy-Authorization: " + basic(login) + "\r\n")
                        + "\r\n");
        return link.readHead();
    }

    /// The value of a Basic credential.
    public static String basic(String login) {
        return "Basic "
                + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    /// How many bytes of a SOCKS5 address follow its type; reads the length where one is sent.
    static int addressBytes(Link link, int type) {
        return switch (type) {
            case 1 -> 4;
            case 4 -> 16;
            case 3 -> link.read(1)[0] & 0xff;
            default -> throw new AssertionError("address type " + type);
        };
    }

    private static void putText(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes.length);
        out.writeBytes(bytes);
    }

    private static void expect(String expected, String got) {
        if (!expected.equals(got)) {
            throw new AssertionError("expected " + expected + ", got " + got);
        }
    }
}
