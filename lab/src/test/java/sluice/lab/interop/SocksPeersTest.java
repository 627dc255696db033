package sluice.lab.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.run.Config;
import sluice.lab.run.Curl;
import sluice.lab.run.Link;
import sluice.lab.run.Origin;
import sluice.lab.run.Peer;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.Traffic;
import sluice.lab.run.UdpOrigin;
import sluice.lab.run.V2ray;
import sluice.testkit.Ports;

/// SOCKS with curl, microsocks and v2ray.
final class SocksPeersTest {
    private static final int OPEN = Ports.both();
    private static final int GUARDED = Ports.both();
    private static final int TO_MICRO = Ports.both();
    private static final int TO_MICRO_GUARDED = Ports.both();
    private static final int TO_MICRO_WRONG = Ports.both();
    private static final int TO_V2RAY = Ports.both();
    private static final int TO_V2RAY_4 = Ports.both();
    private static final int TO_V2RAY_4A = Ports.both();
    private static final int MICRO = Ports.tcp();
    private static final int MICRO_GUARDED = Ports.tcp();
    private static final int V2RAY = Ports.both();

    private static Origin http;
    private static Origin echo;
    private static UdpOrigin udp;
    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        http = Origin.http();
        echo = Origin.echo();
        udp = UdpOrigin.echo();
        sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("socks", "open", OPEN)
                                .inbound(
                                        "socks",
                                        "guarded",
                                        GUARDED,
                                        "'users': [{'username': 'alice', 'password': 'p:w é'}]")
                                .forward("to-micro", TO_MICRO, echo.port())
                                .forward("to-micro-guarded", TO_MICRO_GUARDED, echo.port())
                                .forward("to-micro-wrong", TO_MICRO_WRONG, echo.port())
                                .forward("to-v2ray", TO_V2RAY, echo.port())
                                .forward("to-v2ray-4", TO_V2RAY_4, echo.port())
                                .forward("to-v2ray-4a", TO_V2RAY_4A, echo.port())
                                .outbound("direct", "direct", "")
                                .outbound("socks", "micro", MICRO, "")
                                .outbound(
                                        "socks",
                                        "micro-guarded",
                                        MICRO_GUARDED,
                                        "'username': 'bob', 'password': 'secret'")
                                .outbound(
                                        "socks",
                                        "micro-wrong",
                                        MICRO_GUARDED,
                                        "'username': 'bob', 'password': 'wrong'")
                                .outbound("socks", "v2ray", V2RAY, "'version': '5'")
                                .outbound("socks", "v2ray-4", V2RAY, "'version': '4'")
                                .outbound("socks", "v2ray-4a", V2RAY, "'version': '4a'")
                                .route("to-micro", "micro")
                                .route("to-micro-guarded", "micro-guarded")
                                .route("to-micro-wrong", "micro-wrong")
                                .route("to-v2ray", "v2ray")
                                .route("to-v2ray-4", "v2ray-4")
                                .route("to-v2ray-4a", "v2ray-4a"));
    }

    @AfterAll
    static void stop() {
        sluice.close();
        http.close();
        echo.close();
        udp.close();
    }

    @AfterEach
    void staysHealthy() {
        sluice.assertHealthy();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--socks4", "--socks4a", "--socks5", "--socks5-hostname"})
    void curlReachesAnOrigin(String version) {
        Curl curl = Curl.run(version, "127.0.0.1:" + OPEN, "http://127.0.0.1:" + http.port() + "/");
        assertThat(curl.exit()).isZero();
        assertThat(curl.status()).isEqualTo(200);
        assertThat(curl.body()).startsWith("GET / HTTP/1.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--socks4a", "--socks5-hostname"})
    void theProxyResolvesTheName(String version) {
        Curl curl = Curl.run(version, "127.0.0.1:" + OPEN, "http://localhost:" + http.port() + "/");
        assertThat(curl.status()).isEqualTo(200);
        assertThat(curl.body()).contains("Host: localhost:" + http.port());
    }

    @Test
    void curlLogsInWithNameAndPassword() {
        Curl curl =
                Curl.run(
                        "--socks5-hostname",
                        "127.0.0.1:" + GUARDED,
                        "--proxy-user",
                        "alice:p:w é",
                        "http://localhost:" + http.port() + "/");
        assertThat(curl.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice:wrong", "mallory:p:w é", "alice:"})
    void curlIsSentAwayWithAWrongLogin(String login) {
        Curl curl =
                Curl.run(
                        "--socks5-hostname",
                        "127.0.0.1:" + GUARDED,
                        "--proxy-user",
                        login,
                        "http://localhost:" + http.port() + "/");
        assertThat(curl.status()).isZero();
        assertThat(curl.exit()).as("curl: SOCKS handshake failed").isEqualTo(97);
    }

    @Test
    void microsocksServesOurClient() {
        try (Peer _ =
                Peer.start(
                        "microsocks", List.of(MICRO), List.of(), "-i", "127.0.0.1", "-p", MICRO)) {
            Traffic.assertEchoes(TO_MICRO);
        }
    }

    @Test
    void microsocksAsksOurClientForALogin() {
        try (Peer _ =
                Peer.start(
                        "microsocks",
                        List.of(MICRO_GUARDED),
                        List.of(),
                        "-i",
                        "127.0.0.1",
                        "-p",
                        MICRO_GUARDED,
                        "-u",
                        "bob",
                        "-P",
                        "secret")) {
            Traffic.assertEchoes(TO_MICRO_GUARDED);
            assertThat(Link.to(TO_MICRO_WRONG).readEnding(5_000).bytes()).isEmpty();
        }
    }

    @Test
    void v2rayServesOurClient() {
        try (Peer _ =
                V2ray.start(
                        V2RAY,
                        true,
                        V2ray.inbound("socks", "'udp': true, 'ip': '127.0.0.1'"),
                        V2ray.FREEDOM)) {
            Traffic.assertEchoes(TO_V2RAY);
            Traffic.assertEchoes(TO_V2RAY_4);
            Traffic.assertEchoes(TO_V2RAY_4A);
        }
    }

    @Test
    void v2rayRelaysDatagramsOfOurClient() {
        int forward = Ports.both();
        try (Peer _ =
                        V2ray.start(
                                V2RAY,
                                true,
                                V2ray.inbound("socks", "'udp': true, 'ip': '127.0.0.1'"),
                                V2ray.FREEDOM);
                SluiceProcess ours =
                        SluiceProcess.start(
                                new Config()
                                        .forward("f", forward, udp.port())
                                        .outbound("socks", "v2ray", V2RAY, ""))) {
            Traffic.assertDatagramsEcho(forward);
            ours.assertHealthy();
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
                        V2ray.outbound("socks", OPEN, ""))) {
            Traffic.assertEchoes(forward);
        }
    }

    @Test
    void datagramsOfV2rayAreRelayedByUs() {
        int forward = Ports.both();
        try (Peer _ =
                V2ray.start(
                        forward,
                        true,
                        V2ray.forward(udp.port()),
                        V2ray.outbound("socks", OPEN, ""))) {
            Traffic.assertDatagramsEcho(forward);
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
                                "socks",
                                GUARDED,
                                ", 'users': [{'user': 'alice', 'pass': 'p:w é'}]"))) {
            Traffic.assertEchoes(forward);
        }
    }
}
