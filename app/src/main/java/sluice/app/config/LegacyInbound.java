package sluice.app.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Fields;
import sluice.base.config.Findings;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;
import sluice.base.config.Shown;
import sluice.policy.dns.Family;
import sluice.policy.route.RuleAction;
import sluice.policy.route.RuleCondition;
import sluice.policy.route.RuleOptions;

/// What sing-box before 1.11 wrote at an inbound and what stands in rules since: sniffing and
/// looking names up. It is read into those rules, with a warning that holds them.
final class LegacyInbound {

    private static final Key<Boolean> SNIFF =
            Key.of("sniff", Kind.FLAG).otherwise(false).says("Old: a rule with action \"sniff\".");
    private static final Key<Duration> SNIFF_TIMEOUT =
            Key.of("sniff_timeout", Kind.DURATION)
                    .otherwise(Duration.ofMillis(300))
                    .says("Old: \"timeout\" of a rule with action \"sniff\".");
    private static final Key<Family> DOMAIN_STRATEGY =
            Key.of("domain_strategy", Kind.text("a strategy", Family::parse))
                    .otherwise(Family.ANY)
                    .says("Old: \"strategy\" of a rule with action \"resolve\".");

    static final Shape<LegacyInbound> SHAPE =
            Shape.of(
                    "old inbound fields",
                    LegacyInbound::new,
                    SNIFF,
                    SNIFF_TIMEOUT,
                    DOMAIN_STRATEGY,
                    Key.notYet("sniff_override_destination", true),
                    Key.notYet("udp_disable_domain_unmapping", false));

    private final Fields fields;

    private LegacyInbound(Fields fields) {
        this.fields = fields;
    }

    /// The rules that say the same of the inbound `tag`, in their order.
    static List<RuleOptions> rules(Mapping node, String tag, String path, Findings findings) {
        LegacyInbound read = SHAPE.read(node.only(SHAPE.names()::contains), path, findings);
        List<RuleOptions> rules = new ArrayList<>();
        if (read == null) {
            return rules;
        }
        Fields fields = read.fields;
        if (fields.get(SNIFF)) {
            Duration timeout = fields.get(SNIFF_TIMEOUT);
            String rest =
                    fields.has(SNIFF_TIMEOUT)
                            ? ", \"timeout\": \"" + timeout.toMillis() + "ms\""
                            : "";
            fields.warn(SNIFF, "is an old spelling", mend(tag, "sniff", rest));
            rules.add(rule(tag, new RuleAction.Sniff(timeout)));
        }
        Family family = fields.get(DOMAIN_STRATEGY);
        if (family != Family.ANY) {
            fields.warn(
                    DOMAIN_STRATEGY,
                    "is an old spelling",
                    mend(tag, "resolve", ", \"strategy\": \"" + family.option() + "\""));
            rules.add(rule(tag, new RuleAction.Resolve(family)));
        }
        return rules;
    }

    private static String mend(String tag, String action, String rest) {
        return "write {\"inbound\": "
                + Shown.quoted(tag)
                + ", \"action\": \""
                + action
                + "\""
                + rest
                + "} at the head of route.rules";
    }

    private static RuleOptions rule(String tag, RuleAction action) {
        RuleCondition.Addresses any = RuleCondition.Addresses.ANY;
        return new RuleOptions(
                new RuleCondition.Fields(
                        List.of(tag),
                        0,
                        List.of(),
                        List.of(),
                        new RuleCondition.Target(List.of(), List.of(), List.of(), any),
                        List.of(),
                        any,
                        List.of(),
                        false),
                action,
                List.of());
    }
}
