package sluice.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.http.HttpBench.answer;
import static sluice.protocol.http.HttpBench.assertRefused;
import static sluice.protocol.http.HttpBench.bytes;
import static sluice.protocol.http.HttpBench.head;
import static sluice.protocol.http.HttpBench.options;
import static sluice.protocol.http.HttpBench.receive;
import static sluice.protocol.http.HttpBench.sent;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.Secret;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.Cuts;
import sluice.protocol.MachineSide;
import sluice.protocol.access.Access;
import sluice.protocol.access.User;
import sluice.protocol.access.Users;
import sluice.testkit.Seeds;
import sluice.testkit.Vectors;

/// CONNECT, the password, and what is turned away.
final class HttpServerConnectTest {

    private static final Vectors LOGINS = Vectors.load("http/logins.hex");
    private static final String CONNECT = "CONNECT example.com:443 HTTP/1.1\r\n";
    private static final String HEAD = CONNECT + "Host: example.com:443\r\n\r\n";

    private static final Users USERS =
            new Users(
                    List.of(
                            new User("Aladdin", Secret.of("open sesame")),
                            new User("user", Secret.of("pass")),
                            new User("u", Secret.of("p:with:colon")),
                            new User("jörg", Secret.of("straße"))));

    private final HttpBench bench = new HttpBench();

    @AfterEach
    void allBuffersCameBack() {
        bench.assertAllBuffersCameBack();
    }

    // Tunnels

    @Test
    void opensATunnel() {
        MachineSide side = bench.server();
        receive(side, HEAD);
        assertThat(side.opened()).isEqualTo(destination("example.com", 443));
        assertThat(sent(side)).isEmpty();
        side.opened(OpenOutcome.OK, 0);
        assertThat(sent(side)).isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n");
        assertThat(side.isTransparent()).isTrue();
    }

    @Test
    void answersAnOldClientInItsVersion() {
        MachineSide side = bench.server();
        receive(side, "CONNECT example.com:443 HTTP/1.0\r\n\r\n");
        side.opened(OpenOutcome.OK, 0);
        assertThat(sent(side)).isEqualTo("HTTP/1.0 200 Connection established\r\n\r\n");
    }

    @Test
    void whatIsBehindTheHeadIsPayload() {
        MachineSide side = bench.server();
        receive(side, CONNECT + "Content-Length: 10\r\n\r\n\u0016\u0003\u0001");
        assertThat(side.delivered()).containsExactly(0x16, 3, 1);
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.isTransparent()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "example.com:443,example.com,443",
        "example.com,example.com,443",
        "EXAMPLE.com.:22,EXAMPLE.com.,22",
        "1.2.3.4:80,1.2.3.4,80",
        "[2001:db8::1]:443,2001:db8::1,443",
        "[2001:db8::1],2001:db8::1,443",
        "[::ffff:1.2.3.4]:65535,1.2.3.4,65535",
        "my_host:1,my_host,1"
    })
    void readsItsTarget(String target, String host, int port) {
        MachineSide side = bench.server();
        receive(side, "CONNECT " + target + " HTTP/1.1\r\n\r\n");
        assertThat(side.opened()).isEqualTo(destination(host, port));
    }

    /// I09: without brackets nobody can tell where the port begins, so the answer is 400 at once.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "::1:8443",
                "::1",
                "2001:db8::1:443",
                "host:0",
                "host:99999",
                "host:65536",
                "host:abc",
                "host:-1",
                "host:+1",
                ":443",
                "[::1",
                "::1]:443",
                "[example.com]:443",
                "[::1]x:443",
                "user@host:443",
                "host/path:443",
                "http://host:443",
                "/"
            })
    void i09RefusesTargetsThatAreNone(String target) {
        MachineSide side = bench.server();
        receive(side, "CONNECT " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
        assertRefused(side, "HTTP/1.1 400 Bad Request", PeerFault.Kind.MALFORMED);
        assertThat(side.opened()).isNull();
    }

    @Test
    void aHostThatSaysSomethingElseChangesNothing() {
        MachineSide side = bench.server();
        receive(side, CONNECT + "Host: 127.0.0.1:22\r\n\r\n");
        assertThat(side.opened()).isEqualTo(destination("example.com", 443));
    }

    @Test
    void theMethodIsCaseSensitive() {
        MachineSide side = bench.server();
        receive(side, "connect example.com:443 HTTP/1.1\r\n\r\n");
        assertRefused(side, "HTTP/1.1 400 Bad Request", PeerFault.Kind.MALFORMED);
    }

    @ParameterizedTest
    @CsvSource({
        "DENIED,403 Forbidden",
        "TIMED_OUT,504 Gateway Timeout",
        "REFUSED,502 Bad Gateway",
        "HOST_UNREACHABLE,502 Bad Gateway",
        "NETWORK_UNREACHABLE,502 Bad Gateway",
        "FAILED,502 Bad Gateway"
    })
    void tellsWhyTheTargetWasNotReached(OpenOutcome outcome, String status) {
        MachineSide side = bench.server();
        receive(side, HEAD);
        side.opened(outcome, 0);
        assertThat(sent(side))
                .isEqualTo(
                        "HTTP/1.1 "
                                + status
                                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(side.isClosed()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void repliesEarlyWhereAskedToAndResetsWhenThatProvesWrong() {
        MachineSide side = bench.server(options(Users.NONE, true));
        receive(side, HEAD);
        assertThat(sent(side)).isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n");
        side.opened(OpenOutcome.REFUSED, 0);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
        assertThat(sent(side)).isEmpty();
    }

    /// I11: a client that ends its side before the target is reached still gets its answer.
    @Test
    void i11KeepsTheEndOfAHastyClient() {
        MachineSide side = bench.server();
        receive(side, HEAD + "hello");
        side.receiveEnd(0);
        assertThat(side.deliveredText()).isEqualTo("hello");
        assertThat(side.deliveredEnd()).isTrue();
        side.opened(OpenOutcome.OK, 0);
        answer(side, "bye");
        assertThat(sent(side)).isEqualTo("HTTP/1.1 200 Connection established\r\n\r\nbye");
    }

    // Passwords

    @ParameterizedTest
    @CsvSource({"aladdin,Aladdin", "user,user", "lower-scheme,user", "two-blanks,user", "colons,u"})
    void letsUsersIn(String login, String user) {
        MachineSide side = bench.server(options(USERS, false));
        receive(side, CONNECT + "Proxy-Authorization: " + LOGINS.text(login) + "\r\n\r\n");
        assertThat(side.user()).isEqualTo(user);
    }

    @Test
    void toleratesMissingPadding() {
        Users users = new Users(List.of(new User("user", Secret.of(""))));
        for (String login : List.of("no-password", "no-padding")) {
            MachineSide side = bench.server(options(users, false));
            receive(side, CONNECT + "Proxy-Authorization: " + LOGINS.text(login) + "\r\n\r\n");
            assertThat(side.user()).isEqualTo("user");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Proxy-Authorization: Basic dXNlcjp3cm9uZw==\r\n",
                "Proxy-Authorization: Basic dXNlcg==\r\n",
                "Proxy-Authorization: Basic !!!\r\n",
                "Proxy-Authorization: Basic\r\n",
                "Proxy-Authorization: Bearer dXNlcjpwYXNz\r\n",
                "Proxy-Authorization: BasicdXNlcjpwYXNz\r\n",
                "Authorization: Basic dXNlcjpwYXNz\r\n"
            })
    void asksForAPassword(String field) {
        MachineSide side = bench.server(options(USERS, false));
        receive(side, CONNECT + field + "\r\n");
        assertThat(sent(side))
                .isEqualTo(
                        head(
                                "HTTP/1.1 407 Proxy Authentication Required",
                                "Proxy-Authenticate: Basic realm=\"proxy\", charset=\"UTF-8\"",
                                "Content-Length: 0",
                                "Connection: keep-alive"));
        assertThat(side.opened()).isNull();
        assertThat(side.isOver()).isFalse();
    }

    /// I10: after 407 the same connection goes on, with a UTF-8 password too.
    @Test
    void i10TakesThePasswordOnTheSameConnection() {
        MachineSide side = bench.server(options(USERS, false));
        receive(side, HEAD);
        assertThat(sent(side)).startsWith("HTTP/1.1 407 ");
        String login =
                java.util.Base64.getEncoder()
                        .encodeToString(
                                "jörg:straße".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        receive(side, CONNECT + "Proxy-Authorization: Basic " + login + "\r\n\r\n");
        assertThat(side.user()).isEqualTo("jörg");
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.isTransparent()).isTrue();
    }

    @Test
    void i10ClosesAfterFiveWrongPasswords() {
        MachineSide side = bench.server(options(USERS, false));
        for (int i = 1; i <= 4; i++) {
            receive(side, HEAD);
            assertThat(sent(side)).contains("Connection: keep-alive");
            assertThat(side.isOver()).isFalse();
        }
        receive(side, HEAD);
        assertThat(sent(side)).startsWith("HTTP/1.1 407 ").contains("Connection: close");
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.UNAUTHENTICATED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST http://e/ HTTP/1.1\r\nContent-Length: 5\r\n\r\n",
                "POST http://e/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET http://e/ HTTP/1.1\r\nConnection: close\r\n\r\n",
                "GET http://e/ HTTP/1.0\r\n\r\n"
            })
    void closesAfterA407ThatCannotBeFollowed(String request) {
        MachineSide side = bench.server(options(USERS, false));
        receive(side, request);
        assertThat(sent(side))
                .contains("407 Proxy Authentication Required\r\n")
                .contains("Connection: close\r\n");
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.UNAUTHENTICATED);
    }

    @Test
    void everyRequestIsAskedForItsPassword() {
        MachineSide side = bench.server(options(USERS, false));
        String login = "Proxy-Authorization: Basic dXNlcjpwYXNz\r\n";
        receive(side, "GET http://e/1 HTTP/1.1\r\n" + login + "\r\n");
        side.opened(OpenOutcome.OK, 0);
        answer(side, "HTTP/1.1 204 No Content\r\n\r\n");
        sent(side);
        receive(side, "GET http://e/2 HTTP/1.1\r\n\r\n");
        assertThat(sent(side)).startsWith("HTTP/1.1 407 ");
        assertThat(side.deliveredText()).contains("/1").doesNotContain("/2");
    }

    @Test
    void theRealmIsWhatTheOperatorSays() {
        MachineSide side =
                bench.server(
                        new HttpServerOptions(new Access(USERS, false), "members", 1 << 16, false));
        receive(side, HEAD);
        assertThat(sent(side)).contains("realm=\"members\"");
    }

    // What is turned away

    /// I14: whatever else comes to the port gets 400 or a closed connection, at once.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "SSH-2.0-OpenSSH_9.6\r\n",
                "\0",
                "\u00ffSMB",
                "GET /\r\n",
                "GET  http://e/ HTTP/1.1\r\n",
                "GET http://e/ HTTP/1.1 \r\n",
                "GET http://e/ http/1.1\r\n",
                "GET http://e/ HTTP/1.11\r\n",
                "G@T http://e/ HTTP/1.1\r\n",
                "GET e.com:80 HTTP/1.1\r\n",
                "OPTIONS * HTTP/1.1\r\n",
                "GET http:// HTTP/1.1\r\n",
                "GET http://e:0/ HTTP/1.1\r\n",
                "GET http://e:99999/ HTTP/1.1\r\n",
                "GET http://e\u007f/ HTTP/1.1\r\n",
                "GET http://[::1/ HTTP/1.1\r\n",
                "\r\n\r\nGET http://e/ HTTP/1.1\r\n"
            })
    void i14RefusesWhatIsNoRequestToAProxy(String text) {
        MachineSide side = bench.server();
        receive(side, text);
        assertRefused(side, "HTTP/1.1 400 Bad Request", PeerFault.Kind.MALFORMED);
    }

    @Test
    void i14SaysNothingToATlsClient() {
        MachineSide side = bench.server();
        receive(side, "\u0016\u0003\u0001\u0002\0");
        assertRefused(side, "", PeerFault.Kind.UNSUPPORTED);
    }

    @Test
    void i14AnEmptyConnectionIsNoFault() {
        MachineSide side = bench.server();
        side.receiveEnd(0);
        assertThat(side.isClosed()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void isSilentOnGarbageWhereAskedTo() {
        HttpServerOptions silent =
                new HttpServerOptions(new Access(Users.NONE, false), "proxy", 1 << 16, true);
        for (String garbage : List.of("GET / HTTP/1.1\r\n", "\0", "SSH-2.0\r\n")) {
            MachineSide side = bench.server(silent);
            receive(side, garbage);
            assertRefused(side, "", PeerFault.Kind.MALFORMED);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET https://e/ HTTP/1.1,501 Not Implemented",
        "GET ftp://e/ HTTP/1.1,501 Not Implemented",
        "PRI * HTTP/2.0,505 HTTP Version Not Supported",
        "GET http://e/ HTTP/1.2,505 HTTP Version Not Supported"
    })
    void namesWhatIsNotSupported(String line, String status) {
        MachineSide side = bench.server();
        receive(side, line + "\r\n\r\n");
        assertRefused(side, "HTTP/1.1 " + status, PeerFault.Kind.UNSUPPORTED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no colon",
                "Name : value",
                " folded: yes",
                "A: b\r\n folded",
                ": value",
                "Na(me: value",
                "A: b\u0001c",
                "A: b\rc",
                "Host: a\r\nHost: b",
                "Content-Length: 5\r\nTransfer-Encoding: chunked",
                "Content-Length: 5\r\nContent-Length: 6",
                "Content-Length: 5, 6",
                "Content-Length: +5",
                "Content-Length: -5",
                "Content-Length: 0x5",
                "Content-Length:",
                "Content-Length: 9999999999999999999",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: chunked;q=1",
                "Transfer-Encoding:"
            })
    void refusesFieldsThatTwoParsersCouldReadInTwoWays(String fields) {
        for (String line : List.of("POST http://e/ HTTP/1.1\r\n", CONNECT)) {
            MachineSide side = bench.server();
            receive(side, line + fields + "\r\n\r\n");
            assertRefused(side, "HTTP/1.1 400 Bad Request", PeerFault.Kind.MALFORMED);
            assertThat(side.opened()).isNull();
        }
    }

    @Test
    void refusesChunksInHttp10() {
        MachineSide side = bench.server();
        receive(side, "POST http://e/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n");
        assertRefused(side, "HTTP/1.1 400 Bad Request", PeerFault.Kind.MALFORMED);
    }

    /// I13: up to 64 KiB pass, more gets 431; nothing is searched twice.
    @ParameterizedTest
    @CsvSource({"7", "9", "20", "60"})
    void i13PassesLargeCookies(int kilobytes) {
        String cookie = "a".repeat(kilobytes * 1000);
        MachineSide side = bench.server();
        receive(side, "GET http://e/ HTTP/1.1\r\nCookie: " + cookie + "\r\n\r\n");
        assertThat(side.deliveredText()).contains("\r\nCookie: " + cookie + "\r\n");
    }

    @Test
    void i13PassesFiveHundredFields() {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            fields.append("X-").append(i).append(": ").append(i).append("\r\n");
        }
        MachineSide side = bench.server();
        receive(side, "GET http://e/ HTTP/1.1\r\n" + fields + "\r\n");
        assertThat(side.deliveredText()).contains("\r\n" + fields);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://e/ HTTP/1.1\r\nCookie: ",
                "GET http://e/",
                "GET http://e/ HTTP/1.1\r\nA: b\r\nX"
            })
    void i13RefusesAHeadOverTheLimit(String start) {
        MachineSide whole = bench.server();
        receive(whole, start + "a".repeat(200_000) + "\r\n\r\n");
        assertRefused(
                whole, "HTTP/1.1 431 Request Header Fields Too Large", PeerFault.Kind.TOO_LARGE);
        MachineSide endless = bench.server();
        endless.receiveInPieces(bytes(start + "a".repeat(70_000)), 700, 0);
        assertRefused(
                endless, "HTTP/1.1 431 Request Header Fields Too Large", PeerFault.Kind.TOO_LARGE);
    }

    @Test
    void i13ReadsAHeadByteByByteWithoutSearchingTwice() {
        MachineSide side = bench.server();
        receive(side, "GET http://e/ HTTP/1.1\r\nCookie: " + "a".repeat(60_000));
        for (int i = 0; i < 2000; i++) {
            receive(side, "b");
        }
        receive(side, "\r\n\r\n");
        assertThat(side.opened()).isEqualTo(destination("e", 80));
    }

    // Cuts and garbage

    @ParameterizedTest
    @Seeds(80)
    void whatItDoesDoesNotDependOnHowBytesAreCut(long seed) {
        String[] conversations = {
            HEAD + "payload",
            "\r\n" + HEAD,
            "CONNECT [::1] HTTP/1.0\n\npayload",
            CONNECT + "Proxy-Authorization: Basic dXNlcjpwYXNz\r\n\r\npayload",
            HEAD + HEAD + CONNECT + "Proxy-Authorization: Basic dXNlcjpwYXNz\r\n\r\nx",
            "GET / HTTP/1.1\r\nHost: e\r\n\r\n",
            "POST http://e/ HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
            "POST http://e/a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
            "\u0016\u0003\u0001"
        };
        byte[] bytes = bytes(conversations[(int) (seed % conversations.length)]);
        for (Users users : List.of(Users.NONE, USERS)) {
            HttpServerOptions options = options(users, seed % 2 == 0);
            assertThat(Cuts.pieces(() -> new HttpServer(options), bytes, bench.loop().pool(), seed))
                    .isEqualTo(
                            Cuts.whole(() -> new HttpServer(options), bytes, bench.loop().pool()));
        }
    }

    private static Destination destination(String host, int port) {
        return new Destination(Host.parse(host), port);
    }
}
