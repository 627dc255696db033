package sluice.lab.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.run.Bytes;
import sluice.lab.run.Config;
import sluice.lab.run.Curl;
import sluice.lab.run.Dial;
import sluice.lab.run.Link;
import sluice.lab.run.Origin;
import sluice.lab.run.Proc;
import sluice.lab.run.Scale;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.UdpOrigin;
import sluice.testkit.Eventually;
import sluice.testkit.Peers;
import sluice.testkit.Ports;

/// Memory, processor time, files: what strangers and crowds may use up.
final class LimitFieldCases {
    private static final String SECRET =
            "'method': '2022-blake3-aes-128-gcm', 'password': 'AAECAwQFBgcICQoLDA0ODw=='";

    @Test
    void m02TheFileLimitIsReachedAndNothingSpins() throws InterruptedException {
        int port = Ports.both();
        List<String> few = List.of(Peers.require("prlimit").toString(), "--nofile=160:160", "--");
        try (Origin origin = Origin.http();
                SluiceProcess sluice =
                        SluiceProcess.start(new Config().inbound("socks", "in", port), few)) {
            List<Link> clients = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                clients.add(Link.to(port).sendHex("05"));
            }
            Thread.sleep(500);
            double before = Proc.cpuSeconds(sluice.pid());
            int lines = sluice.log().split("\n", -1).length;
            Thread.sleep(2_000);
            assertThat(Proc.cpuSeconds(sluice.pid()) - before)
                    .as("processor seconds in 2 s")
                    .isLessThan(0.3);
            assertThat(sluice.log().split("\n", -1).length - lines)
                    .as("log lines in 2 s")
                    .isLessThan(10);
            clients.forEach(Link::close);
            Eventually.await(
                    Duration.ofSeconds(5),
                    () ->
                            Curl.run(
                                                    "--socks5",
                                                    "127.0.0.1:" + port,
                                                    "http://127.0.0.1:" + origin.port() + "/")
                                            .status()
                                    == 200);
            sluice.assertHealthy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "shadow"})
    void m03ManyDatagramFlowsLeaveNothing(String out) throws Exception {
        int flows = Scale.of(2_000, 200_000);
        int port = Ports.both();
        int server = Ports.both();
        try (UdpOrigin silent = UdpOrigin.silent();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .inbound(
                                                "direct",
                                                "in",
                                                port,
                                                "'override_address': '127.0.0.1', 'override_port': %d, 'udp_timeout': '1s'"
                                                        .formatted(silent.port()))
                                        .inbound(
                                                "shadowsocks",
                                                "server",
                                                server,
                                                SECRET + ", 'udp_timeout': '1s'")
                                        .outbound("direct", "direct", "")
                                        .outbound("shadowsocks", "shadow", server, SECRET)
                                        .route("in", out))) {
            sendFlows(port, 200);
            awaitSockets(sluice, Proc.sockets(sluice.pid()), 0);
            Thread.sleep(1_500);
            int sockets = Proc.sockets(sluice.pid());
            long threads = Proc.threads(sluice.pid());
            long rss = Proc.rssKib(sluice.pid());
            sendFlows(port, flows);
            int least = flows * 2 / 3;
            Eventually.await(
                    Duration.ofSeconds(3),
                    () -> least + " datagrams, not " + silent.seen().size(),
                    () -> silent.seen().size() > least);
            awaitSockets(sluice, sockets, 5);
            assertThat(Proc.threads(sluice.pid())).isLessThanOrEqualTo(threads + 2);
            assertThat(Proc.rssKib(sluice.pid())).isLessThan(rss * 12 / 10 + 40_000);
            sluice.assertHealthy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "05", "0501", "474554202f", "04", "00"})
    void m04WhoStartsAHandshakeAndVanishesIsForgotten(String begun) {
        int clients = Scale.of(50, 2_000);
        int socks = Ports.both();
        int http = Ports.tcp();
        int mixed = Ports.both();
        int shadow = Ports.both();
        String limit = "'handshake_timeout': '1s'";
        try (SluiceProcess sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("socks", "socks", socks, limit)
                                .inbound("http", "http", http, limit)
                                .inbound("mixed", "mixed", mixed, limit)
                                .inbound("shadowsocks", "shadow", shadow, SECRET + ", " + limit))) {
            int before = Proc.descriptors(sluice.pid());
            List<Link> links = new ArrayList<>();
            int[] ports = {socks, http, mixed, shadow};
            for (int port : ports) {
                for (int i = 0; i < clients; i++) {
                    links.add(Link.to(port).sendHex(begun));
                }
            }
            Eventually.await(
                    Duration.ofSeconds(6),
                    () -> "the handshakes to end, of " + sluice,
                    () -> established(ports) == 0 && Proc.descriptors(sluice.pid()) <= before + 4);
            links.forEach(Link::close);
            sluice.assertHealthy();
        }
    }

    @Test
    void m04OneAddressMayHaveSoManyUnfinishedHandshakes() {
        int port = Ports.both();
        try (Origin echo = Origin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .inbound("socks", "in", port)
                                        .more(
                                                "'sluice': {'limits': {'handshakes_per_address': 10}}"))) {
            List<Link> waiting = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                waiting.add(Link.to(port).sendHex("05"));
            }
            Eventually.await(
                    Duration.ofSeconds(2),
                    () -> Proc.countLocal(Proc.TcpState.ESTABLISHED, port) >= 10);
            assertThat(isServed(port, echo)).as("one too many").isFalse();
            waiting.forEach(Link::close);
            Eventually.await(Duration.ofSeconds(3), () -> isServed(port, echo));
            sluice.assertHealthy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "shadow"})
    void m06AClientsEndIsPassedOnAndNothingPilesUp(String out) {
        int clients = Scale.of(200, 1_000);
        int port = Ports.both();
        int server = Ports.both();
        AtomicInteger ends = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        try (Origin keeps =
                        Origin.of((_, in, _) -> {
                            in.transferTo(OutputStream.nullOutputStream());
                            ends.incrementAndGet();
                            await(release);
                        });
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .inbound("mixed", "in", port)
                                        .inbound("shadowsocks", "server", server, SECRET)
                                        .outbound("direct", "direct", "")
                                        .outbound("shadowsocks", "shadow", server, SECRET)
                                        .route("in", out))) {
            int before = Proc.descriptors(sluice.pid());
            for (int i = 0; i < clients; i++) {
                Dial.socks5(port, keeps.port()).send("x").close();
            }
            Eventually.await(
                    Duration.ofSeconds(5),
                    () -> clients + " ends at the target, not " + ends.get(),
                    () -> ends.get() == clients);
            release.countDown();
            Eventually.await(
                    Duration.ofSeconds(5),
                    () -> "few descriptors, not " + Proc.descriptors(sluice.pid()),
                    () -> Proc.descriptors(sluice.pid()) <= before + 40);
            Eventually.await(
                    Duration.ofSeconds(5),
                    () -> Proc.countLocal(Proc.TcpState.CLOSE_WAIT, port) == 0);
            Eventually.await(
                    Duration.ofSeconds(5),
                    () -> Proc.countRemote(Proc.TcpState.CLOSE_WAIT, keeps.port()) == 0);
            sluice.assertHealthy();
        } finally {
            release.countDown();
        }
    }

    @Test
    void m09BadHandshakesDoNotFloodTheLog() {
        int probes = Scale.of(2_000, 200_000);
        int port = Ports.both();
        int shadow = Ports.both();
        try (SluiceProcess sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("socks", "in", port)
                                .inbound("shadowsocks", "shadow", shadow, SECRET))) {
            for (int i = 0; i < probes; i++) {
                Link.to(i % 2 == 0 ? port : shadow).send(Bytes.of(60, i)).reset();
            }
            assertThat(sluice.log().length()).as("bytes of log").isLessThan(100_000);
            sluice.assertHealthy();
        }
    }

    @Test
    void m09ABlockedLogDoesNotStopTraffic() {
        int port = Ports.both();
        List<String> nobodyReads = List.of("sh", "-c", "\"$@\" 2>&1 | sleep 40", "sh");
        try (Origin origin = Origin.http();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config().inbound("http", "in", port).logLevel("trace"),
                                nobodyReads)) {
            for (int i = 0; i < 1_500; i++) {
                try (Link link = Link.to(port)) {
                    link.send(
                            "GET http://127.0.0.1:"
                                    + origin.port()
                                    + "/ HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertThat(link.readHead()).startsWith("HTTP/1.1 200");
                }
            }
            assertThat(sluice.isAlive()).isTrue();
        }
    }

    @Test
    void m10MemoryComesBackAfterAPeak() throws Exception {
        int connections = Scale.of(300, 2_000);
        int rounds = Scale.of(5, 20);
        int port = Ports.both();
        int server = Ports.both();
        try (Origin echo = Origin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .inbound("mixed", "in", port)
                                        .inbound("shadowsocks", "server", server, SECRET)
                                        .outbound("direct", "direct", "")
                                        .outbound("shadowsocks", "shadow", server, SECRET)
                                        .route("in", "shadow"))) {
            long first = 0;
            for (int round = 0; round < rounds; round++) {
                List<Link> links = new ArrayList<>();
                for (int i = 0; i < connections; i++) {
                    Link link = Dial.socks5(port, echo.port());
                    link.send(Bytes.of(20_000, i));
                    links.add(link);
                }
                for (Link link : links) {
                    link.read(20_000);
                    link.close();
                }
                Thread.sleep(1_000);
                long rss = Proc.rssKib(sluice.pid());
                if (round == 1) {
                    first = rss;
                }
                if (round > 1) {
                    assertThat(rss)
                            .as("KiB after round %d", round)
                            .isLessThan(first * 115 / 100 + 8_000);
                }
            }
            sluice.assertHealthy();
        }
    }

    @Test
    void m11AStormOfConnectionsIsAnsweredWhileADownloadRuns() throws Exception {
        int connects = Scale.of(400, 2_000);
        int port = Ports.both();
        int closed = Ports.tcp();
        AtomicLong downloaded = new AtomicLong();
        try (Origin zeros =
                        Origin.of((_, _, out) -> {
                            byte[] block = new byte[65_536];
                            while (true) {
                                out.write(block);
                            }
                        });
                Origin origin = Origin.http();
                SluiceProcess sluice =
                        SluiceProcess.start(new Config().inbound("mixed", "in", port))) {
            Link download = Dial.socks5(port, zeros.port());
            Thread reader = Thread.ofVirtual().start(() -> count(download, downloaded));
            Thread.sleep(500);
            AtomicInteger served = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            List<Thread> clients = new ArrayList<>();
            long before = downloaded.get();
            for (int i = 0; i < connects; i++) {
                boolean dead = i % 2 == 1;
                clients.add(
                        Thread.ofVirtual()
                                .start(() -> {
                                    try (Link link = Link.to(port)) {
                                        int reply =
                                                Dial.socks5Reply(
                                                        link,
                                                        "127.0.0.1",
                                                        dead ? closed : origin.port(),
                                                        null,
                                                        "");
                                        (reply == 0 ? served : refused).incrementAndGet();
                                    }
                                }));
            }
            for (Thread client : clients) {
                client.join(Duration.ofSeconds(15));
            }
            assertThat(served.get()).isEqualTo(connects / 2);
            assertThat(refused.get()).isEqualTo(connects / 2);
            assertThat(downloaded.get())
                    .as("the download went on")
                    .isGreaterThan(before + 1_000_000);
            download.close();
            reader.join();
            sluice.assertHealthy();
        }
    }

    private static int established(int[] ports) {
        return Arrays.stream(ports)
                .map(port -> Proc.countLocal(Proc.TcpState.ESTABLISHED, port))
                .sum();
    }

    private static boolean isServed(int port, Origin echo) {
        try (Link link = Link.to(port)) {
            return Dial.socks5Reply(link, "127.0.0.1", echo.port(), null, "") == 0;
        } catch (UncheckedIOException refused) {
            return false;
        }
    }

    private static void count(Link download, AtomicLong total) {
        byte[] block = new byte[65_536];
        try {
            for (int n = download.socket().getInputStream().read(block);
                    n >= 0;
                    n = download.socket().getInputStream().read(block)) {
                total.addAndGet(n);
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    /// Each flow is one socket with one datagram; slow enough for a receive buffer of the usual
    /// size.
    private static void sendFlows(int port, int flows) throws Exception {
        byte[] payload = "flow".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < flows; i++) {
            try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                socket.send(
                        new DatagramPacket(
                                payload, payload.length, InetAddress.getLoopbackAddress(), port));
            }
            if (i % 50 == 0) {
                Thread.sleep(5);
            }
        }
    }

    private static void awaitSockets(SluiceProcess sluice, int most, int slack) {
        Eventually.await(
                Duration.ofSeconds(8),
                () -> most + " sockets or fewer, not " + Proc.sockets(sluice.pid()),
                () -> Proc.sockets(sluice.pid()) <= most + slack);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
