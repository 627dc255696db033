package sluice.engine.flow;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.engine.dial.Question;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Timer;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.OutboundPlan;
import sluice.engine.plan.Plan;
import sluice.policy.dns.Resolution;
import sluice.policy.route.Decision;
import sluice.policy.route.FlowFacts;
import sluice.policy.route.Network;

/// One client's datagram conversation: the way is decided by its first datagram, then everything it
/// may send goes there, whatever the target, so that its targets see one source. Owned by one loop.
/// Ends when it has been silent for a while.
final class DatagramFlow extends Conversation implements DatagramPath.Sink {

    /// The client's side.
    interface Answers {

        /// Brings an answer to the client. Takes `owned`.
        void answer(DatagramFlow flow, Destination from, Buf owned);

        /// The flow is over.
        void flowEnded(DatagramFlow flow, String reason);
    }

    /// Flows to name servers end sooner: they are many, and their answer comes at once or never.
    private static final long DNS_IDLE_NANOS = 10_000_000_000L;

    private final Station station;
    private final Loop loop;
    private final InboundPlan inbound;
    private final Endpoint source;
    private final @Nullable String user;
    private final Destination first;
    private final boolean onlyTarget;
    private final Answers answers;
    private final long startNanos;
    private final long idleNanos;
    private final DatagramQueue waiting;
    private @Nullable Plan plan;
    private @Nullable Question question;
    private @Nullable DatagramPath path;
    private Destination allowed;
    private @Nullable DatagramTargets others;
    private @Nullable OutboundPlan outbound;
    private int rule = Decision.FINAL;
    private long lastNanos;
    private long up;
    private long down;
    private long upBytes;
    private long downBytes;
    private long movedAtLook = 1;
    private boolean open = true;
    private final Timer idle =
            new Timer() {
                @Override
                protected void onTimer(long nowNanos) {
                    checkIdle(nowNanos);
                }
            };

    DatagramFlow(
            Station station,
            InboundPlan inbound,
            Endpoint source,
            @Nullable String user,
            Destination first,
            boolean onlyTarget,
            Answers answers) {
        this.station = station;
        this.loop = station.loop();
        this.inbound = inbound;
        this.source = source;
        this.user = user;
        this.first = first;
        this.allowed = first;
        this.onlyTarget = onlyTarget;
        this.answers = answers;
        this.startNanos = loop.nowNanos();
        this.lastNanos = startNanos;
        this.idleNanos =
                first.port() == 53
                        ? Math.min(DNS_IDLE_NANOS, inbound.datagramIdleNanos())
                        : inbound.datagramIdleNanos();
        this.waiting = new DatagramQueue(loop);
        station.add(this);
        loop.counters().datagramFlowsOpened++;
        loop.timers().set(idle, startNanos + idleNanos);
    }

    /// Looks for a way; datagrams wait meanwhile.
    void begin() {
        FlowFacts facts = FlowFacts.of(inbound.tag(), Network.DATAGRAM, first, source, user);
        Plan present = station.plan();
        plan = present;
        step(() -> follow(present, present.router().decide(facts), facts));
    }

    /// Runs `step` unless it comes too late; where it throws, our own code failed, and the flow
    /// ends.
    private void step(Runnable step) {
        if (!open) {
            return;
        }
        try {
            step.run();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            loop.unexpected(failure);
            end("internal error");
        }
    }

    private void follow(Plan plan, Decision decision, FlowFacts facts) {
        rule = decision.ruleIndex();
        switch (decision) {
            case Decision.Use use -> usePath(plan, plan.outbound(use.outbound()));
            case Decision.Refuse _ -> end("refused by rule " + rule);
            case Decision.Resolve ask -> resolve(plan, ask, facts);
            case Decision.Sniff ask -> {
                FlowFacts more = facts.withSniffed(FlowFacts.Sniffed.NOTHING);
                follow(plan, plan.router().resume(ask, more), more);
            }
        }
    }

    private void resolve(Plan plan, Decision.Resolve ask, FlowFacts facts) {
        if (!(facts.destination().host() instanceof DomainName name)) {
            follow(plan, plan.router().resume(ask, facts), facts);
            return;
        }
        question =
                Question.ask(
                        loop,
                        station.resolver(),
                        name,
                        ask.family(),
                        answer -> step(() -> resolved(plan, ask, facts, answer)));
    }

    private void resolved(Plan plan, Decision.Resolve ask, FlowFacts facts, Resolution answer) {
        switch (answer) {
            case Resolution.Found found -> {
                FlowFacts more = facts.withResolved(found.addresses());
                follow(plan, plan.router().resume(ask, more), more);
            }
            case Resolution.Failed failed ->
                    end("cannot resolve " + first + ": " + failed.reason());
        }
    }

    private void usePath(Plan plan, OutboundPlan way) {
        outbound = way;
        DatagramPath opened = DatagramPaths.openOrNull(station, plan, way, first, onlyTarget, this);
        if (opened == null) {
            station.journal()
                    .trouble(
                            Level.DEBUG,
                            "outbound "
                                    + way.tag()
                                    + (way.detour() == null
                                            ? " carries no datagrams"
                                            : " carries no datagrams, or one of its detours"),
                            source + " to " + first);
            end("the outbound carries no datagrams");
            return;
        }
        path = opened;
        waiting.sendTo(opened::send);
    }

    /// A datagram of the client. Takes `owned`.
    void fromClient(Destination to, Buf owned) {
        if (!open) {
            owned.release();
            return;
        }
        lastNanos = loop.nowNanos();
        up++;
        upBytes += owned.length();
        loop.counters().upDatagrams++;
        loop.counters().upBytes += owned.length();
        if (to == allowed) {
            pass(to, owned);
        } else if (to.equals(first)) {
            allowed = to;
            pass(to, owned);
        } else {
            toAnother(to, owned);
        }
    }

    private void toAnother(Destination to, Buf owned) {
        Plan present = plan;
        if (present == null || present.router().ruleCount() == 0) {
            pass(to, owned);
            return;
        }
        DatagramTargets targets = others;
        if (targets == null) {
            FlowFacts facts = FlowFacts.of(inbound.tag(), Network.DATAGRAM, first, source, user);
            targets = new DatagramTargets(station, present, facts, this::passAllowed);
            others = targets;
        }
        targets.send(to, owned);
    }

    private void passAllowed(Destination to, Buf owned) {
        allowed = to;
        pass(to, owned);
    }

    private void pass(Destination to, Buf owned) {
        DatagramPath present = path;
        if (present != null) {
            present.send(to, owned);
        } else if (open) {
            waiting.add(to, owned);
        } else {
            owned.release();
        }
    }

    /// Whether an answer may come from there. An address that a proxy leaves unspecified says
    /// nothing, and of a name the address is not known here: then the path has seen to it, or the
    /// proxy is trusted.
    private boolean mayAnswer(Destination from) {
        return !onlyTarget
                || from == first
                || from.equals(first)
                || !(first.host() instanceof IpAddress)
                || from.host() instanceof IpAddress address && address.isAny();
    }

    @Override
    public void onDatagram(Destination from, Buf owned) {
        if (!open) {
            owned.release();
            return;
        }
        if (!mayAnswer(from)) {
            loop.counters().datagramsDropped++;
            owned.release();
            return;
        }
        lastNanos = loop.nowNanos();
        down++;
        downBytes += owned.length();
        loop.counters().downDatagrams++;
        loop.counters().downBytes += owned.length();
        answers.answer(this, from, owned);
    }

    @Override
    public void onPathEnd(String reason) {
        path = null;
        if (open) {
            station.journal().trouble(Level.DEBUG, "datagrams cannot go on", first + ": " + reason);
            end(reason);
        }
    }

    private void checkIdle(long nowNanos) {
        long until = lastNanos + idleNanos;
        if (until - nowNanos > 0) {
            loop.timers().set(idle, until);
        } else {
            end("idle");
        }
    }

    @Override
    public void end(String reason) {
        if (!open) {
            return;
        }
        open = false;
        loop.timers().clear(idle);
        waiting.discard();
        Question asked = question;
        if (asked != null) {
            asked.withdraw();
        }
        DatagramTargets targets = others;
        if (targets != null) {
            targets.close();
        }
        DatagramPath present = path;
        path = null;
        if (present != null) {
            present.close();
        }
        station.remove(this);
        loop.counters().datagramFlowsClosed++;
        tell(reason);
        answers.flowEnded(this, reason);
    }

    private void tell(String reason) {
        if (!station.journal().tellsFlows()) {
            return;
        }
        OutboundPlan way = outbound;
        station.journal()
                .flow(
                        "datagrams.closed inbound=%s source=%s user=%s target=%s rule=%s outbound=%s up=%d/%d down=%d/%d ms=%d reason=\"%s\""
                                .formatted(
                                        inbound.tag(),
                                        source,
                                        user == null ? "-" : user,
                                        first,
                                        rule == Decision.FINAL ? "final" : String.valueOf(rule),
                                        way == null ? "-" : way.tag(),
                                        up,
                                        upBytes,
                                        down,
                                        downBytes,
                                        (loop.nowNanos() - startNanos) / 1_000_000,
                                        reason));
    }

    boolean isOpen() {
        return open;
    }

    /// Whether a datagram passed since this was asked last, the first one of the flow aside.
    boolean hasMovedSinceLook() {
        long moved = up + down;
        boolean hasMoved = moved != movedAtLook;
        movedAtLook = moved;
        return hasMoved;
    }

    @Override
    InboundPlan via() {
        return inbound;
    }

    @Override
    public @Nullable String user() {
        return user;
    }
}
