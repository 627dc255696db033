package sluice.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
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
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.UdpOrigin;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;

/// Connections that end in every way leave no socket, no memory and no thread behind.
final class LeakTest {
    private static final int CONNECTIONS = Integer.getInteger("soak.connections", 5_000);
    private static final int AT_ONCE = 100;
    private static final String SECRET =
            "'method': '2022-blake3-aes-128-gcm', 'password': 'AAECAwQFBgcICQoLDA0ODw=='";
    private static final String LIMITS = "'handshake_timeout': '1s', 'udp_timeout': '1s'";

    private static final int MIXED = Ports.both();
    private static final int SHADOWED = Ports.both();
    private static final int CHAINED = Ports.both();
    private static final int SERVER = Ports.both();
    private static final int SOCKS = Ports.both();
    private static final int HTTP = Ports.both();
    private static final int NOBODY = Ports.tcp();

    private static Origin echo;
    private static Origin resetting;
    private static UdpOrigin udp;
    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        echo = Origin.echo();
        udp = UdpOrigin.echo();
        resetting =
                Origin.of((socket, in, out) -> {
                    in.read();
                    out.write(1);
                    socket.setSoLinger(true, 0);
                });
        sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("mixed", "mixed", MIXED, LIMITS)
                                .inbound("mixed", "shadowed", SHADOWED, LIMITS)
                                .inbound("mixed", "chained", CHAINED, LIMITS)
                                .inbound("shadowsocks", "server", SERVER, SECRET + ", " + LIMITS)
                                .inbound("socks", "socks", SOCKS, LIMITS)
                                .inbound("http", "http", HTTP, LIMITS)
                                .outbound("direct", "direct", "")
                                .outbound("shadowsocks", "shadow", SERVER, SECRET)
                                .outbound("http", "http-out", HTTP, "")
                                .outbound("socks", "socks-out", SOCKS, "'detour': 'http-out'")
                                .route("shadowed", "shadow")
                                .route("chained", "socks-out"));
    }

    @AfterAll
    static void stop() {
        sluice.close();
        echo.close();
        resetting.close();
        udp.close();
    }

    /// The ways to end, one after the other.
    private enum Way {
        CLIENT_FIN,
        CLIENT_RST,
        SERVER_RST,
        HALF_CLOSE,
        REFUSED,
        GARBAGE,
        SILENCE,
        GONE_IN_HANDSHAKE,
        GONE_IN_DIAL,
        DATAGRAMS
    }

    @Test
    void connectionsThatEndInEveryWayLeaveNothing() throws InterruptedException {
        run(Math.max(500, CONNECTIONS / 10));
        settle();
        int sockets = Proc.sockets(sluice.pid());
        int descriptors = Proc.descriptors(sluice.pid());
        long threads = Proc.threads(sluice.pid());
        long rss = Proc.rssKib(sluice.pid());

        run(CONNECTIONS);
        Eventually.await(
                Duration.ofSeconds(15),
                () -> sockets + " sockets, not " + Proc.sockets(sluice.pid()),
                () -> Proc.sockets(sluice.pid()) <= sockets);
        // Idle pipes of the splice pool may stay; it is bounded.
        assertThat(Proc.descriptors(sluice.pid())).isLessThanOrEqualTo(descriptors + 128);
        assertThat(Proc.threads(sluice.pid())).isLessThanOrEqualTo(threads + 2);
        assertThat(Proc.rssKib(sluice.pid()))
                .as("KiB, before %d", rss)
                .isLessThan(rss * 120 / 100 + 16_000);
        for (int port : new int[] {MIXED, SHADOWED, CHAINED}) {
            assertThat(Proc.countLocal(Proc.TcpState.ESTABLISHED, port)).isZero();
            assertThat(Proc.countLocal(Proc.TcpState.CLOSE_WAIT, port)).isZero();
            try (Link link = Dial.socks5(port, echo.port())) {
                assertThat(link.send("alive").readHex(5)).isEqualTo("616c697665");
            }
        }
        sluice.assertHealthy();
    }

    private static void run(int connections) throws InterruptedException {
        Semaphore room = new Semaphore(AT_ONCE);
        AtomicInteger unexpected = new AtomicInteger();
        int[] ports = {MIXED, SHADOWED, CHAINED};
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            int number = i;
            room.acquire();
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    end(
                                            Way.values()[number % Way.values().length],
                                            ports[number / Way.values().length % 3],
                                            number);
                                } catch (UncheckedIOException | AssertionError cut) {
                                    unexpected.incrementAndGet();
                                } finally {
                                    room.release();
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(unexpected.get())
                .as("connections cut otherwise")
                .isLessThan(connections / 100 + 2);
    }

    private static void end(Way way, int port, int seed) {
        switch (way) {
            case CLIENT_FIN -> {
                try (Link link = Dial.socks5(port, echo.port())) {
                    link.send(Bytes.of(3_000, seed)).read(3_000);
                }
            }
            case CLIENT_RST -> {
                Link link = Dial.http(port, echo.port());
                link.send(Bytes.of(3_000, seed)).read(1);
                link.reset();
            }
            case SERVER_RST -> {
                try (Link link = Dial.socks5(port, resetting.port())) {
                    link.send("x").readEnding(10_000);
                }
            }
            case HALF_CLOSE -> {
                try (Link link = Dial.socks5(port, echo.port())) {
                    link.send(Bytes.of(3_000, seed)).finish().readAll();
                }
            }
            case REFUSED -> {
                try (Link link = Link.to(port)) {
                    Dial.socks5Reply(link, "127.0.0.1", NOBODY, null, "");
                }
            }
            case GARBAGE -> {
                try (Link link = Link.to(seed % 3 == 0 ? SERVER : port)) {
                    link.send(Bytes.of(100, seed)).finish().readEnding(10_000);
                }
            }
            case SILENCE -> {
                try (Link link = Link.to(seed % 2 == 0 ? SERVER : port)) {
                    link.readEnding(10_000);
                }
            }
            case GONE_IN_HANDSHAKE -> Link.to(port).sendHex("050100").reset();
            case GONE_IN_DIAL -> Link.to(port).sendHex("050100" + "05010001c000020109c4").reset();
            case DATAGRAMS -> {
                try (Datagrams socks = Datagrams.through(port == CHAINED ? MIXED : port)) {
                    socks.echoes(udp.port(), 100);
                }
            }
        }
    }

    private static void settle() throws InterruptedException {
        Thread.sleep(7_000);
    }
}
