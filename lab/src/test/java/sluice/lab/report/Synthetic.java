package sluice.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import sluice.lab.bed.Case;
import sluice.lab.bed.Measure;
import sluice.lab.bed.Settings;
import sluice.lab.engine.Protocol;
import sluice.lab.log.RunLog;
import sluice.lab.log.RunRecord;
import sluice.lab.log.RunRecord.Outcome;

/// Logs that nobody measured: figures from a seed, with every outcome that a log can hold.
final class Synthetic {
    static final Catalogue CATALOGUE =
            new Catalogue(
                    ordered(
                            "engine",
                            "One forwarded port in, one protocol out, the same server for all."
                                    + " Limits: <loopback> & one machine.",
                            "ladder",
                            "Every rung of wrapping on one core."),
                    Map.of(
                            "engine",
                            List.of(
                                    new Measure("throughput", "Mbit/s", true),
                                    new Measure("cpu", "s/GiB", false),
                                    new Measure("memory", "MiB", false)),
                            "ladder",
                            List.of(new Measure("speed", "MB/s", true))));

    static final List<String> ENGINES =
            List.of(
                    "sluice",
                    "sing-box",
                    "xray",
                    "v2ray",
                    "mihomo",
                    "shadowsocks-rust",
                    "shadowsocks-libev",
                    "haproxy");

    private final Random random;
    private int second;

    private Synthetic(long seed) {
        random = new Random(seed);
    }

    /// Three rounds of two beds with all protocols.
    static List<RunRecord> whole(long seed) {
        Synthetic synthetic = new Synthetic(seed);
        List<RunRecord> runs = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            for (Protocol protocol : Protocol.values()) {
                for (String direction : List.of("down", "up")) {
                    for (String streams : List.of("1", "8", "64")) {
                        Case each =
                                Case.of(
                                        "protocol",
                                        protocol.id(),
                                        "direction",
                                        direction,
                                        "streams",
                                        streams);
                        synthetic.engines(each, round, runs);
                    }
                }
                synthetic.rung(protocol, round, runs);
            }
        }
        return runs;
    }

    static RunLog.Content content(List<RunRecord> runs) {
        return new RunLog.Content(runs, List.of());
    }

    private void engines(Case each, int round, List<RunRecord> runs) {
        for (int i = 0; i < ENGINES.size(); i++) {
            String engine = ENGINES.get(i);
            double level = 9000.0 / (1 + Math.floorMod(each.toString().hashCode(), 7));
            double speed = level * (1 + 0.12 * random.nextGaussian() / 3) * (i == 0 ? 1.1 : 1);
            int luck = Math.floorMod((each + engine).hashCode(), 11);
            Outcome outcome =
                    i > 0 && luck < 3
                            ? Outcome.UNSUPPORTED
                            : luck == 5 && round == 2 ? Outcome.FAILED : Outcome.OK;
            if (i == 2 && luck == 4) {
                outcome = Outcome.FAILED;
            }
            runs.add(
                    run("engine", each, engine)
                            .round(round)
                            .outcome(outcome)
                            .busy(random.nextInt(40) == 0)
                            .values(
                                    ordered(
                                            "throughput",
                                            speed,
                                            "cpu",
                                            3000 / speed,
                                            "memory",
                                            20 + 10.0 * i + 3 * random.nextDouble()))
                            .record(++second));
        }
    }

    private void rung(Protocol protocol, int round, List<RunRecord> runs) {
        if (protocol.ordinal() < 21) {
            for (String engine : ENGINES.subList(0, 3)) {
                runs.add(
                        run("ladder", Case.of("protocol", protocol.id()), engine)
                                .round(round)
                                .values(ordered("speed", 500 + 500 * random.nextDouble()))
                                .record(++second));
            }
        }
    }

    /// A run that finished, to be changed.
    static Draft run(String bed, Case each, String engine) {
        return new Draft(bed, each, engine);
    }

    /// A record in the making.
    static final class Draft {
        private final String bed;
        private final Case each;
        private final String engine;
        private String settings = Settings.FULL.text();
        private String sha256;
        private String version;
        private String cpu = "Example CPU, 8 cores";
        private int round = 1;
        private Outcome outcome = Outcome.OK;
        private String reason =
                "under test: ended with 1: <panic> | \u001b[31mout of luck & memory";
        private boolean busy;
        private Map<String, Double> values = Map.of();

        private Draft(String bed, Case each, String engine) {
            this.bed = bed;
            this.each = each;
            this.engine = engine;
            sha256 = (engine.hashCode() & 0xffff) + "c0ffee".repeat(9);
            version = engine + " 1.2.3";
        }

        Draft round(int value) {
            round = value;
            return this;
        }

        Draft settings(String value) {
            settings = value;
            return this;
        }

        Draft binary(String newVersion, String newSha256) {
            version = newVersion;
            sha256 = newSha256;
            return this;
        }

        Draft cpu(String value) {
            cpu = value;
            return this;
        }

        Draft outcome(Outcome value) {
            outcome = value;
            return this;
        }

        Draft failed(String why) {
            outcome = Outcome.FAILED;
            reason = why;
            return this;
        }

        Draft busy(boolean value) {
            busy = value;
            return this;
        }

        Draft value(String measure, double figure) {
            return values(ordered(measure, figure));
        }

        Draft values(Map<String, Double> all) {
            values = all;
            return this;
        }

        /// @param second when, after the beginning of the log
        RunRecord record(int second) {
            Map<String, @Nullable Object> machine = new LinkedHashMap<>();
            machine.put("cpu", cpu);
            machine.put("kernel", "6.1.0 <example>");
            machine.put("sysctl", ordered("net.core.rmem_max", "212992"));
            machine.put("busy", busy);
            machine.put("busy_share", busy ? 0.42 : 0.01);
            machine.put("load", second % 3 * 0.1);
            Map<String, @Nullable Object> configs = new LinkedHashMap<>();
            if (outcome != Outcome.UNSUPPORTED) {
                String port = String.valueOf(20000 + second);
                configs.put(
                        "under test",
                        ordered("config.json", "{\"port\": " + port + ", \"a\": \"<b>|```\"}\n"));
            }
            return new RunRecord(
                    time(second),
                    "0.1.0",
                    bed,
                    settings,
                    each,
                    engine,
                    version,
                    sha256,
                    round,
                    outcome,
                    outcome == Outcome.FAILED ? reason : "",
                    outcome == Outcome.OK ? values : Map.of(),
                    Map.of(),
                    configs,
                    "sing-box 1.2.3",
                    outcome == Outcome.FAILED ? ordered("under test", 1L) : Map.of(),
                    machine);
        }

        private static String time(int second) {
            return java.time.Instant.parse("2026-01-02T03:04:05Z").plusSeconds(second).toString();
        }
    }

    @SuppressWarnings("unchecked")
    static <T> Map<String, T> ordered(Object... namesAndValues) {
        Map<String, T> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], (T) namesAndValues[i + 1]);
        }
        return map;
    }
}
