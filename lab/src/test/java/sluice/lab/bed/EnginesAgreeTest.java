package sluice.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.lab.engine.Certificate;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Engines;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Roster;
import sluice.lab.run.LocalBench;

/// What an adapter claims is true: 200 KB there and back through each engine in each protocol it
/// speaks. By default with the engines of Debian; with SLUICE_LAB_ALL_PEERS=1 with all that are
/// found in $PEERS and on PATH.
final class EnginesAgreeTest {

    private static final Set<String> DEBIAN =
            Set.of("sluice", "v2ray", "shadowsocks-libev", "haproxy");
    private static final Duration MOST = Duration.ofSeconds(20);
    private static final int BYTES = 200_000;
    private static final int FIRST = 40;

    private static List<Installed> installed = List.of();
    private static Certificate certificate = new Certificate(Path.of("."), Path.of("."));
    @TempDir private static Path folder;
    private static int count;

    /// A client, a server where there is one, and what they speak.
    record Pair(Protocol protocol, Installed client, Installed server) {
        @Override
        public String toString() {
            return protocol.id() + ": " + client.name() + " to " + server.name();
        }
    }

    @BeforeAll
    static void makeACertificate() throws Exception {
        certificate = Certificate.make(folder);
    }

    static Stream<Pair> pairs() throws Exception {
        String peers = System.getenv("PEERS");
        Roster roster =
                new Roster(
                        peers == null ? List.of() : List.of(Path.of(peers)), Launcher.in(folder));
        List<Engine> engines = new ArrayList<>(Engines.all());
        if (!"1".equals(System.getenv("SLUICE_LAB_ALL_PEERS"))) {
            engines.removeIf(engine -> !DEBIAN.contains(engine.name()));
        }
        installed = roster.find(engines).installed();
        List<Pair> pairs = new ArrayList<>();
        for (Installed each : installed) {
            for (Protocol protocol : Protocol.values()) {
                boolean client = each.engine().speaks(protocol, Role.CLIENT);
                boolean server = each.engine().speaks(protocol, Role.SERVER);
                if (client && (server || protocol == Protocol.FORWARD)) {
                    pairs.add(new Pair(protocol, each, each));
                } else if (client || server) {
                    installed.stream()
                            .filter(other ->
                                    other.engine()
                                            .speaks(protocol, client ? Role.SERVER : Role.CLIENT))
                            .findFirst()
                            .ifPresent(other ->
                                    pairs.add(
                                            client
                                                    ? new Pair(protocol, each, other)
                                                    : new Pair(protocol, other, each)));
                }
            }
        }
        return pairs.stream();
    }

    @Test
    void theEnginesOfDebianAreThere() throws Exception {
        List<String> names = pairs().map(pair -> pair.client().name()).distinct().toList();
        if (!"1".equals(System.getenv("SLUICE_REQUIRE_PEERS"))) {
            assumeTrue(names.containsAll(DEBIAN), "missing of " + DEBIAN + ": found " + names);
        }
        assertThat(names).containsAll(DEBIAN);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void whatIsClaimedWorks(Pair pair) throws Exception {
        try (ServerSocket target = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LocalBench bench =
                        new LocalBench(
                                folder.resolve("run" + count++),
                                certificate.certificate(),
                                certificate.key(),
                                pair.server())) {
            Thread.ofVirtual().start(() -> echo(target));
            Hop hop =
                    Hop.ofClient(bench, pair.protocol(), pair.client(), target.getLocalPort())
                            .await(bench);
            assertThat(exchange(hop.port(0)))
                    .as(pair + ": " + hop.client().lastWords())
                    .isEqualTo(BYTES);
        } catch (IOException broken) {
            throw new IOException(pair + ": " + broken.getMessage(), broken);
        }
    }

    /// How many bytes came back as they went.
    private static int exchange(int port) throws IOException {
        byte[] sent = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            sent[i] = (byte) (i * 31 + i / 256);
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) MOST.toMillis());
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            // Some of them fail when the first payload fills a buffer.
                            OutputStream out = socket.getOutputStream();
                            out.write(sent, 0, FIRST);
                            Thread.sleep(50);
                            out.write(sent, FIRST, BYTES - FIRST);
                        } catch (IOException | InterruptedException _) {
                            // The reader sees it.
                        }
                    });
            byte[] back = socket.getInputStream().readNBytes(BYTES);
            int same = Arrays.mismatch(sent, back);
            return same < 0 ? BYTES : same;
        }
    }

    private static void echo(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual()
                        .start(() -> {
                            try (socket) {
                                InputStream in = socket.getInputStream();
                                in.transferTo(socket.getOutputStream());
                            } catch (IOException _) {
                                // The client sees it.
                            }
                        });
            }
        } catch (IOException _) {
            // Closed: the test is over.
        }
    }
}
