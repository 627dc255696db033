package sluice.lab.bed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;
import sluice.lab.process.Child;
import sluice.lab.process.Ports;

/// A client engine and a server engine with one protocol between them, or one engine that forwards.
final class Hop {

    private static final Duration START = Duration.ofSeconds(20);

    /// Some listen before they have read the rest of their configuration.
    private static final Duration SETTLE = Duration.ofMillis(300);

    /// A process whose connections have just died may take a moment to be gone itself.
    private static final Duration DYING = Duration.ofMillis(300);

    /// What [#cpu] calls the client's.
    static final String CLIENT_CPU = "client_cpu_seconds";

    private final Protocol protocol;
    private final Installed near;
    private final Installed far;
    private final Wiring wiring;
    private final Child client;
    private final @Nullable Child server;

    private Hop(
            Protocol protocol,
            Installed near,
            Installed far,
            Wiring wiring,
            Child client,
            @Nullable Child server) {
        this.protocol = protocol;
        this.near = near;
        this.far = far;
        this.wiring = wiring;
        this.client = client;
        this.server = server;
    }

    /// With the engine under test as client.
    ///
    /// @param targets where its ports lead
    static Hop ofClient(Bench bench, Protocol protocol, Installed engine, int... targets)
            throws IOException {
        Installed reference = bench.reference();
        if (protocol != Protocol.FORWARD && !reference.engine().speaks(protocol, Role.SERVER)) {
            throw new UnsupportedCase(
                    "the reference server " + reference.name() + " has no " + protocol.id());
        }
        return start(bench, protocol, engine, "under test", reference, "reference", targets);
    }

    /// With the engine under test as server.
    static Hop ofServer(Bench bench, Protocol protocol, Installed engine, int... targets)
            throws IOException {
        Installed reference = bench.reference();
        if (!reference.engine().speaks(protocol, Role.CLIENT)) {
            throw new UnsupportedCase(
                    "the reference client " + reference.name() + " has no " + protocol.id());
        }
        return start(bench, protocol, reference, "reference", engine, "under test", targets);
    }

    /// With the engine under test at both ends.
    static Hop ofBoth(Bench bench, Protocol protocol, Installed engine, int... targets)
            throws IOException {
        return start(bench, protocol, engine, "under test", engine, "under test, server", targets);
    }

    /// Starts the processes, without waiting for them.
    private static Hop start(
            Bench bench,
            Protocol protocol,
            Installed near,
            String nearLabel,
            Installed far,
            String farLabel,
            int... targets)
            throws IOException {
        List<Wiring.Forward> forwards = new ArrayList<>();
        for (int target : targets) {
            forwards.add(new Wiring.Forward(bench.freePort(), target));
        }
        Wiring wiring =
                new Wiring(
                        protocol,
                        forwards,
                        protocol == Protocol.FORWARD ? 0 : bench.freePort(),
                        bench.certificate().toString(),
                        bench.key().toString());
        Child server =
                protocol == Protocol.FORWARD
                        ? null
                        : bench.engine(farLabel, far, wiring, Role.SERVER);
        Child client = bench.engine(nearLabel, near, wiring, Role.CLIENT);
        return new Hop(protocol, near, far, wiring, client, server);
    }

    /// Waits until both listen.
    Hop await(Bench bench) throws IOException, InterruptedException {
        try {
            if (server != null && protocol.overDatagrams()) {
                Ports.awaitDatagrams(server, wiring.server(), START);
            } else if (server != null && protocol == Protocol.SOCKS_UNIX) {
                awaitSocket(server);
            } else if (server != null) {
                bench.awaitListening(server, wiring.server(), START);
            }
        } catch (IOException failed) {
            throw new IOException(far.name() + " as server " + failed.getMessage(), failed);
        }
        try {
            for (Wiring.Forward each : wiring.forwards()) {
                bench.awaitListening(client, each.listen(), START);
            }
        } catch (IOException failed) {
            throw new IOException(near.name() + " as client " + failed.getMessage(), failed);
        }
        Thread.sleep(SETTLE);
        return this;
    }

    private void awaitSocket(Child listening) throws IOException, InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (!Files.exists(Path.of(wiring.socket()))) {
            if (!listening.alive() || System.nanoTime() > end) {
                throw new IOException("made no " + wiring.socket() + ": " + listening.lastWords());
            }
            Thread.sleep(10);
        }
    }

    /// The port that leads to a target, by its number from 0.
    int port(int target) {
        return wiring.forwards().get(target).listen();
    }

    Child client() {
        return client;
    }

    /// @throws IllegalStateException when there is none, which is so with [Protocol#FORWARD]
    Child server() {
        if (server == null) {
            throw new IllegalStateException(protocol + " has no server");
        }
        return server;
    }

    /// All processes.
    List<Child> engines() {
        return server == null ? List.of(client) : List.of(client, server);
    }

    /// A failure of a load program, and which engine is gone where one is.
    IOException explain(IOException failure) throws InterruptedException {
        String gone =
                gone(near, "client", client) + (server == null ? "" : gone(far, "server", server));
        return gone.isEmpty() ? failure : new IOException(failure.getMessage() + gone, failure);
    }

    private static String gone(Installed engine, String role, Child child)
            throws InterruptedException {
        Integer code = child.await(DYING);
        return code == null
                ? ""
                : "; "
                        + engine.name()
                        + " as "
                        + role
                        + " ended with "
                        + code
                        + ": "
                        + child.lastWords();
    }

    /// What every bed that needs no more than some protocols measures.
    ///
    /// @param full in the order of the report
    /// @param quick those of the short profile
    static List<Protocol> chosen(Settings settings, List<Protocol> full, Protocol... quick) {
        if (!settings.protocols().isEmpty()) {
            return full.stream().filter(settings.protocols()::contains).toList();
        }
        return settings.quick() ? Arrays.asList(quick) : full;
    }

    /// The protocol that a case names.
    static Protocol protocol(Case each) {
        return Protocol.of(each.label("protocol")).orElseThrow();
    }

    /// Processor seconds of some processes, by what they are called.
    static Map<String, @Nullable Object> cpu(Hop hop) {
        Map<String, @Nullable Object> cpu = new LinkedHashMap<>();
        cpu.put(CLIENT_CPU, hop.client.cpuSeconds());
        if (hop.server != null) {
            cpu.put("server_cpu_seconds", hop.server.cpuSeconds());
        }
        return cpu;
    }
}
