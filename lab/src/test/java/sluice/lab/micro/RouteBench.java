package sluice.lab.micro;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import sluice.base.config.ConfigNode;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.policy.route.Decision;
import sluice.policy.route.FlowFacts;
import sluice.policy.route.Network;
import sluice.policy.route.RouteOptions;
import sluice.policy.route.Router;

/// One routing decision, behind one rule with many domain suffixes.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class RouteBench {

    private static final Place PLACE = new Place("bench", 1, 1);

    /// How many suffixes the rule has.
    @Param({"10", "10000"})
    public int suffixes;

    private Router router = Router.of(options(1), "direct");
    private final FlowFacts hit = facts("www.site7.test");
    private final FlowFacts miss = facts("www.example.com");

    /// Compiles the rules.
    @Setup
    public void compile() {
        router = Router.of(options(suffixes), "direct");
    }

    /// A name that the rule has.
    @Benchmark
    public Decision hit() {
        return router.decide(hit);
    }

    /// A name that it has not.
    @Benchmark
    public Decision miss() {
        return router.decide(miss);
    }

    private static FlowFacts facts(String name) {
        return FlowFacts.of(
                "in",
                Network.STREAM,
                new Destination(Host.parse(name), 443),
                new Endpoint(IpAddress.LOOPBACK_V4, 40_000),
                null);
    }

    private static RouteOptions options(int suffixes) {
        List<ConfigNode> names =
                IntStream.range(0, suffixes)
                        .mapToObj(i -> (ConfigNode) text("site" + i + ".test"))
                        .toList();
        ConfigNode rule =
                mapping("domain_suffix", new ConfigNode.Items(PLACE, names), "outbound", text("x"));
        ConfigNode route = mapping("rules", new ConfigNode.Items(PLACE, List.of(rule)));
        Findings findings = new Findings();
        RouteOptions options = RouteOptions.SHAPE.read(route, "route", findings);
        if (options == null) {
            throw new AssertionError(findings.report());
        }
        return options;
    }

    private static ConfigNode.Scalar text(String text) {
        return new ConfigNode.Scalar(PLACE, ConfigNode.Scalar.Type.TEXT, text);
    }

    private static ConfigNode mapping(Object... keysAndValues) {
        return new ConfigNode.Mapping(
                PLACE,
                IntStream.range(0, keysAndValues.length / 2)
                        .mapToObj(i ->
                                new ConfigNode.Mapping.Entry(
                                        (String) keysAndValues[2 * i],
                                        PLACE,
                                        (ConfigNode) keysAndValues[2 * i + 1]))
                        .toList());
    }
}
