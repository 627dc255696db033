package sluice.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.run.LocalBench;

/// The beds with load programs of the lab, in their short settings, with an engine of a few lines.
/// Figures are not looked at, only that they hang together.
final class LoadBedsTest {

    @TempDir private Path folder;

    private final Installed relay = Relay.installed();

    @Test
    void theNodeMeasuresMemoryOfConnections() throws Exception {
        Readings readings = run(new NodeBed(), "protocol", "ss-aes128", "what", "fresh");
        assertThat(readings.values()).containsOnlyKeys("memory", "resident");
        // A JVM is no smaller.
        assertThat(readings.values().get("resident")).isBetween(15.0, 4_000.0);
        assertThat(readings.values().get("memory")).isBetween(-100.0, 2_000.0);
        assertThat(map(readings, "opened")).containsEntry("opened", 300L);
    }

    @Test
    void theNodeSaysHowManyAreHeldAndWhetherTheyAnswer() throws Exception {
        Readings readings = run(new NodeBed(), "protocol", "ss-aes128", "what", "held");
        Object opened = map(readings, "opened").getOrDefault("opened", "nothing");
        assertThat(readings.raw()).containsEntry("wanted", 200).containsKey("server_files");
        assertThat(opened).isInstanceOf(Long.class);
        long held = (Long) opened;
        assertThat(held).isBetween(100L, 200L);
        assertThat(map(readings, "check"))
                .containsEntry("answered", held + 50)
                .containsEntry("unasked", 0L);
    }

    @Test
    void theNodeMeasuresWhatAByteCosts() throws Exception {
        Readings readings = run(new NodeBed(), "protocol", "ss-aes128", "what", "cpu");
        assertThat(readings.values()).containsOnlyKeys("cpu");
        assertThat(readings.values().get("cpu")).isBetween(0.01, 100.0);
        assertThat(map(readings, "pump")).containsEntry("bytes", 256_000_000L);
    }

    @Test
    void theLadderMeasuresBothEndsOnOneCore() throws Exception {
        Readings readings = run(new LadderBed(), "protocol", "ss-aes128");
        assertThat(readings.values().get("throughput")).isGreaterThan(1);
        assertThat(map(readings, "pour")).containsEntry("bytes", 128_000_000L);
        assertThat(Optional.ofNullable(readings.raw().get("core")))
                .isEqualTo(OneCore.here().map(OneCore::number));
    }

    @Test
    void latencyIsMeasuredBesideLoadInTheSameProcess() throws Exception {
        Readings readings = run(new LatencyBed(), "protocol", "forward", "streams", "64");
        assertThat(readings.values()).containsOnlyKeys("p50", "p90", "p99", "p99.9");
        assertThat(readings.values().get("p50")).isPositive();
        assertThat((Long) readings.raw().get("load_bytes")).isPositive();
    }

    @Test
    void theRateCountsConnections() throws Exception {
        Readings readings = run(new RateBed(), "protocol", "forward");
        assertThat(readings.values()).containsOnlyKeys("rate", "cpu");
        assertThat(readings.values().get("rate")).isGreaterThan(1);
        assertThat(map(readings, "knocker")).containsEntry("failed", 0L);
    }

    @Test
    void wakingIsCountedWithIdleConnections() throws Exception {
        Readings readings = run(new WakeBed(), "protocol", "forward", "connections", "200");
        assertThat(readings.values()).containsOnlyKeys("cpu", "switches");
        assertThat(map(readings, "holder")).containsEntry("opened", 200L);
        assertThat((Double) readings.raw().get("seconds")).isBetween(2.9, 4.5);
    }

    @Test
    void anEngineThatEndsOnTheWayIsNamed() throws Exception {
        Installed frail = Relay.installed(60);
        Case each = Case.of("protocol", "ss-aes128", "what", "fresh");
        try (LocalBench bench = bench(relay)) {
            assertThatThrownBy(() -> new NodeBed().run(each, frail, Settings.QUICK, bench))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("Holder: of 300 connections ")
                    .hasMessageContaining("; relay as server ended with 3: had its 60 connections");
        }
        Case fast = Case.of("protocol", "forward");
        try (LocalBench bench = bench(relay)) {
            assertThatThrownBy(() -> new RateBed().run(fast, frail, Settings.QUICK, bench))
                    .hasMessageStartingWith("Knocker: of ")
                    .hasMessageContaining("; relay as client ended with 3");
        }
    }

    @Test
    void aReferenceWithoutTheProtocolIsNoFaultOfTheEngine() throws Exception {
        try (LocalBench bench = bench(relay)) {
            assertThatThrownBy(() -> Hop.ofServer(bench, Protocol.TUIC, relay, 1))
                    .isInstanceOf(UnsupportedCase.class)
                    .hasMessage("the reference client relay has no tuic");
            assertThatThrownBy(() -> Hop.ofClient(bench, Protocol.TUIC, relay, 1))
                    .isInstanceOf(UnsupportedCase.class)
                    .hasMessage("the reference server relay has no tuic");
        }
    }

    @Test
    void allShortCasesWithFourEnginesFitIntoAMinuteAndAHalf() {
        List<Bed> beds =
                List.of(
                        new NodeBed(),
                        new LadderBed(),
                        new LatencyBed(),
                        new RateBed(),
                        new WakeBed());
        Duration sum = Duration.ZERO;
        for (Bed bed : beds) {
            for (Case each : bed.cases(Settings.QUICK)) {
                sum = sum.plus(bed.estimate(each, Settings.QUICK));
                assertThat(bed.estimate(each, Settings.FULL))
                        .isGreaterThan(bed.estimate(each, Settings.QUICK));
            }
        }
        assertThat(sum.multipliedBy(4)).isLessThanOrEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void theLadderHasItsRungsInOrder() {
        assertThat(new LadderBed().cases(Settings.FULL))
                .hasSize(21)
                .extracting(Case::toString)
                .startsWith("forward", "vless", "socks", "ss-none")
                .contains("vless-xtls-direct", "vless-xtls-origin")
                .endsWith("vmess-ws-tls", "vmess-h2-tls");
        Case forward = Case.of("protocol", "forward");
        assertThat(new LadderBed().has(forward, relay)).isTrue();
        assertThat(new LadderBed().has(Case.of("protocol", "vless"), relay)).isFalse();
    }

    @Test
    void onlyProtocolsThatWereAskedForAreMeasured() {
        Settings one = new Settings("full", 1, 0, 1, Set.of(Protocol.SOCKS, Protocol.TUIC));
        assertThat(new LatencyBed().cases(one))
                .extracting(Case::toString)
                .containsExactly("socks 0", "socks 1", "socks 64");
        assertThat(new WakeBed().cases(one)).isEmpty();
        assertThat(new NodeBed().cases(one)).hasSize(8);
    }

    @Test
    void readsListsOfCoresAndLimitsOfFiles() throws IOException {
        assertThat(OneCore.allowed("Name:\tx\nCpus_allowed_list:\t0-2,5\n"))
                .containsExactly(0, 1, 2, 5);
        assertThat(OneCore.allowed("Cpus_allowed_list:\t3")).containsExactly(3);
        String limits =
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + "Max open files            1024                 524288              "
                        + " files     \n";
        assertThat(NodeBed.files(limits)).isEqualTo(1_024);
        assertThat(NodeBed.files(limits.replace("1024 ", "unlimited ")))
                .isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> NodeBed.files("nothing")).hasMessageContaining("open files");
    }

    private Readings run(Bed bed, String... labels) throws Exception {
        try (LocalBench bench = bench(relay)) {
            return bed.run(Case.of(labels), relay, Settings.QUICK, bench);
        }
    }

    private static Map<Object, Object> map(Readings readings, String key) {
        return readings.raw().get(key) instanceof Map<?, ?> map
                ? new HashMap<Object, Object>(map)
                : Map.of();
    }

    private LocalBench bench(Installed reference) throws IOException {
        return new LocalBench(folder.resolve("bench"), folder, folder, reference);
    }
}
