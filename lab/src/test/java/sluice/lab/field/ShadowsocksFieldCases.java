package sluice.lab.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.run.Bytes;
import sluice.lab.run.Config;
import sluice.lab.run.Datagrams;
import sluice.lab.run.Dial;
import sluice.lab.run.Link;
import sluice.lab.run.Mangler;
import sluice.lab.run.Origin;
import sluice.lab.run.Recorder;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.Traffic;
import sluice.lab.run.UdpOrigin;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;
import sluice.testkit.Program;

/// Shadowsocks, where it went wrong elsewhere.
final class ShadowsocksFieldCases {
    private static final String AES_128 = "2022-blake3-aes-128-gcm";
    private static final String AES_256 = "2022-blake3-aes-256-gcm";
    private static final String CHACHA = "2022-blake3-chacha20-poly1305";

    @Test
    void s02KeysOfWrongLengthOrForm() {
        List<String> bad = new ArrayList<>();
        List<Integer> needed = new ArrayList<>();
        for (String method : List.of(AES_128, AES_256, CHACHA)) {
            int right = method.equals(AES_128) ? 16 : 32;
            for (String key :
                    List.of(
                            "correct horse",
                            "",
                            key(15),
                            key(17),
                            key(24),
                            key(33),
                            key(right == 16 ? 32 : 16))) {
                bad.add(inbound(bad.size(), method, key));
                needed.add(right);
            }
        }
        Program.Result result = check(bad);
        assertThat(result.exit()).isEqualTo(23);
        String report = result.out() + result.err();
        for (int i = 0; i < bad.size(); i++) {
            String finding = finding(report, "inbounds[" + i + "].password");
            assertThat(finding)
                    .as(bad.get(i))
                    .containsPattern("is empty|" + needed.get(i))
                    .contains("generate ss-key");
        }
        assertThat(report).doesNotContain("correct horse");
    }

    @Test
    void s02OtherWritingsOfARightKeyPass() {
        byte[] raw = new byte[16];
        Arrays.fill(raw, (byte) 0xfb);
        String plain = Base64.getEncoder().encodeToString(raw);
        List<String> good = new ArrayList<>();
        for (String key :
                List.of(
                        plain,
                        plain.replace("=", ""),
                        plain.replace('+', '-').replace('/', '_'),
                        plain + "\\n")) {
            good.add(inbound(good.size(), AES_128, key));
        }
        Program.Result result = check(good);
        assertThat(result.exit()).as(result.out() + result.err()).isZero();
    }

    @Test
    void s03WrongKeysInAChainAreNamedByPosition() {
        List<String> outbounds =
                List.of(
                        outbound("a", AES_128, key(16) + ":" + key(32)),
                        outbound("b", AES_256, key(16) + ":" + key(32)),
                        outbound("c", CHACHA, key(32) + ":" + key(32)));
        Program.Result result =
                SluiceProcess.check(
                        "config.json",
                        ("{'outbounds': [" + String.join(",", outbounds) + "]}")
                                .replace('\'', '"')
                                .getBytes(StandardCharsets.UTF_8));
        assertThat(result.exit()).isEqualTo(23);
        String report = result.out() + result.err();
        assertThat(finding(report, "outbounds[0].password"))
                .containsPattern("2|second")
                .contains("16");
        assertThat(finding(report, "outbounds[1].password"))
                .containsPattern("1|first")
                .contains("32");
        assertThat(finding(report, "outbounds[2].password")).containsIgnoringCase("AES");
    }

    @ParameterizedTest
    @ValueSource(strings = {AES_128, AES_256})
    void s04EveryUserGetsTheOwnAnswers(String method) throws Exception {
        int bytes = method.equals(AES_128) ? 16 : 32;
        int server = Ports.both();
        int alice = Ports.both();
        int bob = Ports.both();
        String serverKey = key(bytes);
        String aliceKey = Base64.getEncoder().encodeToString(Bytes.of(bytes, 1));
        String bobKey = Base64.getEncoder().encodeToString(Bytes.of(bytes, 2));
        try (Origin echo = Origin.echo();
                UdpOrigin udp = UdpOrigin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .inbound(
                                                "shadowsocks",
                                                "server",
                                                server,
                                                "'method': '%s', 'password': '%s', 'users': [{'name': 'alice', 'password': '%s'}, {'name': 'bob', 'password': '%s'}]"
                                                        .formatted(
                                                                method, serverKey, aliceKey,
                                                                bobKey))
                                        .inbound("mixed", "alice", alice)
                                        .inbound("mixed", "bob", bob)
                                        .outbound("direct", "direct", "")
                                        .outbound(
                                                "shadowsocks",
                                                "as-alice",
                                                server,
                                                secret(method, serverKey + ":" + aliceKey))
                                        .outbound(
                                                "shadowsocks",
                                                "as-bob",
                                                server,
                                                secret(method, serverKey + ":" + bobKey))
                                        .route("alice", "as-alice")
                                        .route("bob", "as-bob"))) {
            try (Datagrams ofAlice = Datagrams.through(alice);
                    Datagrams ofBob = Datagrams.through(bob)) {
                Future<Boolean> both =
                        inBackground(() -> {
                            for (int i = 0; i < 20; i++) {
                                if (!ofBob.echoes(udp.port(), 300 + i)) {
                                    return false;
                                }
                            }
                            return true;
                        });
                for (int i = 0; i < 20; i++) {
                    assertThat(ofAlice.echoes(udp.port(), 100 + i)).isTrue();
                }
                assertThat(both.get()).isTrue();
            }
            Traffic.assertEchoes(Dial.socks5(alice, echo.port()));
            Traffic.assertEchoes(Dial.socks5(bob, echo.port()));
            sluice.assertHealthy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {AES_128, CHACHA})
    void s05DatagramsAreCountedAndCopiesAreDropped(String method) {
        int server = Ports.both();
        int client = Ports.both();
        String secret = secret(method, key(method.equals(AES_128) ? 16 : 32));
        Config served = new Config().inbound("shadowsocks", "server", server, secret);
        SluiceProcess first = SluiceProcess.start(served);
        try (UdpOrigin udp = UdpOrigin.echo();
                Mangler network = new Mangler(server);
                SluiceProcess ours =
                        SluiceProcess.start(
                                new Config()
                                        .inbound("socks", "socks", client)
                                        .outbound("shadowsocks", "out", network.port(), secret));
                Datagrams socks = Datagrams.through(client)) {
            network.doubles(true);
            for (int i = 0; i < 100; i++) {
                assertThat(socks.echoes(udp.port(), 100 + i)).isTrue();
            }
            assertThat(udp.seen()).as("each once").hasSize(100);

            network.shuffles(50);
            for (int i = 0; i < 100; i++) {
                socks.send(udp.port(), Bytes.of(400 + i, i));
            }
            Eventually.await(
                    Duration.ofSeconds(3),
                    () -> "200 datagrams, not " + udp.seen().size(),
                    () -> udp.seen().size() == 200);
            network.shuffles(0);
            network.doubles(false);
            drain(socks, 100);

            network.loses(true);
            for (int i = 0; i < 3_000; i++) {
                socks.send(udp.port(), Bytes.of(20, i));
            }
            drain(socks, 10);
            network.loses(false);
            assertThat(socks.echoes(udp.port(), 30)).as("after a jump of the counter").isTrue();

            first.close();
            try (SluiceProcess second = SluiceProcess.start(served)) {
                Eventually.await(
                        Duration.ofSeconds(5),
                        () -> "an echo after the server's restart",
                        () -> socks.echoes(udp.port(), 40));
                second.assertHealthy();
            }
            ours.assertHealthy();
        } finally {
            first.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {AES_128, CHACHA, "aes-256-gcm", "chacha20-ietf-poly1305"})
    void s07TheSameOpeningTwiceLooksLikeGarbage(String method) {
        int server = Ports.both();
        int client = Ports.both();
        String secret =
                secret(
                        method,
                        method.startsWith("2022") ? key(method.equals(AES_128) ? 16 : 32) : "pw");
        try (Origin echo = Origin.echo();
                Recorder recorder = new Recorder(server);
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .inbound(
                                                "shadowsocks",
                                                "server",
                                                server,
                                                secret + ", 'handshake_timeout': '2s'")
                                        .inbound("mixed", "client", client)
                                        .outbound("direct", "direct", "")
                                        .outbound("shadowsocks", "out", recorder.port(), secret)
                                        .route("client", "out"))) {
            try (Link link = Dial.socks5(client, echo.port())) {
                link.send("hello, this is the first and only time");
                link.read(38);
            }
            byte[] opening = recorder.sent().getFirst();
            assertThat(opening.length).isGreaterThan(38);
            int accepted = echo.accepted();
            Link.Ending copy = probe(server, opening);
            Link.Ending garbage = probe(server, Bytes.of(opening.length, 77));
            assertThat(copy.bytes()).isEmpty();
            assertThat(echo.accepted()).as("connections at the origin").isEqualTo(accepted);
            assertThat(copy.end()).isEqualTo(garbage.end());
            assertThat(Math.abs(copy.millis() - garbage.millis())).isLessThan(700);
            sluice.assertHealthy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {AES_256, "aes-128-gcm"})
    void s08TheEndDoesNotTellHowManyBytesWereRead(String method) throws Exception {
        int server = Ports.both();
        String secret = secret(method, method.startsWith("2022") ? key(32) : "pw");
        List<Integer> lengths = new ArrayList<>(List.of(200, 221, 1_000));
        for (int n = 1; n <= 100; n++) {
            lengths.add(n);
        }
        try (SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .inbound(
                                                "shadowsocks",
                                                "server",
                                                server,
                                                secret + ", 'handshake_timeout': '2s'"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<Integer, Future<Link.Ending>> probes = new HashMap<>();
            for (int length : lengths) {
                probes.put(length, threads.submit(() -> probe(server, Bytes.of(length, length))));
                if (length <= 100) {
                    probes.put(
                            -length,
                            threads.submit(() -> trickle(server, Bytes.of(length, -length))));
                }
            }
            Map<Link.End, List<Integer>> kinds = new HashMap<>();
            List<Long> millis = new ArrayList<>();
            for (Map.Entry<Integer, Future<Link.Ending>> probe : probes.entrySet()) {
                Link.Ending ending = probe.getValue().get();
                assertThat(ending.bytes()).isEmpty();
                kinds.computeIfAbsent(ending.end(), _ -> new ArrayList<>()).add(probe.getKey());
                millis.add(ending.millis());
            }
            assertThat(kinds).as("lengths by the kind of end").hasSize(1);
            assertThat(
                            millis.stream().max(Long::compare).orElseThrow()
                                    - millis.stream().min(Long::compare).orElseThrow())
                    .as("spread of the time to the end, of %s", kinds.keySet())
                    .isLessThan(1_500L);
            sluice.assertHealthy();
        }
    }

    @Test
    void s10TheBindAddressHoldsForDatagramsToo() throws IOException {
        int stream = Ports.both();
        int datagram = Ports.both();
        List<String> sources = new CopyOnWriteArrayList<>();
        try (Origin origin =
                        Origin.of((socket, in, out) -> {
                            sources.add(socket.getInetAddress().getHostAddress());
                            in.transferTo(out);
                        });
                UdpOrigin udp = UdpOrigin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .forward("stream", stream, origin.port())
                                        .forward("datagram", datagram, udp.port())
                                        .outbound(
                                                "direct",
                                                "direct",
                                                "'inet4_bind_address': '127.0.0.3'"))) {
            Traffic.assertEchoes(stream);
            Traffic.assertDatagramsEcho(datagram);
            assertThat(sources).containsOnly("127.0.0.3");
            assertThat(udp.sources().stream().map(a -> a.getAddress().getHostAddress()).distinct())
                    .containsExactly("127.0.0.3");
            sluice.assertHealthy();
        }
    }

    @Test
    void s10AnAnswerLeavesFromTheAddressThatWasAsked() {
        int server = Ports.both();
        int stream = Ports.both();
        int datagram = Ports.both();
        String secret = secret(AES_128, key(16));
        try (Origin echo = Origin.echo();
                UdpOrigin udp = UdpOrigin.echo();
                SluiceProcess sluice =
                        SluiceProcess.start(
                                new Config()
                                        .forward("stream", stream, echo.port())
                                        .forward("datagram", datagram, udp.port())
                                        .listenOn("0.0.0.0")
                                        .inbound("shadowsocks", "server", server, secret)
                                        .outbound("direct", "direct", "")
                                        .outbound(
                                                "shadowsocks",
                                                "out",
                                                "'server': '127.0.0.5', 'server_port': "
                                                        + server
                                                        + ", "
                                                        + secret)
                                        .route("stream", "out")
                                        .route("datagram", "out"))) {
            Traffic.assertEchoes(stream);
            Traffic.assertDatagramsEcho(datagram);
            sluice.assertHealthy();
        }
    }

    private static Link.Ending probe(int port, byte[] bytes) {
        try (Link link = Link.to(port).send(bytes)) {
            return link.readEnding(15_000);
        }
    }

    /// Byte by byte; being reset while it sends is an end as well.
    private static Link.Ending trickle(int port, byte[] bytes) throws InterruptedException {
        long start = System.nanoTime();
        try (Link link = Link.to(port)) {
            Link.Ending ending;
            try {
                for (byte one : bytes) {
                    link.send(new byte[] {one});
                    Thread.sleep(1);
                }
                ending = link.readEnding(15_000);
            } catch (UncheckedIOException reset) {
                ending = new Link.Ending(new byte[0], Link.End.RST, 0);
            }
            long millis = (System.nanoTime() - start) / 1_000_000;
            return new Link.Ending(ending.bytes(), ending.end(), millis);
        }
    }

    private static void drain(Datagrams socks, int most) {
        for (int i = 0; i < most * 2 && socks.receive(100) != null; i++) {
            // Late answers of an earlier step.
        }
    }

    private static <T> Future<T> inBackground(Callable<T> task) {
        FutureTask<T> future = new FutureTask<>(task);
        Thread.ofVirtual().start(future);
        return future;
    }

    private static Program.Result check(List<String> inbounds) {
        return SluiceProcess.check(
                "config.json",
                ("{\"inbounds\": [" + String.join(",\n", inbounds) + "]}")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static String inbound(int index, String method, String key) {
        return """
        {"type": "shadowsocks", "tag": "in%d", "listen": "127.0.0.1", "listen_port": %d,\
         "method": "%s", "password": "%s"}\
        """
                .formatted(index, 20_000 + index, method, key);
    }

    private static String outbound(String tag, String method, String key) {
        return "{'type': 'shadowsocks', 'tag': '%s', 'server': '127.0.0.1', 'server_port': 1, 'method': '%s', 'password': '%s'}"
                .formatted(tag, method, key);
    }

    private static String secret(String method, String key) {
        return "'method': '%s', 'password': '%s'".formatted(method, key);
    }

    private static String key(int bytes) {
        return Base64.getEncoder().encodeToString(Bytes.of(bytes, 42));
    }

    /// The lines of a report about one path, with the mend behind them.
    private static String finding(String report, String path) {
        List<String> lines = report.lines().toList();
        String found =
                IntStream.range(0, lines.size())
                        .filter(i -> lines.get(i).contains(path + ":"))
                        .mapToObj(i ->
                                lines.get(i)
                                        + (i + 1 < lines.size() ? "\n" + lines.get(i + 1) : ""))
                        .collect(Collectors.joining("\n"));
        assertThat(found).as("a finding about %s in\n%s", path, report).isNotEmpty();
        return found;
    }
}
