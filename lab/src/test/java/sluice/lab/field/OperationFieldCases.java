package sluice.lab.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.lab.run.Bytes;
import sluice.lab.run.Config;
import sluice.lab.run.Dial;
import sluice.lab.run.Link;
import sluice.lab.run.Origin;
import sluice.lab.run.Proc;
import sluice.lab.run.Scale;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.Traffic;
import sluice.lab.run.UdpOrigin;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;
import sluice.testkit.Program;

/// Starting, stopping, misspelling.
final class OperationFieldCases {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    void o04MisspeltKeysAreNamedWithTheNearestKnownOne() {
        String report =
                refused(
                        """
                        {
                          // a comment is fine, and so is a trailing comma
                          "outbound": [{"type": "direct"}],
                          "inbounds": [
                            {"type": "socks", "tag": "a", "listen": "127.0.0.1", "lisen_port": 1, "user": []},
                            {"type": "http", "tag": "b", "listen": "127.0.0.1", "listen_port": 2, "method": "x"},
                            {"type": "shadowsocks", "tag": "c", "listen": "127.0.0.1", "listen_port": 3,
                             "method": "aes-128-gcm", "password": "p", "password": "q"},
                          ],
                          "route": {"rules": [{"domain_sufix": "x", "outbound": "direct"}], "flavour": 1},
                        }
                        """);
        assertThat(report)
                .contains("\"outbounds\"")
                .contains("\"listen_port\"")
                .contains("\"users\"")
                .contains("\"domain_suffix\"")
                .contains("\"flavour\"")
                .contains("inbounds[1]")
                .containsPattern("config\\.json:8:\\d+.*twice");
    }

    @Test
    void o05EveryErrorHasAPlaceAndAllAreSaidAtOnce() {
        String report =
                refused(
                        """
                        {"inbounds": [
                          {"type": "socks", "tag": "one", "listen": "127.0.0.1", "listen_port": "443 "},
                          {"type": "socks", "tag": "one", "listen": "127.0.0.1", "listen_port": 70000},
                          {"type": "socks", "tag": "two", "listen": "127.0.0.1", "listen\u200b_port": 5}
                         ],
                         "outbounds": [{"type": "direct", "tag": "d", "detour": "nowhere"}],
                         "route": {"final": "missing"}}
                        """);
        assertThat(report)
                .containsPattern("config\\.json:2:\\d+ +inbounds\\[0\\]\\.listen_port")
                .containsPattern("config\\.json:3:\\d+ +inbounds\\[1\\]\\.listen_port")
                .containsPattern("config\\.json:3:\\d+ +inbounds\\[1\\]\\.tag")
                .containsPattern("config\\.json:4:\\d+ +inbounds\\[2\\]")
                .containsIgnoringCase("\\u200b")
                .contains("nowhere")
                .contains("missing");
    }

    @Test
    void o05FilesThatAreHardToRead() {
        String good = "{\"outbounds\": [{\"type\": \"direct\"}]}";
        byte[] bom = ("\ufeff" + good).getBytes(StandardCharsets.UTF_8);
        assertThat(SluiceProcess.check("config.json", bom).exit()).as("BOM").isZero();
        byte[] wide = good.getBytes(StandardCharsets.UTF_16);
        Program.Result utf16 = SluiceProcess.check("config.json", wide);
        assertThat(utf16.exit() == 0 || (utf16.out() + utf16.err()).contains("UTF-16"))
                .as("UTF-16 is read or named: %s", utf16)
                .isTrue();
        Program.Result tab =
                SluiceProcess.check(
                        "config.yaml",
                        "outbounds:\n\t- type: direct\n".getBytes(StandardCharsets.UTF_8));
        assertThat(tab.exit()).isEqualTo(23);
        assertThat(tab.out() + tab.err()).containsPattern("config\\.yaml:2:\\d+");
    }

    @Test
    void o05ATagInTwoFilesIsNamedInBoth(@TempDir Path folder) throws IOException {
        Path one =
                Files.writeString(
                        folder.resolve("one.json"),
                        "{\"outbounds\": [{\"type\": \"direct\", \"tag\": \"d\"}]}");
        Path two =
                Files.writeString(
                        folder.resolve("two.json"),
                        "{\"outbounds\": [\n{\"type\": \"direct\", \"tag\": \"d\"}]}");
        Program.Result result =
                SluiceProcess.command(folder, "check", "-c", one.toString(), "-c", two.toString());
        assertThat(result.exit()).isEqualTo(23);
        assertThat(result.out() + result.err()).contains("one.json:1").contains("two.json:2");
    }

    @Test
    void o09TheWildcardOfIpv6ServesBothFamilies() throws IOException {
        int socks = Ports.both();
        int forward = Ports.both();
        try (Origin echo = Origin.echo();
                UdpOrigin udp = UdpOrigin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .listenOn("::")
                                        .inbound("socks", "in", socks)
                                        .forward("forward", forward, udp.port())
                                        .outbound("direct", "direct", "")
                                        .rule(
                                                "'source_ip_cidr': '::/0', 'inbound': 'in', 'action': 'reject'"))) {
            try (Link four = Link.to("127.0.0.1", socks)) {
                assertThat(Dial.socks5Reply(four, "127.0.0.1", echo.port(), null, ""))
                        .as("a client over IPv4 is one of IPv4")
                        .isZero();
            }
            try (Link six = Link.to("::1", socks)) {
                assertThat(Dial.socks5Reply(six, "127.0.0.1", echo.port(), null, "")).isEqualTo(2);
            }
            assertThat(datagramEchoes("127.0.0.1", forward)).isTrue();
            assertThat(datagramEchoes("::1", forward)).isTrue();
            assertThat(sluice.log()).doesNotContain("::ffff:");
            sluice.assertHealthy();
        }
    }

    @Test
    void o09BothWildcardsOnOnePort() {
        int port = Ports.both();
        try (Origin echo = Origin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .listenOn("0.0.0.0")
                                        .inbound("socks", "four", port)
                                        .listenOn("::")
                                        .inbound("socks", "six", port))) {
            for (String address : List.of("127.0.0.1", "::1")) {
                try (Link link = Link.to(address, port)) {
                    assertThat(Dial.socks5Reply(link, "127.0.0.1", echo.port(), null, "")).isZero();
                }
            }
            sluice.assertHealthy();
        }
    }

    @Test
    void o10NeitherHomeNorTemporaryFolderIsNeeded() {
        int port = Ports.both();
        List<String> bare =
                List.of(
                        "env",
                        "-i",
                        "PATH=/usr/bin:/bin",
                        "HOME=/nonexistent",
                        "TMPDIR=/nonexistent");
        try (Origin echo = Origin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(new Config().inbound("socks", "in", port), bare)) {
            try (Link link = Dial.socks5(port, echo.port())) {
                Traffic.assertEchoes(link, 10_000);
            }
            sluice.assertHealthy();
        }
    }

    @Test
    void o12ASecondInstanceSaysWhoHoldsThePort() {
        int port = Ports.both();
        Config config = new Config().inbound("socks", "in", port);
        try (SluiceProcess first = SluiceProcess.start(config)) {
            first.signal("STOP");
            try (SluiceProcess second = SluiceProcess.launch(config, List.of())) {
                assertThat(second.awaitEnd(LIMIT)).isNotZero();
                assertThat(second.log())
                        .contains("inbound in at " + second.home().resolve("config.json") + ":")
                        .contains("cannot listen on tcp 127.0.0.1:" + port + ": EADDRINUSE")
                        .contains("mend: ")
                        .doesNotContain("\tat ");
            } finally {
                first.signal("CONT");
            }
            assertThat(first.isAlive()).isTrue();
        }
    }

    @Test
    void o12AnInterfaceThatIsNotThereIsNamed() {
        int port = Ports.both();
        Config config = new Config().inbound("socks", "in", port, "'bind_interface': 'nowhere0'");
        try (SluiceProcess sluice = SluiceProcess.launch(config, List.of())) {
            assertThat(sluice.awaitEnd(LIMIT)).isEqualTo(1);
            assertThat(sluice.log())
                    .contains("there is no interface nowhere0, ENODEV")
                    .contains("mend: correct \"bind_interface\"");
        }
    }

    @Test
    void o13TheDefaultsFitASmallMachine() throws Exception {
        int connections = 300;
        int bytes = Scale.of(200_000, 1_000_000);
        int port = Ports.both();
        int server = Ports.both();
        String secret = "'method': 'aes-256-gcm', 'password': 'p'";
        try (Origin echo = Origin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .inbound("socks", "in", port)
                                        .inbound("shadowsocks", "server", server, secret)
                                        .outbound("direct", "direct", "")
                                        .outbound("shadowsocks", "out", server, secret)
                                        .route("in", "out"))) {
            List<Thread> clients = new ArrayList<>();
            List<Throwable> failures = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                clients.add(
                        Thread.ofVirtual()
                                .unstarted(() -> {
                                    try (Link link = Dial.socks5(port, echo.port())) {
                                        Traffic.assertEchoes(link, bytes);
                                    } catch (Throwable failure) {
                                        synchronized (failures) {
                                            failures.add(failure);
                                        }
                                    }
                                }));
            }
            clients.forEach(Thread::start);
            long peak = 0;
            for (Thread client : clients) {
                while (!client.join(Duration.ofMillis(50))) {
                    peak = Math.max(peak, Proc.rssKib(sluice.pid()));
                }
            }
            assertThat(failures).isEmpty();
            assertThat(peak).as("KiB at the peak").isLessThan(256 << 10);
            sluice.assertHealthy();
        }
    }

    @Test
    void o14StoppingTakesTheStatedTimeAndThePortIsFreeAtOnce() {
        int port = Ports.both();
        Config config = new Config().inbound("socks", "in", port).more("'sluice': {'drain': '1s'}");
        List<Link> tunnels = new ArrayList<>();
        try (Origin echo = Origin.echo();
                SluiceProcess sluice = SluiceProcess.start(config)) {
            for (int i = 0; i < Scale.of(100, 500); i++) {
                tunnels.add(Dial.socks5(port, echo.port()));
            }
            tunnels.add(stuck(port));
            long start = System.nanoTime();
            sluice.signal("TERM");
            exchange(tunnels.getFirst(), "drained");
            assertThat(sluice.awaitEnd(LIMIT)).isZero();
            assertThat(System.nanoTime() - start).isBetween(900_000_000L, 4_000_000_000L);
            try (SluiceProcess next = SluiceProcess.start(config);
                    Link link = Dial.socks5(port, echo.port())) {
                exchange(link, "next");
                next.assertHealthy();
            }
        } finally {
            tunnels.forEach(Link::close);
        }
    }

    @Test
    void o14WithoutFlowsItStopsAtOnce() {
        try (SluiceProcess sluice =
                SluiceProcess.start(new Config().inbound("socks", "in", Ports.both()))) {
            long start = System.nanoTime();
            sluice.signal("TERM");
            assertThat(sluice.awaitEnd(LIMIT)).isZero();
            assertThat(System.nanoTime() - start).isLessThan(2_000_000_000L);
        }
    }

    @Test
    void o14ASecondSignalEndsTheWait() {
        int port = Ports.both();
        Config config =
                new Config().inbound("socks", "in", port).more("'sluice': {'drain': '60s'}");
        try (Origin echo = Origin.echo();
                SluiceProcess sluice = SluiceProcess.start(config);
                Link link = Dial.socks5(port, echo.port())) {
            sluice.signal("TERM");
            exchange(link, "still there");
            sluice.signal("TERM");
            assertThat(sluice.awaitEnd(LIMIT)).isZero();
        }
    }

    @Test
    void o14ASignalDuringTheStartStopsItToo() throws InterruptedException {
        try (SluiceProcess sluice =
                SluiceProcess.launch(
                        new Config().inbound("socks", "in", Ports.both()), List.of())) {
            Thread.sleep(100);
            sluice.signal("TERM");
            sluice.awaitEnd(LIMIT);
            assertThat(sluice.log()).doesNotContain("\tat ");
        }
    }

    /// As the launcher starts it: HUP is ignored until the program takes it.
    @Test
    void o14AHangupDuringTheStartEndsNothing() throws InterruptedException {
        List<String> ignoring = List.of("sh", "-c", "trap '' HUP; exec \"$@\"", "sh");
        try (SluiceProcess sluice =
                SluiceProcess.launch(new Config().inbound("socks", "in", Ports.both()), ignoring)) {
            // Not before the shell has had its say.
            Thread.sleep(50);
            for (int i = 0; i < 20; i++) {
                sluice.signal("HUP");
                Thread.sleep(10);
            }
            sluice.awaitPorts();
            assertThat(sluice.log()).contains("configuration " + sluice.home());
            assertReloads(sluice);
        }
    }

    @Test
    void o14AHangupReloadsUnderNohup() {
        try (SluiceProcess sluice =
                SluiceProcess.start(
                        new Config().inbound("socks", "in", Ports.both()), List.of("nohup"))) {
            assertReloads(sluice);
        }
    }

    private static void assertReloads(SluiceProcess sluice) {
        Eventually.await(LIMIT, () -> "its start", () -> sluice.log().contains("started"));
        long before = reloads(sluice);
        sluice.signal("HUP");
        Eventually.await(LIMIT, () -> "a reload of " + sluice, () -> reloads(sluice) > before);
        sluice.assertHealthy();
    }

    private static long reloads(SluiceProcess sluice) {
        return sluice.log().lines().filter(line -> line.endsWith(" server: reloaded")).count();
    }

    /// A tunnel whose dial hangs: the target's queue is full.
    private static Link stuck(int port) {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 3; i++) {
                Link.to(port)
                        .sendHex(
                                "050100"
                                        + "050100017f000001"
                                        + "%04x".formatted(full.getLocalPort()));
            }
            return Link.to(port)
                    .sendHex("050100" + "050100017f000001" + "%04x".formatted(full.getLocalPort()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean datagramEchoes(String host, int port) throws IOException {
        byte[] payload = Bytes.of(50, port);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(3_000);
            InetAddress address = InetAddress.getByName(host);
            socket.connect(address, port);
            socket.send(new DatagramPacket(payload, payload.length, address, port));
            DatagramPacket packet = new DatagramPacket(new byte[1_500], 1_500);
            socket.receive(packet);
            return Arrays.equals(payload, Arrays.copyOf(packet.getData(), packet.getLength()));
        }
    }

    private static void exchange(Link link, String text) {
        link.send(text);
        assertThat(new String(link.read(text.length()))).isEqualTo(text);
    }

    private static String refused(String text) {
        Program.Result result =
                SluiceProcess.check("config.json", text.getBytes(StandardCharsets.UTF_8));
        assertThat(result.exit()).as(result.toString()).isEqualTo(23);
        return result.out() + result.err();
    }
}
