package sluice.lab.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.run.Bytes;
import sluice.lab.run.Config;
import sluice.lab.run.Curl;
import sluice.lab.run.Dial;
import sluice.lab.run.HttpText;
import sluice.lab.run.Link;
import sluice.lab.run.Origin;
import sluice.lab.run.Proc;
import sluice.lab.run.Scale;
import sluice.lab.run.SluiceProcess;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;

/// HTTP clients as they are.
final class HttpFieldCases {
    private static final int HTTP = Ports.tcp();
    private static final int MIXED = Ports.tcp();
    private static final int GUARDED = Ports.tcp();

    private static Origin origin;
    private static Origin echo;
    private static Origin echo6;
    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        origin = Origin.http();
        echo = Origin.echo();
        echo6 = Origin.of("::1", (_, in, out) -> in.transferTo(out));
        sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("http", "http", HTTP, "'handshake_timeout': '3s'")
                                .inbound("mixed", "mixed", MIXED, "'handshake_timeout': '3s'")
                                .inbound(
                                        "http",
                                        "guarded",
                                        GUARDED,
                                        "'users': [{'username': 'u', 'password': 'pä'}]"));
    }

    @AfterAll
    static void stop() {
        sluice.close();
        origin.close();
        echo.close();
        echo6.close();
    }

    @AfterEach
    void staysHealthy() {
        sluice.assertHealthy();
    }

    @Test
    void i07EachRequestOfAConnectionGoesToItsOwnHost() {
        try (Origin other = Origin.http();
                Link client = Link.to(HTTP)) {
            assertThat(get(client, origin.port())).contains("X-Port: " + origin.port());
            assertThat(get(client, other.port())).contains("X-Port: " + other.port());
            origin.dropAll();
            assertThat(get(client, origin.port()))
                    .as("the origin has closed its idle connection")
                    .contains("X-Port: " + origin.port());
        }
    }

    @Test
    void i07OriginConnectionsEndWithTheClients() {
        int clients = Scale.of(200, 2_000);
        for (int i = 0; i < clients; i++) {
            try (Link client = Link.to(HTTP)) {
                assertThat(get(client, origin.port())).startsWith("HTTP/1.1 200");
            }
        }
        Eventually.await(
                Duration.ofSeconds(5),
                () -> "few open connections, not " + origin.open(),
                () -> origin.open() < 5);
    }

    @Test
    void i09BracketsAroundAnIpv6TargetWork() {
        try (Link link = Link.to(HTTP)) {
            assertThat(Dial.httpConnect(link, "[::1]:" + echo6.port(), null))
                    .startsWith("HTTP/1.1 200");
            link.send("six");
            assertThat(new String(link.read(3))).isEqualTo("six");
        }
    }

    @Test
    void i09WithoutBracketsThereIsAnAnswerAtOnce() {
        try (Link link = Link.to(HTTP)) {
            long start = System.nanoTime();
            assertThat(Dial.httpConnect(link, "::1:" + echo6.port(), null))
                    .matches("(?s)HTTP/1.1 (200|400) .*");
            assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"::1", "127.0.0.1:0", "127.0.0.1:99999", "127.0.0.1:x", ":80", "[::1:80"})
    void i09ATargetThatCannotBeDialledIsRefused(String target) {
        try (Link link = Link.to(HTTP)) {
            assertThat(Dial.httpConnect(link, target, null)).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void i10AfterA407TheSameConnectionGoesOn() {
        String target = "127.0.0.1:" + echo.port();
        try (Link link = Link.to(GUARDED)) {
            assertThat(Dial.httpConnect(link, target, null))
                    .startsWith("HTTP/1.1 407")
                    .contains("Proxy-Authenticate: Basic ")
                    .contains("Content-Length: 0");
            assertThat(Dial.httpConnect(link, target, "u:wrong")).startsWith("HTTP/1.1 407");
            assertThat(Dial.httpConnect(link, target, "u:pä")).startsWith("HTTP/1.1 200");
            link.send("in");
            assertThat(new String(link.read(2))).isEqualTo("in");
        }
    }

    @Test
    void i10CurlFindsOutHowToLogIn() {
        Curl curl =
                Curl.run(
                        "--proxy-anyauth",
                        "--proxy",
                        "http://127.0.0.1:" + GUARDED,
                        "-U",
                        "u:pä",
                        url("/"));
        assertThat(curl.exit()).isZero();
        assertThat(curl.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Upgrade", "keep-alive, Upgrade"})
    void i12AnUpgradePassesAndThenRawBytes(String connection) {
        try (Origin server =
                        Origin.of((_, in, out) -> {
                            String head = HttpText.readHead(in);
                            out.write(
                                    ("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                                                    + "Upgrade: websocket\r\nX-Saw: "
                                                    + head.toLowerCase(Locale.ROOT)
                                                            .contains("\r\nupgrade: websocket")
                                                    + "\r\n\r\nfirst")
                                            .getBytes(StandardCharsets.UTF_8));
                            in.transferTo(out);
                        });
                Link link = Link.to(HTTP)) {
            link.send(upgrade(server.port(), connection));
            assertThat(link.readHead())
                    .startsWith("HTTP/1.1 101")
                    .containsIgnoringCase("upgrade: websocket")
                    .contains("X-Saw: true");
            assertThat(new String(link.read(5))).isEqualTo("first");
            byte[] frames = Bytes.of(200_000, 5);
            Thread.ofVirtual().start(() -> link.send(frames));
            assertThat(link.read(frames.length)).isEqualTo(frames);
        }
    }

    @Test
    void i12ARefusedUpgradeIsAnOrdinaryAnswer() {
        try (Origin server =
                        Origin.of((_, in, out) -> {
                            HttpText.readHead(in);
                            out.write(HttpText.answer(403, "", "no"));
                            HttpText.readHead(in);
                            out.write(HttpText.answer(200, "", "ok"));
                        });
                Link link = Link.to(HTTP)) {
            link.send(upgrade(server.port(), "Upgrade"));
            assertThat(link.readHead()).startsWith("HTTP/1.1 403");
            assertThat(new String(link.read(2))).isEqualTo("no");
            assertThat(get(link, server.port())).startsWith("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {7_000, 9_000, 20_000, 60_000})
    void i13LargeHeadersPass(int bytes) {
        try (Link link = Link.to(HTTP)) {
            link.send(request(origin.port(), "Cookie: " + "a".repeat(bytes) + "\r\n"));
            String head = link.readHead();
            assertThat(head).startsWith("HTTP/1.1 200");
            assertThat(new String(link.read(HttpText.contentLength(head))))
                    .contains("a".repeat(bytes));
        }
    }

    @Test
    void i13ManyFieldsPass() {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            fields.append("X-Field-").append(i).append(": value\r\n");
        }
        try (Link link = Link.to(HTTP)) {
            link.send(request(origin.port(), fields.toString()));
            assertThat(link.readHead()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void i13BeyondTheLimitThereIsA431AndNoSpin() {
        double before = Proc.cpuSeconds(sluice.pid());
        try (Link link = Link.to(HTTP)) {
            sendCareless(link, request(origin.port(), "Cookie: " + "a".repeat(200_000) + "\r\n"));
            assertThat(link.readEnding(5_000).text()).startsWith("HTTP/1.1 431");
        }
        try (Link link = Link.to(HTTP)) {
            sendCareless(link, "GET http://127.0.0.1/ HTTP/1.1\r\nX: " + "b".repeat(300_000));
            Link.Ending ending = link.readEnding(6_000);
            assertThat(ending.end()).isNotEqualTo(Link.End.OPEN);
        }
        assertThat(Proc.cpuSeconds(sluice.pid()) - before).isLessThan(2);
    }

    @Test
    void i14WhoOpensTheProxyPortInABrowserGetsA400() {
        for (int port : new int[] {HTTP, MIXED}) {
            Curl curl = Curl.run("http://127.0.0.1:" + port + "/");
            assertThat(curl.status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "16030100c8010000c40303",
                "5353482d322e302d4f70656e5353485f392e320d0a",
                "",
                "00000000000000000000000000000000000000000000000000000000",
                "000000850000ff534d4272000000001853c8",
                "0d0a0d0a0d0a",
                "505249202a20485454502f322e300d0a0d0a534d0d0a0d0a"
            })
    void i14OtherProtocolsAreClosed(String hex) {
        for (int port : new int[] {HTTP, MIXED}) {
            try (Link link = Link.to(port).sendHex(hex)) {
                link.finish();
                Link.Ending ending = link.readEnding(6_000);
                assertThat(ending.end()).isNotEqualTo(Link.End.OPEN);
                assertThat(ending.text()).matches("(?s)|HTTP/1.[01] (400|501|505) .*");
            }
        }
    }

    @Test
    void i15AHundredContinuePasses(@TempDir Path folder) throws IOException {
        int bytes = 2_000_000;
        Path file = Files.write(folder.resolve("big"), Bytes.of(bytes, 9));
        try (Origin server =
                Origin.of((_, in, out) -> {
                    HttpText.readHead(in);
                    out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                    in.skipNBytes(bytes);
                    out.write(HttpText.answer(201, "", "stored"));
                })) {
            Curl curl = put(file, server);
            assertThat(curl.status()).isEqualTo(201);
            assertThat(curl.body()).endsWith("stored");
        }
    }

    @Test
    void i15ARefusalBeforeTheBodyReachesTheClient(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("big"), Bytes.of(2_000_000, 9));
        try (Origin server =
                Origin.of((_, in, out) -> {
                    HttpText.readHead(in);
                    out.write(HttpText.answer(413, "Connection: close\r\n", "too big"));
                })) {
            assertThat(put(file, server).status()).isEqualTo(413);
        }
    }

    @Test
    void i15EarlyHintsPassBeforeTheAnswer() {
        try (Origin server =
                        Origin.of((_, in, out) -> {
                            HttpText.readHead(in);
                            out.write(
                                    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                                            .getBytes(StandardCharsets.UTF_8));
                            out.write(HttpText.answer(200, "", "done"));
                            HttpText.readHead(in);
                            out.write(HttpText.answer(200, "", "again"));
                        });
                Link link = Link.to(HTTP)) {
            link.send(request(server.port(), ""));
            assertThat(link.readHead()).startsWith("HTTP/1.1 103");
            assertThat(link.readHead()).startsWith("HTTP/1.1 200");
            assertThat(new String(link.read(4))).isEqualTo("done");
            assertThat(get(link, server.port())).startsWith("HTTP/1.1 200");
        }
    }

    private static Curl put(Path file, Origin server) {
        return Curl.run(
                "-x",
                "http://127.0.0.1:" + HTTP,
                "-H",
                "Expect: 100-continue",
                "-T",
                file,
                "http://127.0.0.1:" + server.port() + "/");
    }

    /// One request over a kept connection; the whole answer.
    private static String get(Link link, int port) {
        link.send(request(port, ""));
        String head = link.readHead();
        return head + new String(link.read(HttpText.contentLength(head)));
    }

    private static String request(int port, String fields) {
        return "GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n"
                .formatted(port, port, fields);
    }

    private static String upgrade(int port, String connection) {
        return request(
                port,
                "Connection: "
                        + connection
                        + "\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
    }

    /// Sends to a peer that may close while it is sent.
    private static void sendCareless(Link link, String text) {
        try {
            link.send(text);
        } catch (UncheckedIOException closed) {
            assertThat(closed).hasMessageNotContaining("timed out");
        }
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + origin.port() + path;
    }
}
