package sluice.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import sluice.base.buf.BufBudget;
import sluice.base.fault.SystemFault;
import sluice.base.net.Endpoint;
import sluice.base.os.OperatingSystem;
import sluice.base.random.Entropy;
import sluice.base.time.WallClock;
import sluice.engine.flow.Conversation;
import sluice.engine.flow.Station;
import sluice.engine.loop.Loop;
import sluice.engine.loop.LoopCounters;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.Plan;
import sluice.policy.dns.NameResolver;
import sluice.policy.limit.Admission;

/// Loops, what listens on them, and the plan they follow. Its methods are called by one control
/// thread at a time; they send commands to the loops and wait.
public final class Engine {

    private final BufBudget budget;
    private final Admission admission;
    private final List<Station> stations = new ArrayList<>();
    private final Gates gates = new Gates(stations);
    private volatile Plan plan;

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
        for (int i = 0; i < options.loops(); i++) {
            Loop loop = new Loop(i, system, budget, entropy.get(), wall);
            start(loop);
            stations.add(new Station(loop, i, () -> this.plan, resolver, admission));
        }
    }

    private void start(Loop loop) {
        try {
            loop.start();
        } catch (IllegalStateException | SystemFault failure) {
            stations.forEach(station -> station.loop().stop());
            throw failure;
        }
    }

    /// Opens everything that the plan listens on.
    ///
    /// @throws SystemFault for the first address that cannot be had; nothing stays open then. An
    ///   address that the machine does not have yet is no failure: it is tried again by
    ///   [#retryLate].
    public synchronized void open() {
        gates.follow(plan, () -> {});
    }

    /// Tries again to listen on addresses that were not there. Returns whether some still are not.
    public synchronized boolean retryLate() {
        return gates.retryLate();
    }

    /// Follows another plan. What is equal in both goes on untouched; new addresses are opened
    /// before old ones are closed. Streams of an inbound or outbound that is gone go on until they
    /// end by themselves; flows of a user who is gone, or whose secret has changed, end.
    ///
    /// @throws SystemFault when a new address cannot be had; the old plan stays in force, whole
    public synchronized void replace(Plan next) {
        Map<String, InboundPlan> before = new HashMap<>();
        plan.inbounds().forEach(inbound -> before.put(inbound.tag(), inbound));
        Plan merged = withKeptProtocols(next, before);
        gates.follow(merged, () -> plan = merged);
        endFlowsOfGoneUsers(merged);
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
                    .execute(() -> station.endIf(flow -> isGone(byTag, flow), "the user is gone"));
        }
    }

    private static boolean isGone(Map<String, InboundPlan> inbounds, Conversation flow) {
        InboundPlan now = inbounds.get(flow.inbound());
        return now != null && flow.isGoneFrom(now.protocol());
    }

    /// Stops listening and lets flows finish, then ends what is left and stops the loops.
    ///
    /// @param drainNanos how long flows may take; 0 to end them at once
    public synchronized void stop(long drainNanos) {
        gates.close();
        long until = System.nanoTime() + drainNanos;
        while (System.nanoTime() - until < 0 && (conversations() > 0 || closing() > 0)) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
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

    /// Sockets whose last bytes are still on their way, in all loops.
    private int closing() {
        int sum = 0;
        for (Station station : stations) {
            sum += onLoop(station, () -> station.loop().closing());
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
        return gates.boundTo(tag);
    }

    /// Runs `task` on the station's loop and waits for what it returns.
    static <T> T onLoop(Station station, Supplier<T> task) {
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
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        } catch (TimeoutException stuck) {
            throw new IllegalStateException(station.loop() + " does not answer", stuck);
        }
    }
}
