package sluice.engine;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.BufBudget;
import sluice.base.fault.SystemFault;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.base.os.OperatingSystem;
import sluice.base.random.Entropy;
import sluice.base.time.WallClock;
import sluice.engine.flow.Station;
import sluice.engine.listen.Gate;
import sluice.engine.loop.Loop;
import sluice.engine.loop.LoopCounters;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.Plan;
import sluice.policy.dns.NameResolver;
import sluice.policy.limit.Admission;

/// Loops, what listens on them, and the plan they follow. Its methods are called by one control
/// thread at a time; they send commands to the loops and wait.
public final class Engine {

    private static final System.Logger LOG = System.getLogger("sluice.engine");

    private final BufBudget budget;
    private final Admission admission;
    private final List<Station> stations = new ArrayList<>();
    private final Map<String, List<Gate>> gates = new HashMap<>();
    private final List<Late> late = new ArrayList<>();
    private volatile Plan plan;
    private Plan opening;
    private int nextHome;

    /// A gate whose address is not there yet.
    private record Late(InboundPlan inbound, Endpoint at) {}

    /// Makes an engine and starts its loops; it listens on nothing yet.
    ///
    /// @param entropy makes one for each loop
    public Engine(
            OperatingSystem system,
            EngineOptions options,
            Supplier<Entropy> entropy,
            WallClock wall,
            NameResolver resolver,
            Plan plan) {
        this.budget = new BufBudget(options.bufferBytes());
        this.admission = new Admission(options.limits());
        this.plan = plan;
        this.opening = plan;
        for (int i = 0; i < options.loops(); i++) {
            Loop loop = new Loop(i, system, budget, entropy.get(), wall);
            loop.start();
            stations.add(new Station(loop, i, () -> this.plan, resolver, admission));
        }
    }

    /// Opens everything that the plan listens on.
    ///
    /// @throws SystemFault for the first address that cannot be had; nothing stays open then. An
    ///   address that the machine does not have yet is no failure: it is tried again by
    ///   [#retryLate].
    public synchronized void open() {
        try {
            for (InboundPlan inbound : plan.inbounds()) {
                gates.put(inbound.tag(), openGates(inbound, inbound.at()));
            }
        } catch (SystemFault fault) {
            gates.values().forEach(this::closeGates);
            gates.clear();
            throw fault;
        }
    }

    private List<Gate> openGates(InboundPlan inbound, List<Endpoint> addresses) {
        List<Gate> opened = new ArrayList<>();
        for (Endpoint at : addresses) {
            try {
                opened.add(openGate(inbound, at));
            } catch (SystemFault fault) {
                if (fault.errno() == Errno.EADDRNOTAVAIL) {
                    LOG.log(Level.WARNING, fault.reason() + "; will be tried again");
                    late.add(new Late(inbound, at));
                    continue;
                }
                closeGates(opened);
                throw fault;
            }
        }
        return opened;
    }

    private Gate openGate(InboundPlan inbound, Endpoint at) {
        Station home = stations.get(nextHome++ % stations.size());
        boolean onlyV6 = hasOwnV4(at);
        Gate gate = onLoop(home, () -> Gate.open(home, stations, inbound, at, onlyV6));
        LOG.log(
                Level.INFO,
                () -> "inbound " + inbound.tag() + " listens on " + gate.bound() + kinds(inbound));
        return gate;
    }

    /// Whether IPv4 has a wildcard of its own on the port of this IPv6 wildcard.
    private boolean hasOwnV4(Endpoint at) {
        Endpoint v4 = new Endpoint(IpAddress.ANY_V4, at.port());
        return at.address().equals(IpAddress.ANY_V6)
                && at.port() != 0
                && opening.inbounds().stream().anyMatch(inbound -> inbound.at().contains(v4));
    }

    private static String kinds(InboundPlan inbound) {
        boolean streams = inbound.protocol().acceptsStreams();
        boolean datagrams = inbound.protocol().acceptsDatagrams();
        return streams && datagrams ? " (tcp, udp)" : datagrams ? " (udp)" : " (tcp)";
    }

    private void closeGates(List<Gate> closing) {
        for (Gate gate : closing) {
            onLoop(
                    gate.home(),
                    () -> {
                        gate.close();
                        return gate;
                    });
        }
    }

    /// Tries again to listen on addresses that were not there. Returns whether some still are not.
    public synchronized boolean retryLate() {
        for (Late each : List.copyOf(late)) {
            try {
                Gate gate = openGate(each.inbound, each.at);
                late.remove(each);
                gates.computeIfAbsent(each.inbound.tag(), _ -> new ArrayList<>()).add(gate);
            } catch (SystemFault fault) {
                LOG.log(Level.DEBUG, fault.reason());
            }
        }
        return !late.isEmpty();
    }

    /// Follows another plan. What is equal in both goes on untouched; new addresses are opened
    /// before old ones are closed. Streams of an inbound or outbound that is gone go on until they
    /// end by themselves; flows of a user who is gone end.
    ///
    /// @throws SystemFault when a new address cannot be had; the old plan stays in force, whole
    public synchronized void replace(Plan next) {
        Map<String, InboundPlan> before = new HashMap<>();
        plan.inbounds().forEach(inbound -> before.put(inbound.tag(), inbound));
        Plan merged = withKeptProtocols(next, before);
        Map<String, List<Gate>> opened = new HashMap<>();
        opening = merged;
        try {
            for (InboundPlan inbound : merged.inbounds()) {
                opened.put(inbound.tag(), openGates(inbound, missing(inbound, before)));
            }
        } catch (SystemFault fault) {
            opened.values().forEach(this::closeGates);
            opening = plan;
            throw fault;
        }
        plan = merged;
        Map<String, List<Gate>> old = new HashMap<>(gates);
        gates.clear();
        late.removeIf(each -> merged.inbounds().stream().noneMatch(now -> now == each.inbound));
        for (InboundPlan inbound : merged.inbounds()) {
            List<Gate> now = new ArrayList<>(opened.getOrDefault(inbound.tag(), List.of()));
            List<Gate> had = old.getOrDefault(inbound.tag(), new ArrayList<>());
            InboundPlan was = before.get(inbound.tag());
            for (Gate gate : List.copyOf(had)) {
                if (was != null && keeps(was, inbound) && inbound.at().contains(gate.at())) {
                    had.remove(gate);
                    now.add(gate);
                    onLoop(
                            gate.home(),
                            () -> {
                                gate.replace(inbound);
                                return gate;
                            });
                }
            }
            gates.put(inbound.tag(), now);
        }
        old.values().forEach(this::closeGates);
        endFlowsOfGoneUsers(merged);
    }

    private static boolean keeps(InboundPlan was, InboundPlan now) {
        return was.listen().equals(now.listen())
                && was.protocol().acceptsDatagrams() == now.protocol().acceptsDatagrams()
                && was.protocol().acceptsStreams() == now.protocol().acceptsStreams();
    }

    private static List<Endpoint> missing(InboundPlan inbound, Map<String, InboundPlan> before) {
        InboundPlan was = before.get(inbound.tag());
        if (was == null || !keeps(was, inbound)) {
            return inbound.at();
        }
        return inbound.at().stream().filter(at -> !was.at().contains(at)).toList();
    }

    /// An inbound whose options are unchanged keeps its protocol object, and with it what that
    /// remembers.
    private static Plan withKeptProtocols(Plan next, Map<String, InboundPlan> before) {
        List<InboundPlan> inbounds = new ArrayList<>();
        for (InboundPlan now : next.inbounds()) {
            InboundPlan was = before.get(now.tag());
            if (was == null) {
                inbounds.add(now);
            } else if (was.identity().equals(now.identity())) {
                inbounds.add(now.withProtocol(was.protocol()));
            } else {
                now.protocol().inherit(was.protocol());
                inbounds.add(now);
            }
        }
        return new Plan(
                List.copyOf(inbounds),
                next.outbounds(),
                next.router(),
                next.services(),
                next.halfClosedNanos());
    }

    private void endFlowsOfGoneUsers(Plan now) {
        Map<String, InboundPlan> byTag = new HashMap<>();
        now.inbounds().forEach(inbound -> byTag.put(inbound.tag(), inbound));
        for (Station station : stations) {
            station.loop()
                    .execute(() ->
                            station.endIf(
                                    flow -> isGone(byTag, flow.inbound(), flow.user()),
                                    "the user is gone"));
        }
    }

    private static boolean isGone(
            Map<String, InboundPlan> inbounds, String tag, @Nullable String user) {
        InboundPlan inbound = inbounds.get(tag);
        return inbound != null && user != null && !inbound.protocol().isUserKnown(user);
    }

    /// Stops listening and lets flows finish, then ends what is left and stops the loops.
    ///
    /// @param drainNanos how long flows may take; 0 to end them at once
    public synchronized void stop(long drainNanos) {
        gates.values().forEach(this::closeGates);
        gates.clear();
        long until = System.nanoTime() + drainNanos;
        while (System.nanoTime() - until < 0 && conversations() > 0) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException _) {
                break;
            }
        }
        for (Station station : stations) {
            station.loop().execute(() -> station.endIf(_ -> true, "shutdown"));
            station.loop().stop();
        }
    }

    /// Conversations that are open, in all loops.
    public int conversations() {
        int sum = 0;
        for (Station station : stations) {
            sum += onLoop(station, station::conversations);
        }
        return sum;
    }

    /// What all loops have counted.
    public LoopCounters counters() {
        LoopCounters sum = new LoopCounters();
        for (Station station : stations) {
            sum.add(onLoop(station, () -> station.loop().counters().copy()));
        }
        return sum;
    }

    /// Buffers that have an owner, in all loops; 0 when everything is idle.
    public int buffersInUse() {
        int sum = 0;
        for (Station station : stations) {
            sum += onLoop(station, () -> station.loop().buffers().inUse());
        }
        return sum;
    }

    /// The memory of buffers.
    public BufBudget budget() {
        return budget;
    }

    /// Connection limits and their counters.
    public Admission admission() {
        return admission;
    }

    /// Where the inbound listens, in the order of its options.
    public synchronized List<Endpoint> boundTo(String tag) {
        return gates.getOrDefault(tag, List.of()).stream()
                .sorted(Comparator.comparingInt(gate -> gate.inbound().at().indexOf(gate.at())))
                .map(Gate::bound)
                .toList();
    }

    private static <T> T onLoop(Station station, Supplier<T> task) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        station.loop()
                .execute(() -> {
                    try {
                        answer.complete(task.get());
                    } catch (RuntimeException | Error failure) {
                        answer.completeExceptionally(failure);
                    }
                });
        try {
            return answer.get(10, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (TimeoutException | InterruptedException stuck) {
            throw new IllegalStateException(station.loop() + " does not answer", stuck);
        }
    }
}
