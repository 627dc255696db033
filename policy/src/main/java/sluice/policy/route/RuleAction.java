package sluice.policy.route;

import java.time.Duration;
import sluice.policy.dns.Family;

/// What a rule wants done with the flows it matches.
public sealed interface RuleAction {

    /// Use an outbound.
    ///
    /// @param outbound its tag
    record Route(String outbound) implements RuleAction {}

    /// Refuse.
    ///
    /// @param how what the client notices
    record Reject(Decision.Refuse.How how) implements RuleAction {}

    /// Look up the destination's name, so that rules below can match its addresses.
    ///
    /// @param family which addresses are wanted
    record Resolve(Family family) implements RuleAction {}

    /// Look at the first bytes, so that rules below can match what they tell.
    ///
    /// @param timeout how long to wait for them
    record Sniff(Duration timeout) implements RuleAction {}
}
