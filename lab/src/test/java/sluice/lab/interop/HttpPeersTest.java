package sluice.lab.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import sluice.lab.run.HttpText;
import sluice.lab.run.Origin;
import sluice.lab.run.Peer;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.Traffic;
import sluice.lab.run.V2ray;
import sluice.testkit.Ports;

/// HTTP with curl and v2ray.
final class HttpPeersTest {
    private static final int OPEN = Ports.tcp();
    private static final int MIXED = Ports.tcp();
    private static final int GUARDED = Ports.tcp();
    private static final int TO_V2RAY = Ports.both();
    private static final int TO_V2RAY_GUARDED = Ports.both();
    private static final int V2RAY = Ports.both();
    private static final int V2RAY_GUARDED = Ports.both();
    private static final String USERS = "'users': [{'username': 'alice', 'password': 'pass:word'}]";

    private static Origin http;
    private static Origin echo;
    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        http = Origin.http();
        echo = Origin.echo();
        sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("http", "open", OPEN)
                                .inbound("mixed", "mixed", MIXED)
                                .inbound("http", "guarded", GUARDED, USERS)
                                .forward("to-v2ray", TO_V2RAY, echo.port())
                                .forward("to-v2ray-guarded", TO_V2RAY_GUARDED, echo.port())
                                .outbound("direct", "direct", "")
                                .outbound("http", "v2ray", V2RAY, "")
                                .outbound(
                                        "http",
                                        "v2ray-guarded",
                                        V2RAY_GUARDED,
                                        "'username': 'bob', 'password': 'secret'")
                                .route("to-v2ray", "v2ray")
                                .route("to-v2ray-guarded", "v2ray-guarded"));
    }

    @AfterAll
    static void stop() {
        sluice.close();
        http.close();
        echo.close();
    }

    @AfterEach
    void staysHealthy() {
        sluice.assertHealthy();
    }

    @Test
    void curlGetsThroughAPlainRequest() {
        Curl curl = Curl.run("-x", proxy(OPEN), url("/a?b=c"));
        assertThat(curl.status()).isEqualTo(200);
        assertThat(curl.body())
                .startsWith("GET /a?b=c HTTP/1.1\r\n")
                .contains("Host: 127.0.0.1:" + http.port())
                .doesNotContainIgnoringCase("proxy-connection");
    }

    @Test
    void curlGetsThroughATunnel() {
        Curl curl = Curl.run("-x", proxy(OPEN), "--proxytunnel", url("/"));
        assertThat(curl.status()).isEqualTo(200);
        assertThat(curl.body()).startsWith("GET / HTTP/1.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "socks4", "socks4a", "socks5", "socks5h"})
    void theMixedPortUnderstandsAll(String scheme) {
        Curl curl = Curl.run("-x", scheme + "://127.0.0.1:" + MIXED, url("/"));
        assertThat(curl.status()).isEqualTo(200);
    }

    @Test
    void curlPostsThroughAPlainRequest(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("body"), Bytes.of(1_000_000, 7));
        Curl curl = Curl.run("-x", proxy(OPEN), "--data-binary", "@" + file, url("/post"));
        assertThat(curl.status()).isEqualTo(200);
        assertThat(curl.body())
                .startsWith("POST /post HTTP/1.1")
                .contains("Content-Length: 1000000");
    }

    @Test
    void curlPostsInChunks(@TempDir Path folder) throws IOException {
        byte[] body = Bytes.of(300_000, 8);
        Path file = Files.write(folder.resolve("body"), body);
        try (Origin origin =
                Origin.of((_, in, out) -> {
                    String head = HttpText.readHead(in);
                    assertThat(head).containsIgnoringCase("transfer-encoding: chunked");
                    long got = HttpText.skipChunks(in);
                    out.write(HttpText.answer(200, "", "got " + got));
                })) {
            Curl curl =
                    Curl.run(
                            "-x",
                            proxy(OPEN),
                            "-H",
                            "Transfer-Encoding: chunked",
                            "-H",
                            "Expect:",
                            "--data-binary",
                            "@" + file,
                            "http://127.0.0.1:" + origin.port() + "/");
            assertThat(curl.body()).isEqualTo("got " + body.length);
        }
    }

    @Test
    void oneConnectionServesSeveralRequests() {
        Curl curl = Curl.run("-x", proxy(OPEN), url("/1"), "-o", "/dev/null", url("/2"));
        assertThat(curl.status()).isEqualTo(200);
        assertThat(curl.connects()).as("connections of the last request").isLessThanOrEqualTo(1);
    }

    @Test
    void curlLogsIn() {
        Curl plain = Curl.run("-x", proxy(GUARDED), "-U", "alice:pass:word", url("/"));
        assertThat(plain.status()).isEqualTo(200);
        assertThat(plain.body()).doesNotContainIgnoringCase("proxy-authorization");
        Curl tunnel =
                Curl.run("-x", proxy(GUARDED), "-U", "alice:pass:word", "--proxytunnel", url("/"));
        assertThat(tunnel.status()).isEqualTo(200);
    }

    @Test
    void curlIsAskedForALogin() {
        assertThat(Curl.run("-x", proxy(GUARDED), url("/")).status()).isEqualTo(407);
        assertThat(Curl.run("-x", proxy(GUARDED), "-U", "alice:wrong", url("/")).status())
                .isEqualTo(407);
    }

    @Test
    void v2rayServesOurClient() {
        try (Peer _ = V2ray.start(V2RAY, false, V2ray.inbound("http", ""), V2ray.FREEDOM)) {
            Traffic.assertEchoes(TO_V2RAY);
        }
    }

    @Test
    void v2rayAsksOurClientForALogin() {
        try (Peer _ =
                V2ray.start(
                        V2RAY_GUARDED,
                        false,
                        V2ray.inbound("http", "'accounts': [{'user': 'bob', 'pass': 'secret'}]"),
                        V2ray.FREEDOM)) {
            Traffic.assertEchoes(TO_V2RAY_GUARDED);
        }
    }

    @Test
    void v2rayIsServedByUs() {
        int forward = Ports.both();
        try (Peer _ =
                V2ray.start(
                        forward,
                        true,
                        V2ray.forward(echo.port()),
                        V2ray.outbound("http", OPEN, ""))) {
            Traffic.assertEchoes(forward);
        }
    }

    @Test
    void v2rayLogsInAtOurs() {
        int forward = Ports.both();
        try (Peer _ =
                V2ray.start(
                        forward,
                        true,
                        V2ray.forward(echo.port()),
                        V2ray.outbound(
                                "http",
                                GUARDED,
                                ", 'users': [{'user': 'alice', 'pass': 'pass:word'}]"))) {
            Traffic.assertEchoes(forward);
        }
    }

    private static String proxy(int port) {
        return "http://127.0.0.1:" + port;
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + http.port() + path;
    }
}
