package sluice.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Launch;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;
import sluice.lab.run.FakeEngine;
import sluice.lab.run.LocalBench;

/// The beds that need iperf3, with an engine of a few lines. Figures are not looked at, only that
/// they hang together.
final class EngineBedTest {
    private static final Settings SHORT = new Settings("full", 1, 1, 1, Set.of());

    @TempDir private Path folder;

    private final EngineBed bed = new EngineBed();

    @BeforeEach
    void needsIperf() {
        Assumptions.assumeTrue(bed.missing().isEmpty(), "iperf3 is installed");
    }

    @Test
    void measuresAForwardedPort() throws Exception {
        Case each = Case.of("protocol", "forward", "direction", "down", "streams", "8");
        try (LocalBench bench = bench(forwarder())) {
            Readings readings = bed.run(each, forwarder(), SHORT, bench);
            assertThat(readings.values()).containsOnlyKeys("throughput", "cpu", "memory");
            assertThat(readings.values().get("throughput")).isGreaterThan(1);
            assertThat(readings.values().get("cpu")).isBetween(0.001, 1_000.0);
            // A JVM is no smaller.
            assertThat(readings.values().get("memory")).isBetween(15.0, 4_000.0);
            // On a busy machine the beginning is seen late, and the end is the end.
            assertThat(seconds(readings, "end") - seconds(readings, "begin")).isBetween(0.2, 3.0);
        }
    }

    @Test
    void anEngineThatEndsIsNamedWithItsLastWords() throws IOException {
        Installed crashes = FakeEngine.installed("crashes", "echo no such option; exit 2");
        Case each = Case.of("protocol", "forward", "direction", "up", "streams", "1");
        try (LocalBench bench = bench(crashes)) {
            assertThatThrownBy(() -> bed.run(each, crashes, SHORT, bench))
                    .hasMessage("crashes as client ended with 2: no such option");
        }
    }

    @Test
    void aReferenceWithoutTheProtocolIsNoFaultOfTheEngine() throws IOException {
        Case each = Case.of("protocol", "tuic", "direction", "up", "streams", "1");
        try (LocalBench bench = bench(forwarder())) {
            assertThatThrownBy(() -> bed.run(each, forwarder(), SHORT, bench))
                    .isInstanceOf(UnsupportedCase.class)
                    .hasMessage("the reference server forwarder has no tuic");
        }
    }

    @Test
    void theCeilingNeedsNoEngine() throws Exception {
        SelfCheckBed ceiling = new SelfCheckBed();
        List<Installed> ways = ceiling.engines(List.of());
        assertThat(ways).extracting(Installed::name).containsExactly("none", "kernel");
        Case each = ceiling.cases(Settings.QUICK).getFirst();
        try (LocalBench bench = bench(forwarder())) {
            Readings readings = ceiling.run(each, ways.getFirst(), Settings.QUICK, bench);
            assertThat(readings.values().get("throughput")).isGreaterThan(1);
            try {
                ceiling.run(each, ways.getLast(), Settings.QUICK, bench);
            } catch (UnsupportedCase none) {
                assertThat(none).hasMessageContaining("kernel");
            }
        }
    }

    @Test
    void hasTheCasesOfTheReports() {
        assertThat(bed.cases(Settings.FULL)).hasSize(Protocol.values().length * 6);
        assertThat(bed.cases(Settings.QUICK))
                .extracting(Case::toString)
                .containsExactly(
                        "forward down 8", "socks down 8", "ss-aes128 down 8", "ss22-aes128 down 8");
        Settings one = new Settings("full", 1, 0, 1, Set.of(Protocol.VLESS));
        assertThat(bed.cases(one))
                .extracting(each -> each.label("direction") + each.label("streams"))
                .containsExactly("down1", "down8", "down64", "up1", "up8", "up64");
    }

    private static double seconds(Readings readings, String moment) {
        return readings.raw().get(moment) instanceof Map<?, ?> sample
                        && sample.get("seconds") instanceof Double seconds
                ? seconds
                : Double.NaN;
    }

    private LocalBench bench(Installed reference) throws IOException {
        return new LocalBench(folder.resolve("bench"), folder, folder, reference);
    }

    private static Installed forwarder() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new Installed(new Forwarder(), Map.of("java", java), "1", "00");
    }

    /// A forwarded port in as few lines as there can be, as an engine and as its program.
    static final class Forwarder implements Engine {

        public static void main(String[] ports) throws IOException {
            InetAddress local = InetAddress.getLoopbackAddress();
            try (ServerSocket server = new ServerSocket(Integer.parseInt(ports[0]), 64, local)) {
                while (true) {
                    Socket near = server.accept();
                    Socket far = new Socket(local, Integer.parseInt(ports[1]));
                    Thread.ofPlatform().start(() -> copy(near, far));
                    Thread.ofPlatform().start(() -> copy(far, near));
                }
            }
        }

        private static void copy(Socket from, Socket to) {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
                to.shutdownOutput();
            } catch (IOException ended) {
                try {
                    from.close();
                    to.close();
                } catch (IOException again) {
                    throw new UncheckedIOException(again);
                }
            }
        }

        @Override
        public String name() {
            return "forwarder";
        }

        @Override
        public List<String> programs() {
            return List.of("java");
        }

        @Override
        public List<String> versionArguments() {
            return List.of();
        }

        @Override
        public String howToGet() {
            return "";
        }

        @Override
        public boolean speaks(Protocol protocol, Role role) {
            return protocol == Protocol.FORWARD;
        }

        @Override
        public Launch launch(Wiring wiring, Role role) {
            Wiring.Forward forward = wiring.forwards().getFirst();
            return new Launch(
                    Map.of(),
                    List.of(
                            "java",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Forwarder.class.getName(),
                            forward.listen() + "",
                            forward.target() + ""));
        }
    }
}
