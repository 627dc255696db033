package sluice.lab.bed;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.json.Json;
import sluice.lab.load.EchoServer;
import sluice.lab.load.Knocker;

/// How many new connections an engine opens, and what one costs.
public final class RateBed implements Bed {

    private static final Measure RATE = new Measure("rate", "1/s", true);
    private static final Measure CPU = new Measure("cpu", "ms/connection", false);

    private static final List<Protocol> PROTOCOLS =
            List.of(Protocol.FORWARD, Protocol.SOCKS, Protocol.SS22_AES128);

    /// At a time; enough to keep two cores busy.
    private static final int WORKERS = 8;

    private static final double FULL_SECONDS = 5;
    private static final double QUICK_SECONDS = 1;

    /// More connections than one in so many may not fail.
    private static final int FAILURES = 100;

    @Override
    public String name() {
        return "rate";
    }

    @Override
    public String about() {
        return "The engine is the client and speaks to the reference server. Eight workers of the lab"
                + " open a connection through it, exchange one byte with an echo server behind it,"
                + " close it, and begin again, for 5 s (quick: 1 s) from the start of the engine, so"
                + " that what an engine needs to get going counts. The rate is that of the whole"
                + " chain, load included; processor time is the engine's alone. A run where more"
                + " than one connection in a hundred fails is no figure.";
    }

    @Override
    public List<Measure> measures() {
        return List.of(RATE, CPU);
    }

    @Override
    public List<Case> cases(Settings settings) {
        return Hop.chosen(settings, PROTOCOLS, Protocol.FORWARD).stream()
                .map(each -> Case.of("protocol", each.id()))
                .toList();
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public boolean has(Case each, Installed engine) {
        return engine.engine().speaks(Hop.protocol(each), Role.CLIENT);
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        return Duration.ofMillis(
                700 + (long) (1_000 * (settings.quick() ? QUICK_SECONDS : FULL_SECONDS)));
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        int target = bench.freePort();
        Load echo = Load.start(bench, EchoServer.class, target);
        Hop hop = Hop.ofClient(bench, Hop.protocol(each), engine, target);
        echo.awaitReady();
        hop.await(bench);
        double before = hop.client().cpuSeconds();
        Load knocker =
                Load.start(
                        bench,
                        Knocker.class,
                        hop.port(0),
                        WORKERS,
                        settings.quick() ? QUICK_SECONDS : FULL_SECONDS);
        Map<String, @Nullable Object> result;
        try {
            result = knocker.result(Duration.ofSeconds(60));
            complain(result);
        } catch (IOException failure) {
            throw hop.explain(failure);
        }
        double used = hop.client().cpuSeconds() - before;
        double count = Load.number(result, "count");
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(RATE.name(), EngineBed.rounded(count / Load.number(result, "seconds")));
        values.put(CPU.name(), EngineBed.rounded(used * 1_000 / count));
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        raw.put("knocker", result);
        raw.put("cpu_seconds", EngineBed.rounded(used));
        return new Readings(values, raw);
    }

    private static void complain(Map<String, @Nullable Object> result) throws IOException {
        double failed = Load.number(result, "failed");
        double count = Load.number(result, "count");
        if (count == 0 || failed * FAILURES > count) {
            throw new IOException(
                    "Knocker: of "
                            + (long) (count + failed)
                            + " connections "
                            + (long) failed
                            + " failed: "
                            + Json.write(result.get("reasons")));
        }
    }
}
