package sluice.lab.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import sluice.lab.run.Bytes;
import sluice.lab.run.Config;
import sluice.lab.run.Dial;
import sluice.lab.run.Link;
import sluice.lab.run.Origin;
import sluice.lab.run.Proc;
import sluice.lab.run.Scale;
import sluice.lab.run.SluiceProcess;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;

/// Case O02: a new configuration while people use the old one.
final class ReloadFieldCases {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String KEY = "AAECAwQFBgcICQoLDA0ODw==";
    private static final String OTHER_KEY = "EBESExQVFhcYGRobHB0eHw==";

    private final int port = Ports.both();
    private final int server = Ports.both();
    private Origin echo;
    private SluiceProcess sluice;

    @BeforeEach
    void start() {
        echo = Origin.echo();
        sluice = SluiceProcess.start(config("direct", KEY + "|" + OTHER_KEY));
    }

    @AfterEach
    void stop() {
        sluice.close();
        echo.close();
    }

    @Test
    void o02AChangedRuleLeavesRunningFlowsAlone() {
        try (Link link = Dial.socks5(port, echo.port())) {
            exchange(link, "before");
            reload(config("refuse", KEY + "|" + OTHER_KEY).text());
            exchange(link, "after");
            try (Link fresh = Link.to(port)) {
                assertThat(Dial.socks5Reply(fresh, "127.0.0.1", echo.port(), null, ""))
                        .as("the new rule")
                        .isEqualTo(2);
            }
        }
        sluice.assertHealthy();
    }

    @Test
    void o02ARemovedUserIsSentAwayAndOthersStay() {
        int alice = Ports.both();
        int bob = Ports.both();
        try (SluiceProcess clients =
                        SluiceProcess.start(
                                new Config()
                                        .inbound("socks", "alice", alice)
                                        .inbound("socks", "bob", bob)
                                        .outbound(
                                                "shadowsocks",
                                                "as-alice",
                                                server,
                                                secret(KEY + ":" + KEY))
                                        .outbound(
                                                "shadowsocks",
                                                "as-bob",
                                                server,
                                                secret(KEY + ":" + OTHER_KEY))
                                        .route("alice", "as-alice")
                                        .route("bob", "as-bob"));
                Link ofAlice = Dial.socks5(alice, echo.port());
                Link ofBob = Dial.socks5(bob, echo.port())) {
            exchange(ofAlice, "alice");
            exchange(ofBob, "bob");
            reload(config("direct", KEY).text());
            exchange(ofAlice, "alice again");
            assertThat(ofBob.readEnding(5_000).end()).isNotEqualTo(Link.End.OPEN);
            clients.assertHealthy();
        }
        sluice.assertHealthy();
    }

    @Test
    void o02ABrokenFileIsRefusedAndTheOldOneGoesOn() {
        try (Link link = Dial.socks5(port, echo.port())) {
            exchange(link, "before");
            String good = config("direct", KEY).text();
            sluice.rewrite(good.substring(0, good.length() - 5));
            sluice.signal("HUP");
            Eventually.await(LIMIT, () -> sluice.log().contains("not reloaded"));
            assertThat(sluice.log()).containsPattern("config\\.json:\\d+:\\d+");
            sluice.rewrite(good.replace("\"socks\"", "\"sokcs\""));
            sluice.signal("HUP");
            Eventually.await(LIMIT, () -> sluice.log().contains("sokcs"));
            exchange(link, "after");
            try (Link fresh = Dial.socks5(port, echo.port())) {
                exchange(fresh, "fresh");
            }
        }
        sluice.assertHealthy();
    }

    @Test
    void o02ReloadingOftenNeitherCutsNorGrows() throws Exception {
        int reloads = Scale.of(15, 100);
        int bytes = 30_000_000;
        byte[] content = Bytes.of(bytes, 4);
        CompletableFuture<byte[]> got = new CompletableFuture<>();
        try (Origin file =
                Origin.of((_, _, out) -> {
                    for (int i = 0; i < bytes; i += 100_000) {
                        out.write(content, i, 100_000);
                        pause();
                    }
                })) {
            reload(config("direct", KEY).text());
            int descriptors = Proc.descriptors(sluice.pid());
            long threads = Proc.threads(sluice.pid());
            Link download = Dial.socks5(port, file.port());
            Thread.ofVirtual().start(() -> got.complete(download.readAll()));
            for (int i = 0; i < reloads; i++) {
                sluice.rewrite(config("direct", i % 2 == 0 ? KEY : KEY + "|" + OTHER_KEY).text());
                sluice.signal("HUP");
                Thread.sleep(100);
            }
            assertThat(got.get(60, TimeUnit.SECONDS)).isEqualTo(content);
            download.close();
            Eventually.await(
                    LIMIT,
                    () -> descriptors + " descriptors, not " + Proc.descriptors(sluice.pid()),
                    () -> Proc.descriptors(sluice.pid()) <= descriptors + 2);
            assertThat(Proc.threads(sluice.pid())).isLessThanOrEqualTo(threads + 2);
        }
        sluice.assertHealthy();
    }

    @Test
    void o02TwoReloadsAtOnceAreDoneOneAfterTheOther() {
        sluice.rewrite(config("refuse", KEY).text());
        sluice.signal("HUP");
        sluice.signal("HUP");
        sluice.signal("HUP");
        Eventually.await(
                LIMIT,
                () -> {
                    try (Link fresh = Link.to(port)) {
                        return Dial.socks5Reply(fresh, "127.0.0.1", echo.port(), null, "") == 2;
                    }
                });
        sluice.assertHealthy();
    }

    @Test
    void o02APortThatLeavesTheConfigurationIsClosedAndANewOneOpens() {
        int moved = Ports.both();
        String text = config("direct", KEY).text().replace(": " + port + "}", ": " + moved + "}");
        try (Link link = Dial.socks5(port, echo.port())) {
            exchange(link, "before");
            reload(text);
            Eventually.await(LIMIT, () -> Proc.isListening(moved) && !Proc.isListening(port));
            exchange(link, "a running flow outlives its port");
            try (Link fresh = Dial.socks5(moved, echo.port())) {
                exchange(fresh, "moved");
            }
        }
        sluice.assertHealthy();
    }

    @Test
    void o02AChangedKeySendsThoseAwayWhoHadTheOldOne() {
        int socks = Ports.both();
        int single = Ports.both();
        String text =
                new Config()
                        .inbound("socks", "in", port)
                        .inbound("shadowsocks", "single", single, secret(KEY))
                        .text();
        reload(text);
        try (SluiceProcess clients =
                        SluiceProcess.start(
                                new Config()
                                        .inbound("socks", "in", socks)
                                        .outbound("shadowsocks", "out", single, secret(KEY)));
                Link old = Dial.socks5(socks, echo.port());
                Link other = Dial.socks5(port, echo.port())) {
            exchange(old, "before");
            exchange(other, "before");
            sluice.rewrite(text.replace(KEY, OTHER_KEY));
            sluice.signal("HUP");
            assertThat(old.readEnding(5_000).end()).isNotEqualTo(Link.End.OPEN);
            exchange(other, "after");
            clients.assertHealthy();
        }
        assertThat(sluice.log()).doesNotContain(KEY, OTHER_KEY);
        sluice.assertHealthy();
    }

    @Test
    void o02AReloadThatFailsLeavesTheLogAlone() throws IOException {
        String good = config("direct", KEY).text();
        String elsewhere = good.replace("\"log\": {", "\"log\": {\"output\": \"other.log\", ");
        assertThat(elsewhere).isNotEqualTo(good);
        int taken = echo.port();
        sluice.rewrite(elsewhere.replace(": " + port + "}", ": " + taken + "}"));
        sluice.signal("HUP");
        Eventually.await(LIMIT, () -> sluice.log().contains("not reloaded"));
        assertThat(sluice.home().resolve("other.log")).doesNotExist();

        sluice.rewrite(elsewhere);
        sluice.signal("HUP");
        Path log = sluice.home().resolve("other.log");
        Eventually.await(LIMIT, () -> Files.exists(log));
        Eventually.await(LIMIT, () -> read(log).contains(": reloaded"));
        sluice.assertHealthy();
    }

    @Test
    void o02APathThatIsNoneIsAFindingAndSignalsAreStillHeard() {
        String good = config("direct", KEY).text();
        sluice.rewrite(
                good.replaceFirst("\\{\"level\"", "{\"output\": \"a\\\\u0000b\", \"level\""));
        sluice.signal("HUP");
        Eventually.await(LIMIT, () -> sluice.log().contains("log.output"));
        reload(good);
        sluice.signal("TERM");
        assertThat(sluice.awaitEnd(LIMIT)).isZero();
    }

    @Test
    void o02AStopBehindManyReloadsIsHeard() {
        for (int i = 0; i < 60; i++) {
            sluice.signal("HUP");
        }
        sluice.signal("TERM");
        assertThat(sluice.awaitEnd(LIMIT)).isZero();
    }

    @Test
    void o02LimitsFollowAReloadAndTheRestAsksForARestart() {
        String text = config("direct", KEY).text();
        String tail =
                ", 'sluice': {'limits': {'connections_per_address': 1}, 'loops': 7, 'memory': {'buffers': '8 MiB'}}}";
        try (Link first = Dial.socks5(port, echo.port())) {
            exchange(first, "before");
            reload(text.substring(0, text.length() - 1) + tail.replace('\'', '"'));
            try (Link beyond = Link.to(port)) {
                assertThat(beyond.readEnding(5_000).end()).isNotEqualTo(Link.End.OPEN);
            }
            exchange(first, "after");
            Eventually.await(LIMIT, () -> sluice.log().contains("sluice.memory has changed"));
            assertThat(sluice.log()).contains("sluice.loops has changed");
        }
        sluice.assertHealthy();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The first reload of the process; later ones may be one folded line of the log.
    private void reload(String text) {
        sluice.rewrite(text);
        sluice.signal("HUP");
        Eventually.await(
                LIMIT, () -> "a reload of " + sluice, () -> sluice.log().contains(": reloaded"));
    }

    private static void exchange(Link link, String text) {
        link.send(text);
        assertThat(new String(link.read(text.length()))).isEqualTo(text);
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// @param keys of the server's users, with `|` between them
    private Config config(String route, String keys) {
        StringBuilder users = new StringBuilder();
        int index = 0;
        for (String key : keys.split("\\|")) {
            users.append(index == 0 ? "" : ", ")
                    .append("{'name': 'user%d', 'password': '%s'}".formatted(index++, key));
        }
        Config config =
                new Config()
                        .inbound("socks", "in", port)
                        .inbound(
                                "shadowsocks",
                                "server",
                                server,
                                secret(KEY) + ", 'users': [" + users + "]")
                        .outbound("direct", "direct", "");
        return route.equals("refuse")
                ? config.rule("'inbound': 'in', 'action': 'reject'")
                : config.route("in", route);
    }

    private static String secret(String key) {
        return "'method': '2022-blake3-aes-128-gcm', 'password': '" + key + "'";
    }
}
