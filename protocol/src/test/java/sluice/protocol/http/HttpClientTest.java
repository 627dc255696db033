package sluice.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.http.HttpBench.bytes;
import static sluice.protocol.http.HttpBench.head;
import static sluice.protocol.http.HttpBench.receive;
import static sluice.protocol.http.HttpBench.sent;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.Secret;
import sluice.base.fault.PeerFault;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.Cuts;
import sluice.protocol.MachinePair;
import sluice.protocol.MachineSide;
import sluice.protocol.Options;
import sluice.protocol.spi.Outbound;
import sluice.testkit.Seeds;
import sluice.testkit.Vectors;

/// The dialling side, and what an operator may say of both sides.
final class HttpClientTest {

    private static final Destination TARGET = new Destination(Host.parse("example.com"), 443);
    private static final String ESTABLISHED = head("HTTP/1.1 200 Connection established");

    private final HttpBench bench = new HttpBench();

    @AfterEach
    void allBuffersCameBack() {
        bench.assertAllBuffersCameBack();
    }

    // The request

    @Test
    void asksForATunnel() {
        assertThat(request(TARGET))
                .isEqualTo(
                        head(
                                "CONNECT example.com:443 HTTP/1.1",
                                "Host: example.com:443",
                                "Proxy-Connection: Keep-Alive"));
    }

    /// I09: our own requests always have the brackets.
    @Test
    void i09PutsBracketsAroundAnIpv6Address() {
        assertThat(request(new Destination(Host.parse("2001:db8::1"), 80)))
                .startsWith("CONNECT [2001:db8::1]:80 HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n");
    }

    @ParameterizedTest
    @CsvSource({"user,pass,user", "user,,no-password", "u,p:with:colon,colons"})
    void logsIn(String user, String password, String vector) {
        List<Object> options = new ArrayList<>(List.of("username", user));
        if (password != null) {
            options.addAll(List.of("password", password));
        }
        assertThat(request(TARGET, options.toArray()))
                .contains(
                        "\r\nProxy-Authorization: "
                                + Vectors.load("http/logins.hex").text(vector)
                                + "\r\n");
    }

    @Test
    void addsAndReplacesHeadersInOrder() {
        assertThat(
                        request(
                                TARGET,
                                "headers",
                                Options.object(
                                        "User-Agent",
                                        "curl/8",
                                        "X",
                                        List.of("1", "2"),
                                        "host",
                                        "front.example",
                                        "Proxy-connection",
                                        "close")))
                .isEqualTo(
                        head(
                                "CONNECT example.com:443 HTTP/1.1",
                                "User-Agent: curl/8",
                                "X: 1",
                                "X: 2",
                                "host: front.example",
                                "Proxy-connection: close"));
    }

    @Test
    void asksForAPathWhereToldTo() {
        assertThat(request(TARGET, "path", "/tunnel"))
                .startsWith("CONNECT /tunnel HTTP/1.1\r\nHost: example.com:443\r\n");
    }

    // The answer

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.0 200\r\n\r\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nA: b\r\n\r\nHTTP/1.1 299 y\r\n\r\n"
            })
    void anyOfTheTwoHundredsOpensTheTunnel(String answer) {
        MachineSide side = client();
        receive(side, answer + "SSH-2.0-x");
        assertThat(side.isTransparent()).isTrue();
        assertThat(side.deliveredText()).isEqualTo("SSH-2.0-x");
    }

    @Test
    void aRefusedPasswordIsToldApart() {
        MachineSide side = client();
        receive(
                side,
                "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n");
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.UNAUTHENTICATED);
    }

    @ParameterizedTest
    @CsvSource({"403,DENIED", "502,FAILED", "504,TIMED_OUT", "301,FAILED", "400,FAILED"})
    void passesOnWhyTheProxyDidNotReachTheTarget(int status, OpenOutcome outcome) {
        MachineSide side = client();
        receive(side, "HTTP/1.1 " + status + " No\r\nContent-Le");
        assertThat(side.refusal()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "\r\n\r\n"
            })
    void refusesWhatIsNoAnswer(String answer) {
        MachineSide side = client();
        receive(side, answer);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
    }

    @Test
    void refusesAnEndlessAnswer() {
        for (String start : List.of("HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nX: ")) {
            MachineSide side = client();
            side.receiveInPieces(bytes(start + "a".repeat(70_000)), 900, 0);
            assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TOO_LARGE);
        }
    }

    @Test
    void aProxyThatEndsInItsAnswerIsAtFault() {
        MachineSide side = client();
        receive(side, "HTTP/1.1 200 OK\r\n");
        side.receiveEnd(0);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TRUNCATED);
    }

    @ParameterizedTest
    @Seeds(60)
    void whatItDoesDoesNotDependOnHowBytesAreCut(long seed) {
        String[] answers = {
            ESTABLISHED + "payload",
            "HTTP/1.1 100 Continue\r\n\r\n" + ESTABLISHED + "payload",
            "HTTP/1.1 407 No\r\n\r\n",
            "HTTP/1.1 503 No\r\n\r\n"
        };
        byte[] bytes = bytes(answers[(int) (seed % answers.length)]);
        assertThat(Cuts.pieces(this::machine, bytes, bench.loop().pool(), seed))
                .isEqualTo(Cuts.whole(this::machine, bytes, bench.loop().pool()));
    }

    @ParameterizedTest
    @Seeds(200)
    void garbageEndsInAFaultAndNothingElse(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(400)];
        random.nextBytes(bytes);
        MachineSide side = client();
        if (random.nextBoolean()) {
            receive(side, "HTTP/1.1 200 OK\r\n");
        }
        side.receive(bytes, 0);
        side.receiveEnd(0);
        assertThat(side.isOver() || side.isTransparent()).isTrue();
    }

    // Both sides

    @ParameterizedTest
    @Seeds(10)
    void inboundAndOutboundUnderstandEachOther(long seed) {
        HttpInbound inbound =
                Options.read(
                        HttpInbound.SHAPE,
                        "users",
                        Options.object("username", "alice", "password", "a:b"),
                        "early_reply",
                        seed % 2 == 0);
        StreamMachine client =
                outbound("username", "alice", "password", "a:b")
                        .dialStream(bench.loop().services(), TARGET);
        Endpoint peer = new Endpoint(IpAddress.LOOPBACK_V4, 1);
        MachinePair pair =
                MachinePair.cut(
                                client,
                                inbound.acceptStream(bench.loop().services(), peer, peer),
                                bench.loop().pool(),
                                seed)
                        .up(new byte[100_000])
                        .down(new byte[200_000])
                        .upEnd()
                        .downEnd()
                        .run();
        assertThat(pair.server().opened()).isEqualTo(TARGET);
        assertThat(pair.server().user()).isEqualTo("alice");
        assertThat(pair.server().delivered()).hasSize(100_000);
        assertThat(pair.client().delivered()).hasSize(200_000);
        assertThat(pair.server().deliveredEnd()).isTrue();
        assertThat(pair.client().deliveredEnd()).isTrue();
        pair.finish();
    }

    @ParameterizedTest
    @CsvSource({"DENIED,DENIED", "TIMED_OUT,TIMED_OUT", "REFUSED,FAILED"})
    void aFailureGoesAllTheWay(OpenOutcome there, OpenOutcome here) {
        MachinePair pair =
                MachinePair.of(
                                machine(),
                                new HttpServer(
                                        HttpBench.options(
                                                sluice.protocol.access.Users.NONE, false)),
                                bench.loop().pool())
                        .outcome(there)
                        .run()
                        .finish();
        assertThat(pair.client().refusal()).isEqualTo(here);
    }

    // Options

    @Test
    void anInboundNeedsNothing() {
        HttpServerOptions options = Options.read(HttpInbound.SHAPE).options();
        assertThat(options.realm()).isEqualTo("proxy");
        assertThat(options.headBytesMax()).isEqualTo(65_536);
        assertThat(options.silentOnGarbage()).isFalse();
        assertThat(options.access().users().isEmpty()).isTrue();
    }

    @Test
    void anInboundTakesEverything() {
        HttpInbound inbound =
                Options.read(
                        HttpInbound.SHAPE,
                        "users",
                        List.of(Options.object("username", "a", "password", "b")),
                        "realm",
                        "members",
                        "max_header_size",
                        "16 KiB",
                        "silent_on_garbage",
                        true);
        assertThat(inbound.options().realm()).isEqualTo("members");
        assertThat(inbound.options().headBytesMax()).isEqualTo(16_384);
        assertThat(inbound.options().silentOnGarbage()).isTrue();
        assertThat(inbound.isUserKnown("a")).isTrue();
        assertThat(inbound.secretOrNull("a")).isEqualTo(Secret.of("b"));
    }

    @Test
    void anInboundRefusesWhatItCannotSay() {
        assertThat(Options.refusal(HttpInbound.SHAPE, "realm", "a\"b")).contains("it.realm");
        assertThat(Options.refusal(HttpInbound.SHAPE, "realm", "a\r\nb")).contains("it.realm");
        assertThat(Options.refusal(HttpInbound.SHAPE, "max_header_size", "8 KiB"))
                .contains("16 KiB");
        assertThat(Options.refusal(HttpInbound.SHAPE, "max_header_size", "1 MiB"))
                .contains("128 KiB");
        assertThat(Options.refusal(HttpInbound.SHAPE, "tls", true)).contains("it.tls");
    }

    @Test
    void anOutboundCarriesStreamsAlone() {
        assertThat(outbound().datagrams()).isEqualTo(Outbound.Datagrams.NONE);
        assertThat(outbound().server()).isEqualTo(new Destination(Host.parse("192.0.2.1"), 8080));
    }

    @Test
    void anOutboundRefusesWhatItCannotSay() {
        assertThat(refusal("username", "a:b")).contains("colon");
        assertThat(refusal("password", "x")).contains("user name");
        assertThat(refusal("path", "/a b")).contains("path");
        assertThat(refusal("path", "/a", "headers", Options.object("Host", "x")))
                .contains("headers");
        assertThat(refusal("headers", Options.object("Content-Length", "5"))).contains("CONNECT");
        assertThat(refusal("headers", Options.object("Bad Name", "5"))).contains("name");
        assertThat(refusal("headers", Options.object("A", "x\r\nB: y"))).contains("control");
        assertThat(refusal("username", "u", "headers", Options.object("Proxy-Authorization", "x")))
                .contains("who we are");
        assertThat(Options.refusal(HttpOutbound.SHAPE)).contains("server", "server_port");
    }

    private StreamMachine machine() {
        return outbound().dialStream(bench.loop().services(), TARGET);
    }

    private MachineSide client() {
        MachineSide side = bench.started(new MachineSide(machine(), bench.loop().pool()));
        side.takeSent();
        return side;
    }

    private String request(Destination target, Object... options) {
        MachineSide side =
                bench.started(
                        new MachineSide(
                                outbound(options).dialStream(bench.loop().services(), target),
                                bench.loop().pool()));
        return sent(side);
    }

    private static HttpOutbound outbound(Object... more) {
        return Options.read(HttpOutbound.SHAPE, with(more));
    }

    private static String refusal(Object... more) {
        return Options.refusal(HttpOutbound.SHAPE, with(more));
    }

    private static Object[] with(Object... more) {
        List<Object> all = new ArrayList<>(List.of("server", "192.0.2.1"));
        all.addAll(List.of("server_port", 8080));
        all.addAll(List.of(more));
        return all.toArray();
    }
}
