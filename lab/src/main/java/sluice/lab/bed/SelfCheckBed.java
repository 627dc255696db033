package sluice.lab.bed;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Launch;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;
import sluice.lab.process.Child;
import sluice.lab.process.Programs;

/// The ceiling: what iperf3 gets on this machine with no engine between, and with the kernel as the
/// engine.
public final class SelfCheckBed implements Bed {

    private static final Measure THROUGHPUT = new Measure("throughput", "Mbit/s", true);
    private static final Duration AROUND = Duration.ofSeconds(1);
    private static final Duration START = Duration.ofSeconds(10);
    private static final Duration TAIL = Duration.ofSeconds(20);

    private static final Way DIRECT = new Way("none");
    private static final Way KERNEL = new Way("kernel");

    /// What stands where an engine would.
    private record Way(String name) implements Engine {

        @Override
        public List<String> programs() {
            return List.of();
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
            return protocol == Protocol.FORWARD && role == Role.CLIENT;
        }

        @Override
        public Launch launch(Wiring wiring, Role role) {
            throw new IllegalStateException(name + " is no program");
        }
    }

    @Override
    public String name() {
        return "ceiling";
    }

    @Override
    public String about() {
        return "The bed measures itself: iperf3 over loopback with no engine between (none), and"
                + " through a port that the kernel redirects in a network namespace of its own"
                + " (kernel). No engine can be expected to be faster on this machine than the"
                + " first, and none that copies bytes than the second.";
    }

    @Override
    public List<Measure> measures() {
        return List.of(THROUGHPUT);
    }

    @Override
    public List<Case> cases(Settings settings) {
        List<Case> cases = new ArrayList<>();
        for (String direction : settings.quick() ? List.of("down") : List.of("down", "up")) {
            for (int streams : settings.quick() ? List.of(8) : List.of(1, 8, 64)) {
                cases.add(Case.of("direction", direction, "streams", streams + ""));
            }
        }
        return cases;
    }

    @Override
    public Optional<String> missing() {
        return Iperf.missing();
    }

    @Override
    public List<Installed> engines(List<Installed> found) {
        return List.of(
                new Installed(DIRECT, Map.of(), "iperf3 alone", ""),
                new Installed(KERNEL, Map.of(), "Linux " + System.getProperty("os.version"), ""));
    }

    @Override
    public boolean has(Case each, Installed engine) {
        return engine.engine() instanceof Way;
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        return AROUND.plusSeconds(settings.omit() + settings.seconds());
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        int streams = Integer.parseInt(each.label("streams"));
        boolean down = each.label("direction").equals("down");
        int target = bench.freePort();
        Child client;
        if (engine.engine().equals(KERNEL)) {
            int listen = bench.freePort();
            List<String> load = Iperf.client(listen, streams, down, settings);
            client = bench.program("iperf3", redirected(listen, target, load, bench), Map.of());
        } else {
            Iperf.awaitServer(bench, Iperf.startServer(bench, target), target);
            List<String> load = Iperf.client(target, streams, down, settings);
            client = bench.program("iperf3", load, Map.of());
        }
        Duration most = TAIL.plusSeconds(settings.omit() + settings.seconds());
        Iperf.Result result = Iperf.await(client, most);
        return new Readings(
                Map.of(THROUGHPUT.name(), EngineBed.rounded(result.mbitPerSecond())),
                Map.of("iperf3", result.raw()));
    }

    /// Server, redirection and client in one namespace, which ends with them. Needs no privileges
    /// where users may have namespaces.
    private static List<String> redirected(int listen, int target, List<String> load, Bench bench)
            throws IOException, InterruptedException {
        for (String program : List.of("unshare", "ip", "nft", "iperf3")) {
            if (Programs.onPath(program).isEmpty()) {
                throw new UnsupportedCase("the kernel's forward needs " + program + " on PATH");
            }
        }
        String prepare =
                "ip link set lo up && nft add table ip lab && nft 'add chain ip lab out { type nat"
                        + " hook output priority -100; }' && nft add rule ip lab out tcp dport "
                        + listen
                        + " redirect to :"
                        + target;
        Child check =
                bench.program(
                        "redirection", List.of("unshare", "-rn", "sh", "-c", prepare), Map.of());
        Integer code = check.await(START);
        if (code == null || code != 0) {
            throw new UnsupportedCase(
                    "the kernel refused to redirect a port: " + check.lastWords());
        }
        String script =
                prepare
                        + " && { "
                        + String.join(" ", Iperf.server(target))
                        + " >/dev/null & } && sleep 0.3 && exec "
                        + String.join(" ", load);
        return List.of("unshare", "-rn", "sh", "-c", script);
    }
}
