package sluice.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.app.config.Configuration;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.linux.LinuxSystem;
import sluice.testkit.Eventually;
import sluice.testkit.Program;

/// Plugins as child processes; the plugin of these tests is a script.
final class PluginsTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    /// Listens where a plugin of a client listens, and writes down what it was told.
    private static final String SCRIPT =
            """
            #!/usr/bin/python3
            import os, socket, signal, sys, time
            side = __file__ + ".told"
            with open(side + ".new", "w") as told:
                for name in ("SS_REMOTE_HOST", "SS_REMOTE_PORT", "SS_LOCAL_HOST", "SS_LOCAL_PORT", "SS_PLUGIN_OPTIONS"):
                    told.write(name + "=" + os.environ.get(name, "<unset>") + "\\n")
                told.write("stdin=" + sys.stdin.read() + "\\n")
                told.write("arguments=" + str(len(sys.argv) - 1) + "\\n")
            os.rename(side + ".new", side)
            if os.environ.get("SS_PLUGIN_OPTIONS") == "stubborn":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if os.environ.get("SS_PLUGIN_OPTIONS", "").startswith("server"):
                host, port = os.environ["SS_REMOTE_HOST"], os.environ["SS_REMOTE_PORT"]
            else:
                host, port = os.environ["SS_LOCAL_HOST"], os.environ["SS_LOCAL_PORT"]
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, int(port)))
            listener.listen()
            print("listens", flush=True)
            while True:
                listener.accept()[0].close()
            """;

    @TempDir private Path directory;
    private Path program;
    private final Plugins plugins = new Plugins(new LinuxSystem());

    @BeforeEach
    void writeThePlugin() throws IOException {
        program = directory.resolve("a-plugin");
        Files.writeString(program, SCRIPT);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void end() {
        plugins.close();
    }

    @Test
    void anOutboundConnectsToItsPlugin() throws IOException {
        Configuration started = plugins.follow(outbound("tls;host=a.example"));
        Destination server = started.outbounds().getFirst().outbound().server();
        assertThat(server.host()).isEqualTo(IpAddress.LOOPBACK_V4);
        assertThat(started.outbounds().getFirst().outbound().packetServer())
                .isEqualTo(new Destination(sluice.base.net.Host.parse("192.0.2.1"), 8388));
        assertThat(told())
                .isEqualTo(
                        """
                        SS_REMOTE_HOST=192.0.2.1
                        SS_REMOTE_PORT=8388
                        SS_LOCAL_HOST=127.0.0.1
                        SS_LOCAL_PORT=%d
                        SS_PLUGIN_OPTIONS=tls;host=a.example
                        stdin=
                        arguments=0
                        """
                                .formatted(server.port()));
        assertThat(
                        Loopback.accepts(
                                new LinuxSystem(),
                                new Endpoint(IpAddress.LOOPBACK_V4, server.port())))
                .isTrue();
    }

    @Test
    void anInboundListensBehindItsPlugin() throws IOException {
        int port = Loopback.freePort(new LinuxSystem()).port();
        Configuration started = plugins.follow(inbound(port, "server"));
        Endpoint behind = started.inbounds().getFirst().listen().at().getFirst();
        assertThat(behind.port()).isNotEqualTo(port);
        assertThat(started.inbounds().getFirst().inbound().acceptsStreams()).isTrue();
        assertThat(started.inbounds().getFirst().inbound().acceptsDatagrams()).isFalse();
        assertThat(told())
                .contains(
                        "SS_REMOTE_HOST=127.0.0.1\nSS_REMOTE_PORT=" + port,
                        "SS_LOCAL_HOST=127.0.0.1\nSS_LOCAL_PORT=" + behind.port());
    }

    @Test
    void withoutOptionsTheVariableIsUnset() throws IOException {
        plugins.follow(outbound(""));
        assertThat(told()).contains("SS_PLUGIN_OPTIONS=<unset>");
    }

    @Test
    void aReloadWithoutAChangeKeepsTheProcess() {
        Configuration first = plugins.follow(outbound("x"));
        List<PluginProcess> before = plugins.processes();
        Configuration second = plugins.follow(outbound("x"));
        assertThat(plugins.processes()).isEqualTo(before);
        assertThat(second.outbounds().getFirst().outbound().server())
                .isEqualTo(first.outbounds().getFirst().outbound().server());
    }

    @Test
    void aPluginThatNeverListensDelaysNoLaterReload() throws IOException {
        Files.writeString(program, "#!/bin/sh\nexec sleep 60\n");
        plugins.follow(outbound("x"));
        long since = System.nanoTime();
        plugins.follow(outbound("x"));
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void aReloadWithOtherOptionsBringsANewProcessBesideTheOldOne() {
        plugins.follow(outbound("x"));
        PluginProcess first = plugins.processes().getFirst();
        plugins.follow(outbound("y"));
        assertThat(plugins.processes().getFirst()).isNotSameAs(first);
        assertThat(first.isAlive()).isTrue();
        plugins.follow(outbound("z"));
        Eventually.await(SOON, () -> "the end of the first one", () -> !first.isAlive());
    }

    @Test
    void aReloadThatIsTakenBackFindsTheOldProcess() {
        plugins.follow(outbound("x"));
        PluginProcess first = plugins.processes().getFirst();
        plugins.follow(outbound("y"));
        plugins.follow(outbound("x"));
        assertThat(plugins.processes()).containsExactly(first);
        assertThat(first.isAlive()).isTrue();
    }

    @Test
    void theEndOfTheProcessEndsReplacedPluginsToo() {
        plugins.follow(outbound("x"));
        PluginProcess first = plugins.processes().getFirst();
        plugins.follow(outbound("y"));
        plugins.close();
        Eventually.await(SOON, () -> "the end of the first one", () -> !first.isAlive());
    }

    @Test
    void theNewPluginOfAnInboundGetsTheOldOnesPort() {
        int port = Loopback.freePort(new LinuxSystem()).port();
        plugins.follow(inbound(port, "server"));
        PluginProcess before = plugins.processes().getFirst();
        plugins.follow(inbound(port, "server;again"));
        Eventually.await(SOON, () -> "the end of the old one", () -> !before.isAlive());
    }

    @Test
    void aReloadThatIsRefusedEndsWhatItAloneNeeded() {
        plugins.follow(outbound("x"));
        PluginProcess first = plugins.processes().getFirst();
        long before = running();
        plugins.prepare(outbound("y"));
        assertThat(running()).isEqualTo(before + 1);
        plugins.takeBack();
        Eventually.await(SOON, () -> "the end of the new one", () -> running() == before);
        assertThat(plugins.processes()).containsExactly(first);
        assertThat(first.isAlive()).isTrue();
    }

    @Test
    void theOldPluginOfAnInboundEndsWhenItsSuccessorIsTaken() {
        int port = Loopback.freePort(new LinuxSystem()).port();
        int moved = Loopback.freePort(new LinuxSystem()).port();
        plugins.follow(inbound(port, "server"));
        PluginProcess first = plugins.processes().getFirst();
        plugins.prepare(inbound(moved, "server"));
        assertThat(first.isAlive()).isTrue();
        plugins.takeBack();
        assertThat(first.isAlive()).isTrue();

        plugins.prepare(inbound(moved, "server"));
        plugins.commit();
        assertThat(first.isAlive()).isFalse();
        assertThat(accepts(moved)).isTrue();
    }

    /// The new one needs the port, so that the old one has to go before anybody knows whether the
    /// reload succeeds.
    @Test
    void anInboundsPluginThatMadeRoomInVainBeginsAnew() {
        int port = Loopback.freePort(new LinuxSystem()).port();
        int behind = behind(plugins.follow(inbound(port, "server")));
        PluginProcess first = plugins.processes().getFirst();
        plugins.prepare(inbound(port, "server;again"));
        assertThat(first.isAlive()).isFalse();
        plugins.takeBack();

        Eventually.await(SOON, () -> "its port", () -> accepts(port));
        assertThat(behind(plugins.follow(inbound(port, "server")))).isEqualTo(behind);
    }

    @Test
    void anInboundThatLosesItsPluginFindsThePortFree() {
        int port = Loopback.freePort(new LinuxSystem()).port();
        plugins.follow(inbound(port, "server"));
        plugins.prepare(
                configuration(
                        "{\"inbounds\": [{\"type\": \"mixed\", \"listen_port\": " + port + "}]}"));
        assertThat(accepts(port)).isFalse();
        plugins.commit();
        assertThat(plugins.processes()).isEmpty();
    }

    /// What serves the datagrams of the same port is not in its way.
    @Test
    void aPluginStaysBesideAnInboundForDatagrams() {
        int port = Loopback.freePort(new LinuxSystem()).port();
        plugins.follow(inbound(port, "server"));
        PluginProcess first = plugins.processes().getFirst();
        plugins.follow(
                configuration(
                        """
                        {"inbounds": [{"type": "shadowsocks", "tag": "in", "listen_port": %d, "network": "tcp",
                          "method": "aes-128-gcm", "password": "x", "plugin": "%s", "plugin_opts": "server"},
                         {"type": "shadowsocks", "tag": "datagrams", "listen_port": %d, "network": "udp",
                          "method": "aes-128-gcm", "password": "x"}]}
                        """
                                .formatted(port, program, port)));
        assertThat(plugins.processes()).containsExactly(first);
        assertThat(first.isAlive()).isTrue();
    }

    private static int behind(Configuration configuration) {
        return configuration.inbounds().getFirst().listen().at().getFirst().port();
    }

    private static boolean accepts(int port) {
        return Loopback.accepts(new LinuxSystem(), new Endpoint(IpAddress.LOOPBACK_V4, port));
    }

    private static long running() {
        return ProcessHandle.current()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("a-plugin"))
                .count();
    }

    @Test
    void aPluginThatEndsIsStartedAgain() throws Exception {
        Configuration started = plugins.follow(outbound("x"));
        int port = started.outbounds().getFirst().outbound().server().port();
        Files.delete(toldPath());
        long pid =
                ProcessHandle.current()
                        .descendants()
                        .filter(each -> each.info().commandLine().orElse("").contains("a-plugin"))
                        .findFirst()
                        .orElseThrow()
                        .pid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        Eventually.await(SOON, () -> "a second start", () -> Files.exists(toldPath()));
        assertThat(told()).contains("SS_LOCAL_PORT=" + port + "\n");
        Eventually.await(
                SOON,
                () -> "its port",
                () ->
                        Loopback.accepts(
                                new LinuxSystem(), new Endpoint(IpAddress.LOOPBACK_V4, port)));
    }

    @Test
    void aPluginEndsWithTheProcessThatIsKilled() throws IOException {
        Path file = directory.resolve("run.json");
        Files.writeString(file, outboundText("x"));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        try (Program running =
                Program.of(
                                java,
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "sluice.app.Main",
                                "run",
                                "-c",
                                file)
                        .start()) {
            running.awaitOutput(Duration.ofSeconds(60), "server: started");
            long plugin =
                    ProcessHandle.of(running.pid())
                            .orElseThrow()
                            .descendants()
                            .filter(each ->
                                    each.info().commandLine().orElse("").contains("a-plugin"))
                            .findFirst()
                            .orElseThrow()
                            .pid();
            running.signal("KILL");
            Eventually.await(
                    SOON,
                    () -> "the end of the plugin",
                    () -> ProcessHandle.of(plugin).filter(ProcessHandle::isAlive).isEmpty());
        }
    }

    @Test
    void aStubbornPluginIsKilled() {
        plugins.follow(outbound("stubborn"));
        PluginProcess process = plugins.processes().getFirst();
        long before = System.nanoTime();
        plugins.close();
        Eventually.await(SOON, () -> "its end", () -> !process.isAlive());
        assertThat(System.nanoTime() - before).isGreaterThan(500_000_000L);
    }

    @Test
    void whereThereIsNoPluginNothingChanges() {
        Configuration plain =
                configuration("{\"inbounds\": [{\"type\": \"mixed\", \"listen_port\": 1}]}");
        assertThat(plugins.follow(plain)).isSameAs(plain);
        assertThat(plugins.processes()).isEmpty();
    }

    private Path toldPath() {
        return directory.resolve("a-plugin.told");
    }

    private String told() throws IOException {
        return Files.readString(toldPath());
    }

    private Configuration outbound(String options) {
        return configuration(outboundText(options));
    }

    private String outboundText(String options) {
        return """
        {"outbounds": [{"type": "shadowsocks", "tag": "out", "server": "192.0.2.1", "server_port": 8388,
          "method": "aes-128-gcm", "password": "x", "plugin": "%s", "plugin_opts": "%s"}]}
        """
                .formatted(program, options);
    }

    private Configuration inbound(int port, String options) {
        return configuration(
                """
                {"inbounds": [{"type": "shadowsocks", "tag": "in", "listen_port": %d,
                  "method": "aes-128-gcm", "password": "x", "plugin": "%s", "plugin_opts": "%s"}]}
                """
                        .formatted(port, program, options));
    }

    private Configuration configuration(String text) {
        try {
            Path file = directory.resolve("c.json");
            Files.writeString(file, text);
            return Configurations.load(LoadRequest.ofFiles(file.toString()));
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
