package sluice.policy.route;

import java.time.Duration;
import sluice.policy.dns.Family;

/// What shall happen to a flow. Decisions are made once per rule, when the rules are compiled, and
/// handed out again and again.
public sealed interface Decision {

    /// The index of no rule: no rule applied, and the final outbound is used.
    int FINAL = -1;

    /// Which rule decided, counted from 0, or [#FINAL].
    int ruleIndex();

    /// Send it through an outbound.
    ///
    /// @param outbound tag of the outbound
    record Use(String outbound, int ruleIndex) implements Decision {}

    /// Do not let it pass.
    ///
    /// @param how what the client notices
    record Refuse(How how, int ruleIndex) implements Decision {

        /// What a client notices of a refusal.
        public enum How {
            /// It is told, by whatever means its protocol has.
            REJECT,
            /// Nothing; it waits until it gives up.
            DROP
        }
    }

    /// Find out more, then ask [Router#resume].
    sealed interface Ask extends Decision {}

    /// Look up the destination's name and give the answer to [FlowFacts#withResolved]. Where there
    /// is no answer, the flow ends.
    ///
    /// @param family which addresses are wanted
    record Resolve(Family family, int ruleIndex) implements Ask {}

    /// Look at the first bytes and give what they tell to [FlowFacts#withSniffed].
    ///
    /// @param timeout how long to wait for bytes; then the answer is [FlowFacts.Sniffed#NOTHING]
    record Sniff(Duration timeout, int ruleIndex) implements Ask {}
}
