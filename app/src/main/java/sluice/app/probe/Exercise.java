package sluice.app.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import sluice.app.config.Configuration;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;
import sluice.base.net.Endpoint;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;
import sluice.engine.Engine;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.Plan;

/// Moves real traffic through every hot path, over loopback, within one process: forwarded ports,
/// and each kind of Shadowsocks as client and server, streams and datagrams. The build lets the JVM
/// watch it, so that a start knows at once what is worth compiling. Runs for a few seconds.
public final class Exercise {

    /// Enough that the JVM takes the paths of a block for hot: it counts some ten thousand calls.
    private static final int BLOCKS = 1500;

    private static final int BLOCK_BYTES = 256 * 1024;
    private static final int DATAGRAM_ROUNDS = 1500;
    private static final int DATAGRAMS_PER_ROUND = 8;
    private static final int DATAGRAM_BYTES = 1200;
    private static final long TIMEOUT_MILLIS = 5000;

    /// Each a method, and a password for it; keys of the 2022 edition are the bytes 0, 1, 2 …
    private static final String[][] METHODS = {
        {"2022-blake3-aes-128-gcm", "AAECAwQFBgcICQoLDA0ODw=="},
        {"aes-128-gcm", "exercise"},
        {"chacha20-ietf-poly1305", "exercise"},
    };

    private final OperatingSystem system;

    /// @param system what the process runs on
    public Exercise(OperatingSystem system) {
        this.system = system;
    }

    /// Runs it.
    ///
    /// @param engines makes an engine for a configuration
    /// @param plans makes an engine for a configuration with another plan
    /// @throws IOException when loopback does not work as it should
    public void run(
            Function<Configuration, Engine> engines, BiFunction<Configuration, Plan, Engine> plans)
            throws IOException {
        Endpoint echo = Prober.freePort(system);
        Engine far = plans.apply(Configurations.builtIn(), echoPlan(echo));
        Engine near = null;
        try {
            far.open();
            Endpoint[] ports = new Endpoint[2 * METHODS.length + 1];
            for (int i = 0; i < ports.length; i++) {
                ports[i] = Prober.freePort(system);
            }
            near = engines.apply(read(configuration(ports, echo)));
            near.open();
            for (int i = 0; i <= METHODS.length; i++) {
                streams(ports[i]);
                datagrams(ports[i]);
            }
        } finally {
            far.stop(0);
            if (near != null) {
                near.stop(0);
            }
        }
    }

    private static Plan echoPlan(Endpoint at) {
        InboundPlan inbound =
                new InboundPlan(
                        "echo",
                        List.of(at),
                        ListenOptions.DEFAULT,
                        null,
                        new Echo(),
                        "echo",
                        InboundPlan.HANDSHAKE_NANOS,
                        InboundPlan.DATAGRAM_IDLE_NANOS);
        return Plan.listening(List.of(inbound));
    }

    /// Ports 0 to n forward through method n (the last one directly); the others are the methods'
    /// servers.
    private static String configuration(Endpoint[] ports, Endpoint echo) {
        StringBuilder inbounds = new StringBuilder();
        StringBuilder outbounds = new StringBuilder();
        StringBuilder rules = new StringBuilder();
        for (int i = 0; i <= METHODS.length; i++) {
            inbounds.append(
                    "{\"type\":\"direct\",\"tag\":\"in%d\",\"listen_port\":%d,\"override_address\":\"127.0.0.1\",\"override_port\":%d},"
                            .formatted(i, ports[i].port(), echo.port()));
        }
        for (int i = 0; i < METHODS.length; i++) {
            int port = ports[METHODS.length + 1 + i].port();
            String method = METHODS[i][0];
            String password = METHODS[i][1];
            inbounds.append(
                    "{\"type\":\"shadowsocks\",\"tag\":\"server%d\",\"listen_port\":%d,\"method\":\"%s\",\"password\":\"%s\"},"
                            .formatted(i, port, method, password));
            outbounds.append(
                    "{\"type\":\"shadowsocks\",\"tag\":\"out%d\",\"server\":\"127.0.0.1\",\"server_port\":%d,\"method\":\"%s\",\"password\":\"%s\"},"
                            .formatted(i, port, method, password));
            rules.append("{\"inbound\":\"in%d\",\"outbound\":\"out%d\"},".formatted(i, i));
        }
        return "{\"inbounds\":[%s],\"outbounds\":[{\"type\":\"direct\",\"tag\":\"direct\"},%s],\"route\":{\"rules\":[%s],\"final\":\"direct\"}}"
                .formatted(inbounds, outbounds, rules);
    }

    private static Configuration read(String text) throws IOException {
        Path file = Files.createTempFile("sluice-exercise", ".json");
        try {
            Files.writeString(file, text);
            return Configurations.load(LoadRequest.ofFiles(file.toString()));
        } finally {
            Files.delete(file);
        }
    }

    private void streams(Endpoint at) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (ProbeStream stream = ProbeStream.open(system, at, TIMEOUT_MILLIS)) {
            for (int i = 0; i < BLOCKS; i++) {
                stream.send(block);
                int left = block.length;
                while (left > 0) {
                    int got = stream.receive(block);
                    if (got < 0) {
                        throw new IOException("the echo ended early");
                    }
                    left -= got;
                }
            }
        }
    }

    private void datagrams(Endpoint at) {
        byte[] payload = new byte[DATAGRAM_BYTES];
        try (LoopDriver driver = system.openLoop()) {
            int socket = driver.openDatagrams(at, at.address(), DialOptions.DEFAULT);
            driver.watch(socket, 1);
            for (int i = 0; i < DATAGRAM_ROUNDS; i++) {
                for (int k = 0; k < DATAGRAMS_PER_ROUND; k++) {
                    driver.queueDatagram(socket, null, null, payload, 0, payload.length);
                }
                driver.flushDatagrams();
                int got = 0;
                while (got < DATAGRAMS_PER_ROUND && driver.await(20_000_000) > 0) {
                    got += Math.max(0, driver.receiveDatagrams(socket));
                }
            }
            driver.close(socket);
        }
    }
}
