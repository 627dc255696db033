package sluice.policy.route;

import java.util.List;
import sluice.base.net.IpAddress;

/// Decides the way of every flow: rules in their order, the first that matches and decides wins.
/// Immutable and shared by all loops; a reload makes another one. A decision allocates nothing,
/// except the lower-case form of a name that is not written so.
public final class Router {

    private final Matcher[] matchers;
    private final Decision[] decisions;
    private final Decision.Use last;

    private Router(Matcher[] matchers, Decision[] decisions, Decision.Use last) {
        this.matchers = matchers;
        this.decisions = decisions;
        this.last = last;
    }

    /// Compiles rules.
    ///
    /// @param firstOutbound tag of the outbound that is used where no rule decides and the options
    ///   name none
    public static Router of(RouteOptions options, String firstOutbound) {
        List<RuleOptions> rules = options.rules();
        Matcher[] matchers = new Matcher[rules.size()];
        Decision[] decisions = new Decision[rules.size()];
        for (int i = 0; i < matchers.length; i++) {
            matchers[i] = Matcher.of(rules.get(i).condition());
            decisions[i] = decision(rules.get(i).action(), i);
        }
        String last = options.finalOutbound() == null ? firstOutbound : options.finalOutbound();
        return new Router(matchers, decisions, new Decision.Use(last, Decision.FINAL));
    }

    /// Decides, or asks for more.
    public Decision decide(FlowFacts facts) {
        return decideFrom(0, facts);
    }

    /// Goes on behind the rule that asked, with what was found out.
    ///
    /// @param facts with the answer, or without where there is none
    public Decision resume(Decision.Ask asked, FlowFacts facts) {
        return decideFrom(asked.ruleIndex() + 1, facts);
    }

    /// How many rules there are.
    public int ruleCount() {
        return matchers.length;
    }

    private Decision decideFrom(int first, FlowFacts facts) {
        if (first == matchers.length) {
            return last;
        }
        String name = facts.nameOrNull();
        for (int i = first; i < matchers.length; i++) {
            Decision decision = decisions[i];
            if (isNews(decision, facts) && matchers[i].matches(facts, name)) {
                return decision;
            }
        }
        return last;
    }

    /// Nothing is asked that is known.
    private static boolean isNews(Decision decision, FlowFacts facts) {
        return switch (decision) {
            case Decision.Resolve _ ->
                    facts.resolved() == null && !(facts.destination().host() instanceof IpAddress);
            case Decision.Sniff _ -> facts.sniffed() == null;
            case Decision.Use _, Decision.Refuse _ -> true;
        };
    }

    private static Decision decision(RuleAction action, int index) {
        return switch (action) {
            case RuleAction.Route route -> new Decision.Use(route.outbound(), index);
            case RuleAction.Reject reject -> new Decision.Refuse(reject.how(), index);
            case RuleAction.Resolve resolve -> new Decision.Resolve(resolve.family(), index);
            case RuleAction.Sniff sniff -> new Decision.Sniff(sniff.timeout(), index);
        };
    }
}
