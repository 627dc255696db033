package sluice.lab.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.run.Config;
import sluice.lab.run.Origin;
import sluice.lab.run.Peer;
import sluice.lab.run.SluiceProcess;
import sluice.testkit.Ports;

/// HAProxy in front: the client's address arrives through the PROXY protocol, and rules see it.
final class ProxyProtocolPeersTest {
    private static final int BEHIND = Ports.tcp();
    private static final String KNOWN = "127.0.0.9";

    private static Origin here;
    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        here = Origin.of((_, _, out) -> out.write("here".getBytes(StandardCharsets.UTF_8)));
        sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound(
                                        "direct",
                                        "behind",
                                        BEHIND,
                                        "'override_address': '127.0.0.1', 'override_port': "
                                                + here.port()
                                                + ", 'proxy_protocol': true, 'network': 'tcp'")
                                .rule("'source_ip_cidr': '" + KNOWN + "', 'action': 'reject'"));
    }

    @AfterAll
    static void stop() {
        sluice.close();
        here.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-proxy", "send-proxy-v2"})
    void rulesSeeTheClientsOwnAddress(String how, @TempDir Path folder) throws IOException {
        int front = Ports.tcp();
        Path config = folder.resolve("haproxy.cfg");
        Files.writeString(
                config,
                """
                global
                  maxconn 100
                defaults
                  mode tcp
                  timeout connect 5s
                  timeout client 20s
                  timeout server 20s
                frontend front
                  bind 127.0.0.1:%d
                  default_backend back
                backend back
                  server sluice 127.0.0.1:%d %s
                """
                        .formatted(front, BEHIND, how));
        try (Peer _ = Peer.start("haproxy", List.of(front), List.of(), "-f", config, "-db")) {
            assertThat(from("127.0.0.1", front)).isEqualTo("here");
            assertThat(from(KNOWN, front)).isEmpty();
            assertThat(from("127.0.0.8", front)).isEqualTo("here");
        }
        sluice.assertHealthy();
    }

    /// What a client with that address reads; a reset counts as nothing.
    private static String from(String address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(address, 0));
            socket.setSoTimeout(5_000);
            socket.connect(new InetSocketAddress("127.0.0.1", port), 5_000);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException reset) {
            return "";
        }
    }
}
