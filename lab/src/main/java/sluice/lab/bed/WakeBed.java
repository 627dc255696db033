package sluice.lab.bed;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.load.EchoServer;
import sluice.lab.load.Holder;
import sluice.lab.process.Child;

/// What an engine does while nothing happens: what a battery feels.
public final class WakeBed implements Bed {

    private static final Measure CPU = new Measure("cpu", "ms/min", false);
    private static final Measure SWITCHES = new Measure("switches", "1/min", false);

    private static final List<Protocol> PROTOCOLS = List.of(Protocol.FORWARD, Protocol.SS22_AES128);
    private static final List<Integer> CONNECTIONS = List.of(0, 1_000);

    /// What each connection carries before it idles, in bytes.
    private static final int BYTES = 64;

    private static final double FULL_SECONDS = 30;
    private static final double QUICK_SECONDS = 3;
    private static final double FULL_SETTLE = 5;
    private static final double QUICK_SETTLE = 0.5;

    @Override
    public String name() {
        return "wake";
    }

    @Override
    public String about() {
        return "The engine is the client, with no connection or with 1,000 that carried 64 bytes and"
                + " then idle. After 5 s to settle (quick: 0.5 s) its processor time and the context"
                + " switches of all its threads are read from outside, 30 s (quick: 3 s) apart, and"
                + " scaled to a minute. Processor time is the scheduler's own count in nanoseconds"
                + " where the kernel shows it. It says nothing of radios or timers of a phone.";
    }

    @Override
    public List<Measure> measures() {
        return List.of(CPU, SWITCHES);
    }

    @Override
    public List<Case> cases(Settings settings) {
        List<Case> cases = new ArrayList<>();
        for (Protocol protocol : Hop.chosen(settings, PROTOCOLS, Protocol.FORWARD)) {
            for (int connections : CONNECTIONS) {
                cases.add(Case.of("protocol", protocol.id(), "connections", connections + ""));
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
        return engine.engine().speaks(Hop.protocol(each), Role.CLIENT);
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        boolean none = each.label("connections").equals("0");
        return settings.quick()
                ? Duration.ofMillis(none ? 3_800 : 4_900)
                : Duration.ofSeconds(none ? 36 : 38);
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        int connections = Integer.parseInt(each.label("connections"));
        int target = bench.freePort();
        Load echo = connections == 0 ? null : Load.start(bench, EchoServer.class, target);
        Hop hop = Hop.ofClient(bench, Hop.protocol(each), engine, target);
        hop.await(bench);
        if (echo == null) {
            return watch(hop, settings, new LinkedHashMap<>());
        }
        echo.awaitReady();
        Load holder = Load.start(bench, Holder.class, hop.port(0));
        try (Holding holding = new Holding(holder.awaitReady())) {
            Map<String, @Nullable Object> raw = new LinkedHashMap<>();
            raw.put("holder", holding.openAll(connections, BYTES));
            return watch(hop, settings, raw);
        } catch (IOException failure) {
            throw hop.explain(failure);
        }
    }

    private static Readings watch(Hop hop, Settings settings, Map<String, @Nullable Object> raw)
            throws IOException, InterruptedException {
        Child engine = hop.client();
        sleep(settings.quick() ? QUICK_SETTLE : FULL_SETTLE);
        Idle before = Idle.of(engine);
        long begin = System.nanoTime();
        sleep(settings.quick() ? QUICK_SECONDS : FULL_SECONDS);
        Idle after = Idle.of(engine);
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (!engine.alive()) {
            throw hop.explain(new IOException("it did not last"));
        }
        // A thread that ended takes its counts along.
        double millis = Math.max(0, after.cpuSeconds - before.cpuSeconds) * 1_000;
        long switches = Math.max(0, after.switches - before.switches);
        raw.put("seconds", EngineBed.rounded(seconds));
        raw.put("cpu_ms", EngineBed.rounded(millis));
        raw.put("cpu_from", before.source);
        raw.put("switches", switches);
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(CPU.name(), EngineBed.rounded(millis * 60 / seconds));
        values.put(SWITCHES.name(), EngineBed.rounded(switches * 60 / seconds));
        return new Readings(values, raw);
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep((long) (seconds * 1_000));
    }

    /// Counts of a process at a moment.
    private record Idle(double cpuSeconds, String source, long switches) {

        static Idle of(Child child) {
            long nanos = schedulerNanos(child.pid());
            return nanos > 0
                    ? new Idle(nanos / 1e9, "schedstat", child.contextSwitches())
                    : new Idle(child.cpuSeconds(), "stat", child.contextSwitches());
        }

        /// The first figure of each thread's `schedstat`: ticks of 10 ms are too coarse for an
        /// engine that does next to nothing.
        private static long schedulerNanos(long pid) {
            Stream<Long> descendants =
                    ProcessHandle.of(pid).stream()
                            .flatMap(ProcessHandle::descendants)
                            .map(ProcessHandle::pid);
            return Stream.concat(Stream.of(pid), descendants)
                    .mapToLong(each -> threads(Path.of("/proc", each + "", "task")))
                    .sum();
        }

        private static long threads(Path tasks) {
            long nanos = 0;
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
                for (Path thread : threads) {
                    nanos += nanos(thread.resolve("schedstat"));
                }
            } catch (IOException | DirectoryIteratorException gone) {
                return nanos;
            }
            return nanos;
        }

        private static long nanos(Path schedstat) {
            try {
                return Long.parseLong(Files.readString(schedstat).trim().split(" ")[0]);
            } catch (IOException | NumberFormatException gone) {
                return 0;
            }
        }
    }
}
