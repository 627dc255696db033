package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;
import sluice.base.random.Entropy;
import sluice.base.time.WallClock;
import sluice.engine.Engine;
import sluice.engine.EngineOptions;
import sluice.engine.loop.LoopCounters;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.OutboundPlan;
import sluice.engine.plan.Plan;
import sluice.policy.limit.LimitOptions;
import sluice.policy.route.RouteOptions;
import sluice.policy.route.Router;
import sluice.policy.route.RuleOptions;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.StreamService;
import sluice.testkit.Eventually;

/// An engine for one test: told what to do, started, and at the end asked whether it has given
/// everything back: conversations, buffers, sockets, pipes and threads. Tests close their own
/// sockets before it.
final class Rig implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int PATIENCE_MILLIS = (int) PATIENCE.toMillis();
    private static final Endpoint ANYWHERE = new Endpoint(IpAddress.LOOPBACK_V4, 0);

    private final long descriptorsBefore = descriptors();
    private OperatingSystem system;
    private int loops = 2;
    private long bufferBytes = EngineOptions.BUFFER_BYTES;
    private LimitOptions limits = LimitOptions.UNLIMITED;
    private final Names names = new Names();
    private final Map<String, InboundPlan> inbounds = new LinkedHashMap<>();
    private final Map<String, OutboundPlan> outbounds = new LinkedHashMap<>();
    private List<RuleOptions> rules = List.of();
    private List<StreamService> services = List.of();
    private long halfClosedNanos = Plan.HALF_CLOSED_NANOS;
    private int internalErrors;
    private @Nullable Engine engine;
    private boolean stopped;

    private Rig(OperatingSystem system) {
        this.system = system;
    }

    static Rig on(Driver driver) {
        return new Rig(driver.system());
    }

    // Before the start

    Rig loops(int count) {
        loops = count;
        return this;
    }

    Rig buffers(long bytes) {
        bufferBytes = bytes;
        return this;
    }

    Rig limits(LimitOptions options) {
        limits = options;
        return this;
    }

    /// Puts each driver into a shell.
    Rig shell(UnaryOperator<LoopDriver> shell) {
        system = DriverShell.around(system, shell);
        return this;
    }

    Rig inbound(String tag, Inbound protocol) {
        return inbound(inboundPlan(tag, protocol));
    }

    Rig inbound(InboundPlan plan) {
        inbounds.put(plan.tag(), plan);
        return this;
    }

    /// The first one is what rules that do not decide use.
    Rig outbound(OutboundPlan plan) {
        outbounds.put(plan.tag(), plan);
        return this;
    }

    Rig rules(RuleOptions... those) {
        rules = List.of(those);
        return this;
    }

    Rig services(List<StreamService> those) {
        services = those;
        return this;
    }

    Rig halfClosed(Duration silence) {
        halfClosedNanos = silence.toNanos();
        return this;
    }

    /// This test makes our own code fail that often.
    Rig expectInternalErrors(int count) {
        internalErrors = count;
        return this;
    }

    Names names() {
        return names;
    }

    Rig start() {
        Random random = new Random(1);
        Entropy entropy =
                (array, offset, length) -> {
                    for (int i = 0; i < length; i++) {
                        array[offset + i] = (byte) random.nextInt();
                    }
                };
        WallClock wall = () -> System.currentTimeMillis() / 1000;
        EngineOptions options = new EngineOptions(loops, bufferBytes, limits);
        engine = new Engine(system, options, () -> entropy, wall, names, plan());
        engine.open();
        return this;
    }

    /// The plan as told so far.
    Plan plan() {
        String first = outbounds.isEmpty() ? "none" : outbounds.keySet().iterator().next();
        Router router = Router.of(new RouteOptions(rules, null, List.of()), first);
        return new Plan(
                List.copyOf(inbounds.values()),
                Map.copyOf(outbounds),
                router,
                services,
                halfClosedNanos);
    }

    /// An inbound on a port that the kernel chooses, with defaults everywhere.
    static InboundPlan inboundPlan(String tag, Inbound protocol) {
        return inboundPlan(tag, protocol, ANYWHERE);
    }

    static InboundPlan inboundPlan(String tag, Inbound protocol, Endpoint at) {
        return new InboundPlan(
                tag,
                List.of(at),
                ListenOptions.DEFAULT,
                null,
                protocol,
                protocol,
                InboundPlan.HANDSHAKE_NANOS,
                InboundPlan.DATAGRAM_IDLE_NANOS);
    }

    static InboundPlan withTimes(InboundPlan plan, Duration handshake, Duration datagramIdle) {
        return new InboundPlan(
                plan.tag(),
                plan.at(),
                plan.listen(),
                plan.preface(),
                plan.protocol(),
                plan.identity(),
                handshake.toNanos(),
                datagramIdle.toNanos());
    }

    // While it runs

    Engine engine() {
        if (engine == null) {
            throw new AssertionError("not started");
        }
        return engine;
    }

    LoopCounters counters() {
        return engine().counters();
    }

    /// Follows the plan as told by now.
    void reload() {
        engine().replace(plan());
    }

    /// Forgets an inbound or outbound, for a reload.
    Rig without(String tag) {
        inbounds.remove(tag);
        outbounds.remove(tag);
        return this;
    }

    /// Where the inbound listens.
    Endpoint at(String tag) {
        return engine().boundTo(tag).getFirst();
    }

    /// A connection to the inbound. Its reads give up after a while.
    Socket connect(String tag) throws IOException {
        Endpoint at = at(tag);
        Socket socket = new Socket(InetAddress.ofLiteral(at.address().toString()), at.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /// Waits until no conversation is open.
    void awaitIdle() {
        Eventually.await(
                PATIENCE,
                () -> "the end of " + engine().conversations() + " conversations",
                () -> engine().conversations() == 0);
    }

    // The end

    /// Stops the engine, after which it is no longer asked for what it holds.
    void stop(Duration drain) {
        stopped = true;
        engine().stop(drain.toNanos());
    }

    @Override
    public void close() {
        Engine running = engine;
        if (running == null) {
            return;
        }
        try {
            if (!stopped) {
                checkIdle(running);
            }
        } finally {
            if (!stopped) {
                running.stop(0);
            }
        }
        Eventually.await(
                PATIENCE,
                () -> "sockets to be closed: " + descriptors() + ", before " + descriptorsBefore,
                () -> descriptors() <= descriptorsBefore);
    }

    private void checkIdle(Engine running) {
        awaitIdle();
        Eventually.await(
                PATIENCE,
                () -> running.buffersInUse() + " buffers to come back",
                () -> running.buffersInUse() == 0);
        assertThat(running.admission().connections()).as("connections counted").isZero();
        assertThat(running.admission().handshakes()).as("handshakes counted").isZero();
        LoopCounters counters = running.counters();
        assertThat(counters.internalErrors).as("internal errors").isEqualTo(internalErrors);
        assertThat(counters.flowsClosed).as("flows closed").isEqualTo(counters.flowsOpened);
        assertThat(counters.datagramFlowsClosed)
                .as("datagram flows closed")
                .isEqualTo(counters.datagramFlowsOpened);
        assertThat(running.budget().peakBytes())
                .as("peak of buffer memory")
                .isLessThanOrEqualTo(running.budget().limitBytes());
    }

    /// Sockets and pipes of this process, without those that the virtual machine makes for itself.
    static long descriptors() {
        long count = 0;
        String local = localSockets();
        try (var entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                String target = targetOrEmpty(entry);
                String inode = target.replaceAll("\\D", "");
                if (target.startsWith("pipe:")
                        || (target.startsWith("socket:") && !local.contains(" " + inode + " "))) {
                    count++;
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return count;
    }

    private static String localSockets() {
        try {
            return Files.readString(Path.of("/proc/self/net/unix")).replace('\n', ' ');
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String targetOrEmpty(Path entry) {
        try {
            return Files.readSymbolicLink(entry).toString();
        } catch (IOException gone) {
            return "";
        }
    }
}
