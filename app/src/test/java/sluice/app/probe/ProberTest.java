package sluice.app.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.app.Server;
import sluice.app.config.Configuration;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;
import sluice.base.net.Destination;
import sluice.base.os.OperatingSystem;

/// Trying outbounds out against a server of this machine.
final class ProberTest {

    private static final String CONFIGURATION =
            """
            {
              "inbounds": [
                {"type": "mixed", "tag": "in", "listen_port": 1},
                {"type": "mixed", "tag": "other", "listen_port": 2}
              ],
              "outbounds": [
                {"type": "direct", "tag": "direct"},
                {"type": "socks", "tag": "dead", "server": "127.0.0.1", "server_port": 1},
                {"type": "shadowsocks", "tag": "silent", "server": "127.0.0.1", "server_port": PORT,
                 "method": "aes-128-gcm", "password": "x"},
                {"type": "direct", "tag": "behind", "detour": "silent"}
              ],
              "route": {"rules": [
                {"domain": "refused.example", "action": "reject"},
                {"inbound": "other", "outbound": "dead"}
              ]}
            }
            """;

    @TempDir private Path directory;
    private final OperatingSystem system = Server.systemFor();
    private HttpServer server;
    private Configuration configuration;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(
                            exchange.getRequestURI().getPath().equals("/none") ? 404 : 200,
                            body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        Path file = directory.resolve("c.json");
        Files.writeString(
                file,
                CONFIGURATION.replace("PORT", Integer.toString(server.getAddress().getPort())));
        configuration = Configurations.load(LoadRequest.ofFiles(file.toString()));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void fetchesAndSaysHowLongEachStepTook() throws IOException {
        List<String> steps = new ArrayList<>();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        try (Prober prober = open(null, null)) {
            Fetch fetch = new Fetch(prober, 20_000, steps::add);
            assertThat(fetch.run(Fetch.Target.parse(url), body)).isEqualTo(200);
            assertThat(fetch.run(Fetch.Target.parse(url + "none"), body)).isEqualTo(404);
        }
        assertThat(body).hasToString("hellohello");
        assertThat(steps.getFirst()).isEqualTo("outbound direct (no rule decides)");
        assertThat(steps.get(1)).contains(" ms  connected to 127.0.0.1:");
        assertThat(steps.get(3)).contains(" ms  HTTP/1.1 200 OK, 5 bytes behind the head");
    }

    @Test
    void saysWhyItCannotConnect() throws IOException {
        Destination server =
                Fetch.destination("127.0.0.1:" + this.server.getAddress().getPort(), 0);
        try (Prober prober = open(null, "dead")) {
            assertThat(prober.choice(server)).isEqualTo("outbound dead (no rule decides)");
            assertThatThrownBy(() -> prober.connect(server, 20_000))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "the connection was refused by the server 127.0.0.1:1, or by "
                                    + server
                                    + " behind it");
        }
        try (Prober prober = open(null, null)) {
            Destination closed = Fetch.destination("127.0.0.1:1", 0);
            assertThatThrownBy(() -> prober.connect(closed, 20_000))
                    .hasMessage("the connection was refused by 127.0.0.1:1");
            Destination refused = Fetch.destination("refused.example:80", 0);
            assertThat(prober.choice(refused)).isEqualTo("refused (route.rules[0])");
            assertThatThrownBy(() -> prober.connect(refused, 20_000))
                    .hasMessage("the rules refuse it");
        }
    }

    @Test
    void doesNotPromiseWhatAServerDoesNotSay() throws IOException {
        Destination target = Fetch.destination("a.example:1", 0);
        String server = "127.0.0.1:" + this.server.getAddress().getPort();
        for (String silent : List.of("silent", "behind")) {
            try (Prober prober = open(null, silent)) {
                prober.connect(target, 20_000).close();
                assertThat(prober.reached(target))
                        .isEqualTo(
                                "connected to the server "
                                        + server
                                        + " (which does not say whether the target answered)");
            }
        }
        try (Prober prober = open(null, "dead")) {
            assertThat(prober.reached(target)).isEqualTo("connected to a.example:1");
        }
    }

    @Test
    void saysThatTheSchemeWasLeftOut() throws IOException {
        String authority = "127.0.0.1:" + server.getAddress().getPort();
        try (Prober prober = open(null, null)) {
            Fetch fetch = new Fetch(prober, 20_000, _ -> {});
            assertThatThrownBy(() ->
                            fetch.run(Fetch.Target.parse(authority), new ByteArrayOutputStream()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("write http://" + authority + "/");
        }
    }

    @Test
    void theRulesSeeTheInboundThatIsAskedFor() {
        try (Prober prober = open("other", null)) {
            assertThat(prober.choice(Fetch.destination("a.example:1", 0)))
                    .isEqualTo("outbound dead (route.rules[1])");
        }
        try (Prober prober = open(null, null)) {
            assertThat(prober.choice(Fetch.destination("a.example:1", 0)))
                    .isEqualTo("outbound direct (no rule decides)");
        }
    }

    private Prober open(String inbound, String outbound) {
        return Prober.open(
                configuration, system, each -> Server.engineFor(each, system), inbound, outbound);
    }
}
