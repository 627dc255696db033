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
import sluice.lab.load.EchoServer;
import sluice.lab.load.Pinger;
import sluice.lab.load.Pour;
import sluice.lab.load.Sink;

/// Round trips of one hop, at rest and beside load in the same engine process.
public final class LatencyBed implements Bed {

    private static final List<Measure> MEASURES =
            List.of(
                    new Measure("p50", "µs", false),
                    new Measure("p90", "µs", false),
                    new Measure("p99", "µs", false),
                    new Measure("p99.9", "µs", false));

    private static final List<Protocol> PROTOCOLS =
            List.of(Protocol.FORWARD, Protocol.SOCKS, Protocol.SS22_AES128, Protocol.SS_AES128);
    private static final List<Integer> STREAMS = List.of(0, 1, 64);
    private static final List<Integer> QUICK_STREAMS = List.of(0, 64);

    private static final int FULL_COUNT = 20_000;
    private static final int QUICK_COUNT = 2_000;
    private static final double FULL_SECONDS = 10;
    private static final double QUICK_SECONDS = 0.6;

    /// More than any engine carries before it is ended.
    private static final long ENDLESS = 1L << 50;

    /// Until the streams of the load run at their pace.
    private static final int SETTLE_MILLIS = 300;

    private static final Duration LOAD_BEGINS = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String about() {
        return "The engine is the client and speaks to the reference server. 64 bytes go over one"
                + " connection to an echo server and back, one after the other, up to 20,000 times"
                + " or 10 s (quick: 2,000 times or 0.6 s); the first tenth is dropped. At rest, and"
                + " while a second port of the same engine process carries streams as fast as they"
                + " go: that load also takes its share of the machine and of the reference server."
                + " Percentiles are values that occurred, by nearest rank; of fewer than 1,000 round"
                + " trips p99.9 is the slowest.";
    }

    @Override
    public List<Measure> measures() {
        return MEASURES;
    }

    @Override
    public List<Case> cases(Settings settings) {
        List<Case> cases = new ArrayList<>();
        for (Protocol protocol : Hop.chosen(settings, PROTOCOLS, Protocol.FORWARD)) {
            for (int streams : settings.quick() ? QUICK_STREAMS : STREAMS) {
                cases.add(Case.of("protocol", protocol.id(), "streams", streams + ""));
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
        boolean ports = each.label("streams").equals("0") || engine.engine().mostForwards() > 1;
        return ports && engine.engine().speaks(Hop.protocol(each), Role.CLIENT);
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        boolean rest = each.label("streams").equals("0");
        if (settings.quick()) {
            return Duration.ofMillis(rest ? 900 : 2_400);
        }
        return Duration.ofSeconds(rest ? 4 : 13);
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        int streams = Integer.parseInt(each.label("streams"));
        int echoes = bench.freePort();
        int swallows = bench.freePort();
        Load echo = Load.start(bench, EchoServer.class, echoes);
        Load sink = streams == 0 ? null : Load.start(bench, Sink.class, swallows);
        int[] targets = streams == 0 ? new int[] {echoes} : new int[] {echoes, swallows};
        Hop hop = Hop.ofClient(bench, Hop.protocol(each), engine, targets);
        echo.awaitReady();
        if (sink != null) {
            sink.awaitReady();
        }
        hop.await(bench);
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        Map<String, @Nullable Object> result;
        try {
            result =
                    streams == 0
                            ? ping(hop, settings, bench)
                            : pingBesideLoad(hop, settings, bench, streams, swallows, raw);
        } catch (IOException failure) {
            throw hop.explain(failure);
        }
        raw.put("pinger", result);
        Map<String, Double> values = new LinkedHashMap<>();
        for (Measure measure : MEASURES) {
            values.put(measure.name(), Load.number(result, measure.name()));
        }
        return new Readings(values, raw);
    }

    private static Map<String, @Nullable Object> ping(Hop hop, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        return Load.start(
                        bench,
                        Pinger.class,
                        hop.port(0),
                        settings.quick() ? QUICK_COUNT : FULL_COUNT,
                        settings.quick() ? QUICK_SECONDS : FULL_SECONDS)
                .success(Duration.ofSeconds(60));
    }

    private static Map<String, @Nullable Object> pingBesideLoad(
            Hop hop,
            Settings settings,
            Bench bench,
            int streams,
            int sink,
            Map<String, @Nullable Object> raw)
            throws IOException, InterruptedException {
        Load pour = Load.start(bench, Pour.class, hop.port(1), streams, ENDLESS, 0);
        long end = System.nanoTime() + LOAD_BEGINS.toNanos();
        while (Sink.total(sink) == 0) {
            if (!pour.child().alive()) {
                pour.success(Duration.ofSeconds(1));
            }
            if (System.nanoTime() > end) {
                throw new IOException(
                        "Pour: none of its bytes arrived within " + LOAD_BEGINS.toSeconds() + " s");
            }
            Thread.sleep(10);
        }
        Thread.sleep(SETTLE_MILLIS);
        long before = Sink.total(sink);
        long begin = System.nanoTime();
        Map<String, @Nullable Object> result = ping(hop, settings, bench);
        double seconds = (System.nanoTime() - begin) / 1e9;
        long carried = Sink.total(sink) - before;
        if (!pour.child().alive()) {
            pour.success(Duration.ofSeconds(1));
        }
        raw.put("load_bytes", carried);
        raw.put("load_seconds", EngineBed.rounded(seconds));
        pour.child().stop();
        return result;
    }
}
