package sluice.engine.flow;

import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.engine.dial.Question;
import sluice.engine.loop.Loop;
import sluice.engine.plan.Plan;
import sluice.policy.dns.Resolution;
import sluice.policy.route.Decision;
import sluice.policy.route.FlowFacts;

/// What the rules say of the later targets of one datagram flow: which of them it may write to. The
/// way stays that of the first target. Owned by one loop.
final class DatagramTargets {

    /// Targets that a flow remembers; behind it the one that was first is asked about again. Peers
    /// of one application are a few, and asking costs little more than remembering.
    private static final int TARGETS = 64;

    private enum Verdict {
        ALLOWED,
        REFUSED,
        /// Its name is being looked up.
        ASKED
    }

    private static final class Target {
        Verdict verdict = Verdict.ASKED;
        @Nullable Question question;

        void withdraw() {
            Question asked = question;
            if (asked != null) {
                asked.withdraw();
            }
        }
    }

    private final Station station;
    private final Loop loop;
    private final Plan plan;
    private final FlowFacts first;
    private final DatagramQueue.Exit exit;
    private final DatagramQueue undecided;
    private final Map<Destination, Target> targets = new LinkedHashMap<>(4);

    /// @param first the facts of the flow's first datagram
    /// @param exit takes what is allowed
    DatagramTargets(Station station, Plan plan, FlowFacts first, DatagramQueue.Exit exit) {
        this.station = station;
        this.loop = station.loop();
        this.plan = plan;
        this.first = first;
        this.exit = exit;
        this.undecided = new DatagramQueue(loop);
    }

    /// Lets a datagram out, drops it, or keeps it until its target's name is looked up. Takes
    /// `owned`.
    void send(Destination to, Buf owned) {
        Target target = targets.get(to);
        if (target == null) {
            target = decide(to);
        }
        switch (target.verdict) {
            case ALLOWED -> exit.send(to, owned);
            case ASKED -> undecided.add(to, owned);
            case REFUSED -> {
                loop.counters().datagramsDropped++;
                owned.release();
            }
        }
    }

    private Target decide(Destination to) {
        if (targets.size() >= TARGETS) {
            forgetOne();
        }
        Target target = new Target();
        targets.put(to, target);
        FlowFacts facts =
                FlowFacts.of(first.inbound(), first.network(), to, first.source(), first.user());
        follow(target, plan.router().decide(facts), facts);
        return target;
    }

    private void forgetOne() {
        Iterator<Map.Entry<Destination, Target>> oldest = targets.entrySet().iterator();
        Map.Entry<Destination, Target> forgotten = oldest.next();
        oldest.remove();
        if (forgotten.getValue().verdict == Verdict.ASKED) {
            forgotten.getValue().withdraw();
            undecided.discard(forgotten.getKey().host());
        }
    }

    private void follow(Target target, Decision decision, FlowFacts facts) {
        switch (decision) {
            case Decision.Use use -> {
                if (plan.outbound(use.outbound()).protocol().isBlock()) {
                    refuse(target, facts, "its outbound blocks");
                } else {
                    target.verdict = Verdict.ALLOWED;
                }
            }
            case Decision.Refuse refuse ->
                    refuse(target, facts, "refused by rule " + refuse.ruleIndex());
            case Decision.Resolve ask -> resolve(target, ask, facts);
            case Decision.Sniff ask -> {
                FlowFacts more = facts.withSniffed(FlowFacts.Sniffed.NOTHING);
                follow(target, plan.router().resume(ask, more), more);
            }
        }
    }

    private void refuse(Target target, FlowFacts facts, String reason) {
        target.verdict = Verdict.REFUSED;
        station.journal()
                .trouble(
                        Level.DEBUG,
                        facts.inbound() + ": datagrams to a later target",
                        facts.source() + " to " + facts.destination() + ": " + reason);
    }

    private void resolve(Target target, Decision.Resolve ask, FlowFacts facts) {
        if (!(facts.destination().host() instanceof DomainName name)) {
            follow(target, plan.router().resume(ask, facts), facts);
            return;
        }
        target.question =
                Question.ask(
                        loop,
                        station.resolver(),
                        name,
                        ask.family(),
                        answer -> resolved(target, ask, facts, answer));
    }

    private void resolved(Target target, Decision.Resolve ask, FlowFacts facts, Resolution answer) {
        target.question = null;
        switch (answer) {
            case Resolution.Found found -> {
                FlowFacts more = facts.withResolved(found.addresses());
                follow(target, plan.router().resume(ask, more), more);
            }
            case Resolution.Failed _ -> {
                // Asked again with the next datagram.
                targets.remove(facts.destination(), target);
                undecided.discard(facts.destination().host());
            }
        }
        undecided.sendTo(this::send);
    }

    /// The flow is over.
    void close() {
        targets.values().forEach(Target::withdraw);
        undecided.discard();
    }
}
