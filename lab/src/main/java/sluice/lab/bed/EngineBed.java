package sluice.lab.bed;

import java.io.IOException;
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
import sluice.lab.process.Child;

/// Engines as clients: a forwarded port in, one protocol out, the same server for all.
public final class EngineBed implements Bed {

    private static final Measure THROUGHPUT = new Measure("throughput", "Mbit/s", true);
    private static final Measure CPU = new Measure("cpu", "s/GiB", false);
    private static final Measure MEMORY = new Measure("memory", "MiB", false);

    private static final List<Protocol> ALL = List.of(Protocol.values());
    private static final Protocol[] QUICK = {
        Protocol.FORWARD, Protocol.SOCKS, Protocol.SS_AES128, Protocol.SS22_AES128
    };
    private static final List<Integer> STREAMS = List.of(1, 8, 64);

    /// Start and end of three processes and iperf3's own end.
    private static final Duration AROUND = Duration.ofSeconds(2);

    private static final String AT = "seconds";
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
        for (Protocol protocol : Hop.chosen(settings, ALL, QUICK)) {
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

    private static Case of(Protocol protocol, String direction, int streams) {
        return Case.of("protocol", protocol.id(), "direction", direction, "streams", streams + "");
    }

    @Override
    public Optional<String> missing() {
        return Iperf.missing();
    }

    @Override
    public boolean has(Case each, Installed engine) {
        return engine.engine().speaks(Hop.protocol(each), Role.CLIENT);
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        return AROUND.plusSeconds(settings.omit() + settings.seconds());
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        int target = bench.freePort();
        Child sink = Iperf.startServer(bench, target);
        Hop hop = Hop.ofClient(bench, Hop.protocol(each), engine, target);
        Iperf.awaitServer(bench, sink, target);
        hop.await(bench);
        try {
            return measure(each, settings, bench, hop);
        } catch (IOException failure) {
            throw hop.explain(failure);
        }
    }

    private static Readings measure(Case each, Settings settings, Bench bench, Hop hop)
            throws IOException, InterruptedException {
        int streams = Integer.parseInt(each.label("streams"));
        boolean down = each.label("direction").equals("down");
        int listen = hop.port(0);
        Child near = hop.client();
        Child client =
                bench.program("iperf3", Iperf.client(listen, streams, down, settings), Map.of());
        Iperf.awaitBegin(client, listen, streams);
        long begin = System.nanoTime();
        sleepUntil(begin + settings.omit() * 1_000_000_000L, client);
        near.resetPeak();
        Map<String, @Nullable Object> first = sample(hop, begin);
        sleepUntil(begin + (settings.omit() + settings.seconds()) * 1_000_000_000L, client);
        Map<String, @Nullable Object> last = sample(hop, begin);
        long peakKib = near.peakKib();
        Iperf.Result result = Iperf.await(client, TAIL);
        if (!near.alive()) {
            throw new IOException("it did not last");
        }
        double cpuShare =
                (Load.number(last, Hop.CLIENT_CPU) - Load.number(first, Hop.CLIENT_CPU))
                        / (Load.number(last, AT) - Load.number(first, AT));
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(THROUGHPUT.name(), rounded(result.mbitPerSecond()));
        values.put(CPU.name(), rounded(cpuShare / result.gibPerSecond()));
        values.put(MEMORY.name(), rounded(peakKib / 1024.0));
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        raw.put("begin", first);
        raw.put("end", last);
        raw.put("peak_kib", peakKib);
        raw.put("iperf3", result.raw());
        return new Readings(values, raw);
    }

    /// Processor time of both engines, and how long the test has lasted.
    private static Map<String, @Nullable Object> sample(Hop hop, long begin) {
        Map<String, @Nullable Object> sample = new LinkedHashMap<>();
        sample.put(AT, (System.nanoTime() - begin) / 1e9);
        sample.putAll(Hop.cpu(hop));
        return sample;
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
