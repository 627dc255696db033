package sluice.lab.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.lab.run.Bytes;
import sluice.lab.run.Config;
import sluice.lab.run.Datagrams;
import sluice.lab.run.Dial;
import sluice.lab.run.Link;
import sluice.lab.run.Origin;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.UdpOrigin;
import sluice.testkit.Ports;

/// What every way out must do alike: half-closed streams, and datagrams that answer from elsewhere.
/// Client and server of each protocol are one process.
final class RelayFieldCases {
    private static final int BYTES = 100_000;
    private static final String KEY_2022 =
            "'method': '2022-blake3-aes-256-gcm', 'password':"
                    + " 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='";
    private static final String KEY_AEAD = "'method': 'chacha20-ietf-poly1305', 'password': 'x'";

    /// Tag of the way out, and the port whose clients take it.
    private static final Map<String, Integer> MIXED =
            Map.of(
                    "direct", Ports.both(),
                    "socks-out", Ports.both(),
                    "http-out", Ports.both(),
                    "aead-out", Ports.both(),
                    "2022-out", Ports.both());

    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        int socks = Ports.both();
        int http = Ports.both();
        int aead = Ports.both();
        int key2022 = Ports.both();
        Config config =
                new Config()
                        .inbound("socks", "socks", socks)
                        .inbound("http", "http", http)
                        .inbound("shadowsocks", "aead", aead, KEY_AEAD)
                        .inbound("shadowsocks", "2022", key2022, KEY_2022)
                        .outbound("direct", "direct", "")
                        .outbound("socks", "socks-out", socks, "")
                        .outbound("http", "http-out", http, "")
                        .outbound("shadowsocks", "aead-out", aead, KEY_AEAD)
                        .outbound("shadowsocks", "2022-out", key2022, KEY_2022);
        MIXED.forEach(
                (out, port) -> config.inbound("mixed", "to-" + out, port).route("to-" + out, out));
        sluice = SluiceProcess.start(config);
    }

    @AfterAll
    static void stop() {
        sluice.close();
    }

    @AfterEach
    void staysHealthy() {
        sluice.assertHealthy();
    }

    static Stream<String> waysOut() {
        return MIXED.keySet().stream().sorted();
    }

    static Stream<String> waysOutOfDatagrams() {
        return waysOut().filter(out -> !out.equals("http-out"));
    }

    @ParameterizedTest
    @MethodSource("waysOut")
    void i11TheClientEndsItsSideAndWaitsForTheAnswer(String out) {
        try (Origin origin = Origin.counting()) {
            for (Link link : tunnels(out, origin)) {
                try (link) {
                    link.send(Bytes.of(BYTES, 1)).finish();
                    assertThat(new String(link.readAll(), StandardCharsets.UTF_8))
                            .isEqualTo("got " + BYTES);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("waysOut")
    void i11TheServerEndsItsSideAndTheClientGoesOn(String out) throws Exception {
        for (boolean overHttp : new boolean[] {false, true}) {
            CompletableFuture<Long> got = new CompletableFuture<>();
            try (Origin origin =
                    Origin.of((socket, in, output) -> {
                        output.write("HELLO".getBytes(StandardCharsets.UTF_8));
                        socket.shutdownOutput();
                        got.complete(in.transferTo(OutputStream.nullOutputStream()));
                    })) {
                int port = MIXED.get(out);
                try (Link link =
                        overHttp
                                ? Dial.http(port, origin.port())
                                : Dial.socks5(port, origin.port())) {
                    assertThat(new String(link.readAll(), StandardCharsets.UTF_8))
                            .isEqualTo("HELLO");
                    Thread.sleep(200);
                    link.send(Bytes.of(BYTES, 2)).finish();
                    assertThat(got.get(5, TimeUnit.SECONDS)).isEqualTo(BYTES);
                }
            }
        }
    }

    /// A receive stops short at an urgent byte, also where more stands behind it: all of this comes
    /// while the process sleeps, so there is no further sign of it.
    @ParameterizedTest
    @MethodSource("waysOut")
    void whatStandsBehindAnUrgentByteIsNotLeftBehind(String out) throws Exception {
        try (Origin echo = Origin.echo();
                Link link = Dial.socks5(MIXED.get(out), echo.port())) {
            link.send("a").read(1);
            sluice.signal("STOP");
            try {
                link.send("bcd");
                link.socket().sendUrgentData('!');
                link.send("efg");
                Thread.sleep(50);
            } finally {
                sluice.signal("CONT");
            }
            assertThat(link.read(6)).isEqualTo("bcdefg".getBytes(StandardCharsets.US_ASCII));
        }
    }

    @ParameterizedTest
    @MethodSource("waysOut")
    void i11AResetIsPassedOn(String out) throws Exception {
        CompletableFuture<Link.End> ended = new CompletableFuture<>();
        try (Origin origin =
                Origin.of((_, in, output) -> {
                    output.write(1);
                    try {
                        in.transferTo(OutputStream.nullOutputStream());
                        ended.complete(Link.End.FIN);
                    } catch (IOException reset) {
                        ended.complete(Link.End.RST);
                    }
                })) {
            Link link = Dial.socks5(MIXED.get(out), origin.port());
            link.read(1);
            link.reset();
            assertThat(ended.get(5, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("waysOutOfDatagrams")
    void i05AnAnswerFromAnotherPortArrivesWithThatPort(String out) {
        try (UdpOrigin other = UdpOrigin.silent();
                UdpOrigin asked =
                        UdpOrigin.of((_, seen) -> sendFrom(other, seen.from(), seen.payload()));
                Datagrams socks = Datagrams.through(MIXED.get(out))) {
            socks.send(asked.port(), Bytes.of(20, 3));
            Datagrams.Answer answer = socks.receive();
            assertThat(answer).isNotNull();
            assertThat(answer.from()).isEqualTo(other.port());
            assertThat(answer.host()).isEqualTo("127.0.0.1");
            assertThat(answer.payload()).isEqualTo(Bytes.of(20, 3));
        }
    }

    @ParameterizedTest
    @MethodSource("waysOutOfDatagrams")
    void s09AllDatagramsOfAnAssociationLeaveFromOnePort(String out) {
        try (UdpOrigin first = UdpOrigin.echo();
                UdpOrigin second = UdpOrigin.echo();
                Datagrams socks = Datagrams.through(MIXED.get(out))) {
            for (int i = 0; i < 25; i++) {
                assertThat(socks.echoes(first.port(), 50 + i)).isTrue();
                assertThat(socks.echoes(second.port(), 50 + i)).isTrue();
            }
            List<InetSocketAddress> sources =
                    Stream.concat(first.sources().stream(), second.sources().stream())
                            .distinct()
                            .toList();
            assertThat(sources).hasSize(1);
        }
    }

    private static List<Link> tunnels(String out, Origin origin) {
        int port = MIXED.get(out);
        return List.of(Dial.socks5(port, origin.port()), Dial.http(port, origin.port()));
    }

    private static void sendFrom(UdpOrigin origin, InetSocketAddress to, byte[] payload)
            throws IOException {
        origin.socket().send(new DatagramPacket(payload, payload.length, to));
    }
}
