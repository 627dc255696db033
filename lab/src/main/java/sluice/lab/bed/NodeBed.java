package sluice.lab.bed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.load.EchoPump;
import sluice.lab.load.EchoServer;
import sluice.lab.load.Holder;
import sluice.lab.process.Child;

/// Engines as servers for many users: what an idle connection holds, what a byte costs.
public final class NodeBed implements Bed {

    private static final Measure MEMORY = new Measure("memory", "KB/connection", false);
    private static final Measure RESIDENT = new Measure("resident", "MiB", false);
    private static final Measure CPU = new Measure("cpu", "s/GB", false);

    private static final List<Protocol> PROTOCOLS =
            List.of(
                    Protocol.VLESS,
                    Protocol.TROJAN,
                    Protocol.SS22_AES128,
                    Protocol.SS_AES128,
                    Protocol.VMESS_AES128,
                    Protocol.SOCKS,
                    Protocol.HTTP,
                    Protocol.ANYTLS,
                    Protocol.HYSTERIA2,
                    Protocol.TUIC);

    /// What is measured of a protocol.
    private static final String FRESH = "fresh";

    private static final String USED = "used";
    private static final String HELD = "held";
    private static final String PUMPED = "cpu";

    private static final int FRESH_BYTES = 64;
    private static final int USED_BYTES = 256 * 1024;
    private static final int WARM_UP = 50;

    /// Files that a process needs for itself.
    private static final int OWN_FILES = 200;

    private static final long FULL_PUMPED = 4_000_000_000L;
    private static final long QUICK_PUMPED = 256_000_000;

    /// The slowest engine with the slowest protocol on a small machine.
    private static final long LEAST_BYTES_PER_SECOND = 10_000_000;

    @Override
    public String name() {
        return "node";
    }

    @Override
    public String about() {
        return "The engine is the server, the reference engine its client, with a fresh server process"
                + " for every figure. Memory: after 50 connections to warm up, so many more are"
                + " opened through it and then idle: fresh are 3,000 (quick: 300) that carried 64"
                + " bytes, used are 1,000 that carried 256 KiB each way, held are 10,000 (quick:"
                + " 200) fresh ones as far as the limits of open files allow. The figure is the"
                + " growth of the server's resident memory, read after a pause, divided by the"
                + " connections; KB are 1,024 bytes. A runtime that took its memory before grows"
                + " less, even below zero, which is why all of the server's resident memory at that"
                + " moment is shown beside it."
                + " Sockets and their buffers in the kernel are in neither. CPU: one"
                + " connection sends 4 GB (quick: 256 MB) to an echo server and takes them back at"
                + " the same time; the server's processor time divided by the GB (10^9 bytes) sent,"
                + " each of which passes the server twice.";
    }

    @Override
    public List<Measure> measures() {
        return List.of(MEMORY, RESIDENT, CPU);
    }

    @Override
    public List<Case> cases(Settings settings) {
        List<Case> cases = new ArrayList<>();
        List<String> whats =
                settings.quick() ? List.of(FRESH, PUMPED) : List.of(FRESH, USED, PUMPED, HELD);
        for (Protocol protocol : Hop.chosen(settings, PROTOCOLS, Protocol.SS_AES128)) {
            for (String what : whats) {
                cases.add(Case.of("protocol", protocol.id(), "what", what));
            }
        }
        return cases;
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public boolean has(Case each, Installed engine) {
        return engine.engine().speaks(Hop.protocol(each), Role.SERVER);
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        if (settings.quick()) {
            return Duration.ofMillis(each.label("what").equals(PUMPED) ? 2_100 : 3_000);
        }
        return Duration.ofSeconds(
                switch (each.label("what")) {
                    case FRESH -> 13;
                    case USED -> 15;
                    case HELD -> 21;
                    default -> 21;
                });
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        int target = bench.freePort();
        Load echo = Load.start(bench, EchoServer.class, target);
        Hop hop = Hop.ofServer(bench, Hop.protocol(each), engine, target);
        echo.awaitReady();
        hop.await(bench);
        try {
            return each.label("what").equals(PUMPED)
                    ? pump(hop, settings, bench)
                    : hold(each.label("what"), hop, echo, settings, bench);
        } catch (IOException failure) {
            throw hop.explain(failure);
        }
    }

    private static Readings pump(Hop hop, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        long bytes = settings.quick() ? QUICK_PUMPED : FULL_PUMPED;
        double before = hop.server().cpuSeconds();
        Map<String, @Nullable Object> result =
                Load.start(bench, EchoPump.class, hop.port(0), bytes)
                        .success(Duration.ofSeconds(30 + bytes / LEAST_BYTES_PER_SECOND));
        double used = hop.server().cpuSeconds() - before;
        double gigabytes = Load.number(result, "bytes") / 1e9;
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        raw.put("pump", result);
        raw.put("cpu_seconds", EngineBed.rounded(used));
        return new Readings(Map.of(CPU.name(), EngineBed.rounded(used / gigabytes)), raw);
    }

    private static Readings hold(String what, Hop hop, Load echo, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        Child server = hop.server();
        Load holder = Load.start(bench, Holder.class, hop.port(0));
        int bytes = what.equals(USED) ? USED_BYTES : FRESH_BYTES;
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        try (Holding holding = new Holding(holder.awaitReady())) {
            int wanted =
                    switch (what) {
                        case FRESH -> settings.quick() ? 300 : 3_000;
                        case USED -> settings.quick() ? 100 : 1_000;
                        default ->
                                mostHeld(settings.quick() ? 200 : 10_000, hop, holder, echo, raw);
                    };
            holding.openAll(WARM_UP, bytes);
            Thread.sleep(settings.quick() ? 400 : 3_000);
            long before = server.residentKib();
            Map<String, @Nullable Object> opened =
                    what.equals(HELD)
                            ? holding.open(wanted, bytes)
                            : holding.openAll(wanted, bytes);
            Thread.sleep(settings.quick() ? 600 : 4_000);
            long after = server.residentKib();
            double count = Load.number(opened, "opened");
            if (count == 0) {
                throw new IOException("Holder: no connection opened: " + opened.get("reasons"));
            }
            raw.put("resident_kib_before", before);
            raw.put("resident_kib_after", after);
            raw.put("opened", opened);
            if (what.equals(HELD)) {
                raw.put("check", holding.check());
            }
            double each = (after - before) / count;
            Map<String, Double> values = new LinkedHashMap<>();
            values.put(MEMORY.name(), EngineBed.rounded(each));
            values.put(RESIDENT.name(), EngineBed.rounded(after / 1024.0));
            return new Readings(values, raw);
        }
    }

    /// As many as are wanted, and the processes have files for. An engine needs two for each.
    private static int mostHeld(
            int wanted, Hop hop, Load holder, Load echo, Map<String, @Nullable Object> raw)
            throws IOException {
        long server = files(hop.server().pid());
        long client = files(hop.client().pid());
        long lab = Math.min(files(holder.child().pid()), files(echo.child().pid()));
        raw.put("wanted", wanted);
        raw.put("server_files", server);
        raw.put("client_files", client);
        raw.put("lab_files", lab);
        long both = (Math.min(server, client) - OWN_FILES) / 2;
        return Math.clamp(Math.min(both, lab - OWN_FILES) - WARM_UP, 1, wanted);
    }

    private static long files(long pid) throws IOException {
        return files(Files.readString(Path.of("/proc", pid + "", "limits")));
    }

    /// The soft limit of open files in the text of `/proc/PID/limits`.
    static long files(String limits) throws IOException {
        for (String line : limits.split("\n")) {
            if (line.startsWith("Max open files")) {
                String soft = line.substring("Max open files".length()).trim().split("\\s+")[0];
                return soft.equals("unlimited") ? Integer.MAX_VALUE : Long.parseLong(soft);
            }
        }
        throw new IOException("no limit of open files in /proc");
    }
}
