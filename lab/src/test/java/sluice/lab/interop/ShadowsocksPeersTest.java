package sluice.lab.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.run.Config;
import sluice.lab.run.Curl;
import sluice.lab.run.Origin;
import sluice.lab.run.Peer;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.Traffic;
import sluice.lab.run.UdpOrigin;
import sluice.lab.run.V2ray;
import sluice.testkit.Ports;

/// Shadowsocks with the AEAD methods of 2017, with shadowsocks-libev and v2ray, streams and
/// datagrams.
final class ShadowsocksPeersTest {
    private static final String PASSWORD = "päss for the lab";
    private static final List<String> METHODS =
            List.of(
                    "aes-128-gcm",
                    "aes-192-gcm",
                    "aes-256-gcm",
                    "chacha20-ietf-poly1305",
                    "xchacha20-ietf-poly1305");

    private static Origin echo;
    private static Origin http;
    private static UdpOrigin udp;
    private static final Map<String, Integer> SERVED = new HashMap<>();
    private static final Map<String, Integer> FOREIGN = new HashMap<>();
    private static final Map<String, Integer> TO_STREAM = new HashMap<>();
    private static final Map<String, Integer> TO_DATAGRAM = new HashMap<>();
    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        echo = Origin.echo();
        http = Origin.http();
        udp = UdpOrigin.echo();
        Config config = new Config().outbound("direct", "direct", "");
        for (String method : METHODS) {
            String members = "'method': '%s', 'password': '%s'".formatted(method, PASSWORD);
            SERVED.put(method, Ports.both());
            FOREIGN.put(method, Ports.both());
            TO_STREAM.put(method, Ports.both());
            TO_DATAGRAM.put(method, Ports.both());
            config.inbound("shadowsocks", "in-" + method, SERVED.get(method), members)
                    .outbound("shadowsocks", "out-" + method, FOREIGN.get(method), members)
                    .forward("s-" + method, TO_STREAM.get(method), echo.port())
                    .forward("d-" + method, TO_DATAGRAM.get(method), udp.port())
                    .route("s-" + method, "out-" + method)
                    .route("d-" + method, "out-" + method);
        }
        sluice = SluiceProcess.start(config);
    }

    @AfterAll
    static void stop() {
        sluice.close();
        echo.close();
        http.close();
        udp.close();
    }

    @AfterEach
    void staysHealthy() {
        sluice.assertHealthy();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aes-128-gcm",
                "aes-192-gcm",
                "aes-256-gcm",
                "chacha20-ietf-poly1305",
                "xchacha20-ietf-poly1305"
            })
    void libevServesOurClient(String method) {
        int port = FOREIGN.get(method);
        try (Peer _ =
                Peer.start(
                        "ss-server",
                        List.of(port),
                        List.of(port),
                        "-s",
                        "127.0.0.1",
                        "-p",
                        port,
                        "-k",
                        PASSWORD,
                        "-m",
                        method,
                        "-u")) {
            Traffic.assertEchoes(TO_STREAM.get(method));
            Traffic.assertDatagramsEcho(TO_DATAGRAM.get(method));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aes-128-gcm",
                "aes-192-gcm",
                "aes-256-gcm",
                "chacha20-ietf-poly1305",
                "xchacha20-ietf-poly1305"
            })
    void libevIsServedByUs(String method) {
        int stream = Ports.both();
        int datagram = Ports.both();
        try (Peer _ = tunnel(method, stream, echo.port());
                Peer _ = tunnel(method, datagram, udp.port())) {
            Traffic.assertEchoes(stream);
            Traffic.assertDatagramsEcho(datagram);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aes-256-gcm", "chacha20-ietf-poly1305"})
    void curlReachesAnOriginThroughLibevsClientAndOurServer(String method) {
        int local = Ports.both();
        try (Peer _ =
                Peer.start(
                        "ss-local",
                        List.of(local),
                        List.of(local),
                        "-s",
                        "127.0.0.1",
                        "-p",
                        SERVED.get(method),
                        "-b",
                        "127.0.0.1",
                        "-l",
                        local,
                        "-k",
                        PASSWORD,
                        "-m",
                        method,
                        "-u")) {
            Curl curl =
                    Curl.run(
                            "--socks5-hostname",
                            "127.0.0.1:" + local,
                            "http://localhost:" + http.port() + "/");
            assertThat(curl.status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aes-128-gcm", "aes-256-gcm", "chacha20-ietf-poly1305"})
    void v2rayServesOurClient(String method) {
        int port = FOREIGN.get(method);
        try (Peer _ =
                V2ray.start(
                        port,
                        true,
                        V2ray.inbound("shadowsocks", settings(method) + ", 'network': 'tcp,udp'"),
                        V2ray.FREEDOM)) {
            Traffic.assertEchoes(TO_STREAM.get(method));
            Traffic.assertDatagramsEcho(TO_DATAGRAM.get(method));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aes-128-gcm", "aes-256-gcm", "chacha20-ietf-poly1305"})
    void v2rayIsServedByUs(String method) {
        int stream = Ports.both();
        int datagram = Ports.both();
        String server = V2ray.outbound("shadowsocks", SERVED.get(method), ", " + settings(method));
        try (Peer _ = V2ray.start(stream, true, V2ray.forward(echo.port()), server);
                Peer _ = V2ray.start(datagram, true, V2ray.forward(udp.port()), server)) {
            Traffic.assertEchoes(stream);
            Traffic.assertDatagramsEcho(datagram);
        }
    }

    private static Peer tunnel(String method, int local, int target) {
        return Peer.start(
                "ss-tunnel",
                List.of(local),
                List.of(local),
                "-s",
                "127.0.0.1",
                "-p",
                SERVED.get(method),
                "-b",
                "127.0.0.1",
                "-l",
                local,
                "-L",
                "127.0.0.1:" + target,
                "-k",
                PASSWORD,
                "-m",
                method,
                "-u");
    }

    private static String settings(String method) {
        return "'method': '%s', 'password': '%s'".formatted(method, PASSWORD);
    }
}
