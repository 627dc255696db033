package sluice.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import sluice.lab.run.Bytes;
import sluice.lab.run.Config;
import sluice.lab.run.Datagrams;
import sluice.lab.run.Dial;
import sluice.lab.run.Link;
import sluice.lab.run.Origin;
import sluice.lab.run.Proc;
import sluice.lab.run.Recorder;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.UdpOrigin;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;

/// Garbage, cut, oversized, slow and replayed bytes on every port: the process serves on, and its
/// memory comes back.
final class GarbageTest {
    private static final int PROBES = Integer.getInteger("soak.garbage", 5_000);
    private static final int AT_ONCE = 200;

    /// Spoiled names are looked up by as many threads at once, which stay for some seconds.
    private static final int RESOLVER_THREADS = 32;

    private static final String KEY_2022 =
            "'method': '2022-blake3-aes-128-gcm', 'password': 'AAECAwQFBgcICQoLDA0ODw=='";
    private static final String KEY_AEAD = "'method': 'aes-128-gcm', 'password': 'x'";
    private static final String LIMIT = ", 'handshake_timeout': '1s', 'udp_timeout': '1s'";

    private static final int SOCKS = Ports.both();
    private static final int HTTP = Ports.both();
    private static final int MIXED = Ports.both();
    private static final int SHADOW = Ports.both();
    private static final int SHADOW_2022 = Ports.both();
    private static final int TO_SHADOW = Ports.both();
    private static final int TO_SHADOW_2022 = Ports.both();
    private static final int PROXIED = Ports.both();

    private static Origin echo;
    private static UdpOrigin udp;
    private static Recorder recorder;
    private static Recorder recorder2022;
    private static SluiceProcess sluice;

    /// What an honest client sends to each port; the tests spoil it.
    private static final List<byte[]> HONEST = new ArrayList<>();

    @BeforeAll
    static void start() {
        echo = Origin.echo();
        udp = UdpOrigin.echo();
        recorder = new Recorder(SHADOW);
        recorder2022 = new Recorder(SHADOW_2022);
        String none = LIMIT.substring(2);
        sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("socks", "socks", SOCKS, none)
                                .inbound("http", "http", HTTP, none)
                                .inbound("mixed", "mixed", MIXED, none)
                                .inbound("shadowsocks", "shadow", SHADOW, KEY_AEAD + LIMIT)
                                .inbound("shadowsocks", "2022", SHADOW_2022, KEY_2022 + LIMIT)
                                .inbound(
                                        "socks",
                                        "proxied",
                                        PROXIED,
                                        "'proxy_protocol': true" + LIMIT)
                                .inbound("mixed", "to-shadow", TO_SHADOW, none)
                                .inbound("mixed", "to-2022", TO_SHADOW_2022, none)
                                .outbound("direct", "direct", "")
                                .outbound("shadowsocks", "out", recorder.port(), KEY_AEAD)
                                .outbound("shadowsocks", "out-2022", recorder2022.port(), KEY_2022)
                                .route("to-shadow", "out")
                                .route("to-2022", "out-2022"));
        collectHonest();
    }

    @AfterAll
    static void stop() {
        sluice.close();
        recorder.close();
        recorder2022.close();
        echo.close();
        udp.close();
    }

    @Test
    void spoiledStreamsDoNotHurt() throws InterruptedException {
        probe(Math.max(1_500, PROBES / 5), 1);
        Thread.sleep(2_500);
        int sockets = Proc.sockets(sluice.pid());
        long threads = Proc.threads(sluice.pid());
        long rss = Proc.rssKib(sluice.pid());
        probe(PROBES, 2);
        Eventually.await(
                Duration.ofSeconds(10),
                () -> sockets + " sockets, not " + Proc.sockets(sluice.pid()),
                () -> Proc.sockets(sluice.pid()) <= sockets);
        assertThat(Proc.threads(sluice.pid())).isLessThanOrEqualTo(threads + RESOLVER_THREADS + 2);
        long most = rss * 125 / 100 + 24_000;
        Eventually.await(
                Duration.ofSeconds(30),
                () -> most + " KiB or less, not " + Proc.rssKib(sluice.pid()),
                () -> Proc.rssKib(sluice.pid()) <= most);
        servesOn();
        assertThat(sluice.log().length()).as("bytes of log").isLessThan(200_000);
    }

    @Test
    void spoiledDatagramsDoNotHurt() throws IOException {
        Random random = new Random(3);
        int[] ports = {SHADOW, SHADOW_2022};
        try (DatagramSocket socket = Datagrams.open();
                Datagrams socks = Datagrams.through(SOCKS)) {
            for (int i = 0; i < PROBES; i++) {
                byte[] bytes =
                        Bytes.of(
                                random.nextInt(8) == 0
                                        ? random.nextInt(9_000)
                                        : random.nextInt(200),
                                i);
                socket.send(
                        new DatagramPacket(
                                bytes,
                                bytes.length,
                                InetAddress.getLoopbackAddress(),
                                ports[i % ports.length]));
                if (i % 3 == 0) {
                    if (bytes.length > 3) {
                        bytes[2] &= 1;
                    }
                    socks.sendRaw(socks.socket(), bytes);
                }
            }
        }
        servesOn();
    }

    private static void servesOn() {
        sluice.assertHealthy();
        for (int port : new int[] {SOCKS, MIXED, TO_SHADOW, TO_SHADOW_2022}) {
            try (Link link = Dial.socks5(port, echo.port())) {
                assertThat(link.send("alive").readHex(5)).isEqualTo("616c697665");
            }
        }
        try (Link link = Dial.http(HTTP, echo.port())) {
            assertThat(link.send("alive").readHex(5)).isEqualTo("616c697665");
        }
        try (Datagrams socks = Datagrams.through(SOCKS)) {
            assertThat(socks.echoes(udp.port(), 100)).isTrue();
        }
    }

    private static void probe(int probes, int seed) throws InterruptedException {
        Semaphore room = new Semaphore(AT_ONCE);
        int[] ports = {SOCKS, HTTP, MIXED, SHADOW, SHADOW_2022, PROXIED};
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < probes; i++) {
            Random random = new Random(seed * 1_000_003L + i);
            int port = ports[i % ports.length];
            room.acquire();
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                try (Link link = Link.to(port)) {
                                    spoil(link, random);
                                } catch (UncheckedIOException | InterruptedException cut) {
                                    // Being cut off is what these clients deserve.
                                } finally {
                                    room.release();
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void spoil(Link link, Random random) throws InterruptedException {
        byte[] honest = HONEST.get(random.nextInt(HONEST.size()));
        switch (random.nextInt(7)) {
            case 0 -> link.send(Bytes.of(random.nextInt(2_000), random.nextLong()));
            case 1 -> link.send(Arrays.copyOf(honest, random.nextInt(honest.length)));
            case 2 -> {
                byte[] flipped = honest.clone();
                flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
                link.send(flipped);
            }
            case 3 -> link.send(Bytes.of(150_000, random.nextLong()));
            case 4 -> {
                for (int i = 0; i < Math.min(8, honest.length); i++) {
                    link.send(new byte[] {honest[i]});
                    Thread.sleep(10);
                }
            }
            case 5 -> link.send(honest).send(Bytes.of(random.nextInt(500), random.nextLong()));
            default -> link.send(new byte[random.nextInt(300)]);
        }
        switch (random.nextInt(3)) {
            case 0 -> link.reset();
            case 1 -> link.finish().readEnding(200);
            default -> link.readEnding(50);
        }
    }

    private static void collectHonest() {
        for (int port : new int[] {TO_SHADOW, TO_SHADOW_2022}) {
            try (Link link = Dial.socks5(port, echo.port())) {
                link.send("honest payload").read(14);
            }
        }
        HONEST.add(recorder.sent().getFirst());
        HONEST.add(recorder2022.sent().getFirst());
        String target = "127.0.0.1:" + echo.port();
        HONEST.add(
                ("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\nhello")
                        .getBytes(StandardCharsets.UTF_8));
        HONEST.add(
                ("GET http://" + target + "/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
                        .getBytes(StandardCharsets.UTF_8));
        HONEST.add(HexFormat.of().parseHex("050100050100017f0000010050"));
        HONEST.add(HexFormat.of().parseHex("040100507f0000010061626300"));
        HONEST.add(HexFormat.of().parseHex("0502000205010003096c6f63616c686f73740050"));
        HONEST.add("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n".getBytes(StandardCharsets.UTF_8));
        HONEST.add(
                HexFormat.of()
                        .parseHex(
                                "0d0a0d0a000d0a515549540a2111000cc0000201c000020200010002050100"));
    }
}
