package sluice.engine.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.engine.dial.Question;
import sluice.engine.loop.Loop;
import sluice.engine.plan.OutboundPlan;
import sluice.engine.plan.Plan;
import sluice.policy.dns.Resolution;
import sluice.policy.route.Decision;
import sluice.policy.route.FlowFacts;

/// One attempt to reach what a client asked for: a decision, names to look up, a dial. It follows
/// one plan from beginning to end. Once it is over, by success, failure or [#cancel], what still
/// comes back finds nobody. Owned by one loop.
final class Opening implements StreamDial.Callback {

    private final Station station;
    private final Loop loop;
    private final Plan plan;
    private final Flow flow;
    private final FlowFacts facts;
    private @Nullable Question question;
    private @Nullable StreamDial dial;
    private boolean over;

    Opening(Station station, Flow flow, FlowFacts facts) {
        this.station = station;
        this.loop = station.loop();
        this.plan = station.plan();
        this.flow = flow;
        this.facts = facts;
    }

    /// Begins, after what is under way.
    void begin() {
        loop.soon(() -> step(() -> follow(plan.router().decide(facts), facts)));
    }

    /// Runs `step` unless it comes too late; where it throws, our own code failed, and the flow
    /// ends.
    private void step(Runnable step) {
        if (over) {
            return;
        }
        try {
            step.run();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            loop.unexpected(failure);
            flow.end("internal error");
        }
    }

    private void follow(Decision decision, FlowFacts known) {
        int rule = decision.ruleIndex();
        switch (decision) {
            case Decision.Use use -> {
                flow.decided(use.outbound(), rule);
                dial(plan.outbound(use.outbound()), known);
            }
            case Decision.Refuse refuse -> {
                flow.decided(null, rule);
                if (refuse.how() == Decision.Refuse.How.DROP) {
                    flow.dropped("dropped by rule " + rule);
                } else {
                    flow.failed(OpenOutcome.DENIED, "refused by rule " + rule);
                }
            }
            case Decision.Resolve ask -> resolve(ask, known);
            case Decision.Sniff ask -> {
                FlowFacts more = known.withSniffed(FlowFacts.Sniffed.NOTHING);
                follow(plan.router().resume(ask, more), more);
            }
        }
    }

    private void resolve(Decision.Resolve ask, FlowFacts known) {
        if (!(known.destination().host() instanceof DomainName name)) {
            follow(plan.router().resume(ask, known), known);
            return;
        }
        question =
                Question.ask(
                        loop,
                        station.resolver(),
                        name,
                        ask.family(),
                        answer -> step(() -> resolved(ask, known, answer)));
    }

    private void resolved(Decision.Resolve ask, FlowFacts known, Resolution answer) {
        switch (answer) {
            case Resolution.Found found -> {
                FlowFacts more = known.withResolved(found.addresses());
                follow(plan.router().resume(ask, more), more);
            }
            case Resolution.Failed failed ->
                    flow.failed(
                            OpenOutcome.HOST_UNREACHABLE,
                            "cannot resolve "
                                    + known.destination().host()
                                    + ": "
                                    + failed.reason());
        }
    }

    private void dial(OutboundPlan way, FlowFacts known) {
        Destination goal = known.destination();
        List<IpAddress> addresses = known.resolved();
        if (addresses != null && !addresses.isEmpty()) {
            goal = new Destination(addresses.getFirst(), goal.port());
        }
        dial = StreamDial.start(station, plan, way, goal, addresses, flow, this);
    }

    @Override
    public void connected(Leg leg, Endpoint at, int readiness) {
        dial = null;
        step(() -> flow.connected(leg, readiness));
    }

    @Override
    public void failed(OpenOutcome outcome, String reason) {
        dial = null;
        step(() -> flow.failed(outcome, reason));
    }

    /// The target's leg ended before it was ready: tells the flow, after what is under way.
    void failLater(OpenOutcome outcome, String reason) {
        loop.soon(() -> failed(outcome, reason));
    }

    /// Nothing is told to the flow any more.
    void cancel() {
        over = true;
        Question asked = question;
        if (asked != null) {
            asked.withdraw();
        }
        StreamDial present = dial;
        dial = null;
        if (present != null) {
            present.cancel();
        }
    }
}
