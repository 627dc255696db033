package sluice.lab.bed;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;
import sluice.lab.process.Child;
import sluice.lab.process.Ports;

/// Engines as clients: a forwarded port in, one protocol out, the same server for all.
public final class EngineBed implements Bed {

    private static final Measure THROUGHPUT = new Measure("throughput", "Mbit/s", true);
    private static final Measure CPU = new Measure("cpu", "s/GiB", false);
    private static final Measure MEMORY = new Measure("memory", "MiB", false);

    private static final Set<Protocol> QUICK =
            Set.of(Protocol.FORWARD, Protocol.SOCKS, Protocol.SS_AES128, Protocol.SS22_AES128);
    private static final List<Integer> STREAMS = List.of(1, 8, 64);

    /// Start and end of three processes and iperf3's own end.
    private static final Duration AROUND = Duration.ofSeconds(2);

    private static final Duration START = Duration.ofSeconds(20);
    private static final Duration TAIL = Duration.ofSeconds(20);

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public String about() {
        return "Each engine is the client: it listens on a forwarded port and speaks one protocol to"
                + " the reference server, which is the same for all engines. iperf3 sends through"
                + " it; the figure is the receiver's. Processor time and peak memory are those of"
                + " the client engine alone, read from outside over the measured seconds. Everything"
                + " runs on one machine over loopback, so that load, server and engine share its"
                + " cores: throughput is a figure of the whole chain, processor time of the engine.";
    }

    @Override
    public List<Measure> measures() {
        return List.of(THROUGHPUT, CPU, MEMORY);
    }

    @Override
    public List<Case> cases(Settings settings) {
        List<Case> cases = new ArrayList<>();
        for (Protocol protocol : protocols(settings)) {
            if (settings.quick()) {
                cases.add(of(protocol, "down", 8));
                continue;
            }
            for (String direction : List.of("down", "up")) {
                for (int streams : STREAMS) {
                    cases.add(of(protocol, direction, streams));
                }
            }
        }
        return cases;
    }

    private static List<Protocol> protocols(Settings settings) {
        Set<Protocol> asked = settings.protocols();
        return Arrays.stream(Protocol.values())
                .filter(each ->
                        asked.isEmpty()
                                ? !settings.quick() || QUICK.contains(each)
                                : asked.contains(each))
                .toList();
    }

    private static Case of(Protocol protocol, String direction, int streams) {
        return Case.of("protocol", protocol.id(), "direction", direction, "streams", streams + "");
    }

    @Override
    public Optional<String> missing() {
        return Iperf.missing();
    }

    @Override
    public boolean has(Case each, Installed engine) {
        return engine.engine().speaks(protocol(each), Role.CLIENT);
    }

    private static Protocol protocol(Case each) {
        return Protocol.of(each.label("protocol")).orElseThrow();
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        return AROUND.plusSeconds(settings.omit() + settings.seconds());
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        Protocol protocol = protocol(each);
        Installed reference = bench.reference();
        if (protocol != Protocol.FORWARD && !reference.engine().speaks(protocol, Role.SERVER)) {
            throw new UnsupportedCase(
                    "the reference server " + reference.name() + " has no " + protocol.id());
        }
        int target = bench.freePort();
        int listen = bench.freePort();
        int server = protocol == Protocol.FORWARD ? 0 : bench.freePort();
        Wiring wiring =
                new Wiring(
                        protocol,
                        List.of(new Wiring.Forward(listen, target)),
                        server,
                        bench.certificate().toString(),
                        bench.key().toString());
        Child sink = bench.program("iperf3 server", Iperf.server(target), Map.of());
        Child far = null;
        if (protocol != Protocol.FORWARD) {
            far = bench.engine("reference", reference, wiring, Role.SERVER);
        }
        Child near = bench.engine("under test", engine, wiring, Role.CLIENT);
        await("iperf3 server", sink, target, bench);
        if (far != null && protocol.overDatagrams()) {
            Ports.awaitDatagrams(far, server, START);
        } else if (far != null && protocol != Protocol.SOCKS_UNIX) {
            await("the reference server", far, server, bench);
        }
        await(engine.name(), near, listen, bench);
        return measure(each, settings, bench, near, far, listen);
    }

    private static void await(String who, Child child, int port, Bench bench)
            throws IOException, InterruptedException {
        try {
            bench.awaitListening(child, port, START);
        } catch (IOException failed) {
            throw new IOException(who + " " + failed.getMessage(), failed);
        }
    }

    private static Readings measure(
            Case each, Settings settings, Bench bench, Child near, @Nullable Child far, int listen)
            throws IOException, InterruptedException {
        int streams = Integer.parseInt(each.label("streams"));
        boolean down = each.label("direction").equals("down");
        Child client =
                bench.program("iperf3", Iperf.client(listen, streams, down, settings), Map.of());
        Iperf.awaitBegin(client, listen, streams);
        long begin = System.nanoTime();
        sleepUntil(begin + settings.omit() * 1_000_000_000L, client);
        near.resetPeak();
        Sample first = Sample.of(near, far, begin);
        sleepUntil(begin + (settings.omit() + settings.seconds()) * 1_000_000_000L, client);
        Sample last = Sample.of(near, far, begin);
        long peakKib = near.peakKib();
        Iperf.Result result = Iperf.await(client, TAIL);
        if (!near.alive()) {
            Integer code = near.await(Duration.ZERO);
            throw new IOException("ended with " + code + ": " + near.lastWords());
        }
        double cpuShare = (last.cpu - first.cpu) / (last.at - first.at);
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(THROUGHPUT.name(), rounded(result.mbitPerSecond()));
        values.put(CPU.name(), rounded(cpuShare / result.gibPerSecond()));
        values.put(MEMORY.name(), rounded(peakKib / 1024.0));
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        raw.put("begin", first.toJson());
        raw.put("end", last.toJson());
        raw.put("peak_kib", peakKib);
        raw.put("iperf3", result.raw());
        return new Readings(values, raw);
    }

    /// Processor time at a moment.
    ///
    /// @param at seconds since the test began
    /// @param cpu seconds of the engine under test
    /// @param reference seconds of the reference server
    private record Sample(double at, double cpu, double reference) {

        static Sample of(Child near, @Nullable Child far, long begin) {
            double at = (System.nanoTime() - begin) / 1e9;
            return new Sample(at, near.cpuSeconds(), far == null ? 0 : far.cpuSeconds());
        }

        Map<String, @Nullable Object> toJson() {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("seconds", rounded(at));
            json.put("cpu_seconds", rounded(cpu));
            json.put("reference_cpu_seconds", rounded(reference));
            return json;
        }
    }

    /// Sleeps, but not behind the end of the client: its error is then read at once.
    private static void sleepUntil(long nanoTime, Child client) throws InterruptedException {
        for (long left = nanoTime - System.nanoTime();
                left > 0 && client.alive();
                left = nanoTime - System.nanoTime()) {
            Thread.sleep(Math.min(left / 1_000_000 + 1, 50));
        }
    }

    /// Four digits behind the point; more is noise.
    static double rounded(double value) {
        return Math.round(value * 10_000) / 10_000.0;
    }
}
