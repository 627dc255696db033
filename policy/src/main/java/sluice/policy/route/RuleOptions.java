package sluice.policy.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Refusal;
import sluice.base.config.Schema;
import sluice.base.config.Shape;
import sluice.policy.dns.Family;

/// What an operator may say in one rule of `route.rules`.
///
/// @param condition which flows it means
/// @param action what it does with them
/// @param uses the tags it mentions
public record RuleOptions(RuleCondition condition, RuleAction action, List<TagUse> uses) {

    /// How long a sniffer waits for the first bytes; sing-box's default.
    private static final Duration SNIFF_TIMEOUT = Duration.ofMillis(300);

    private static final List<String> ACTIONS = List.of("route", "reject", "resolve", "sniff");

    /// Actions of sing-box that would be misunderstood if they were passed over.
    private static final Map<String, String> ACTIONS_NOT_YET =
            Map.of(
                    "hijack-dns", "needs the DNS server, which is not supported yet",
                    "route-options", "is not supported yet",
                    "bypass", "needs the TUN inbound, which is not supported yet");

    private static final Key<String> ACTION =
            Key.of("action", actionKind())
                    .otherwise("route")
                    .says("What is done with the flows that match.");
    private static final Key<String> OUTBOUND =
            Key.of("outbound", Kind.NAME).says("Tag of the outbound, for `route`.");
    private static final Key<String> METHOD =
            Key.of("method", Kind.choice("default", "drop"))
                    .otherwise("default")
                    .says("What the client of a rejected flow notices: a refusal, or nothing.");
    private static final Key<Family> STRATEGY =
            Key.of("strategy", Kind.text("a family of addresses", Family::parse))
                    .otherwise(Family.ANY)
                    .says(
                            "Which addresses `resolve` wants: prefer_ipv4, prefer_ipv6, ipv4_only or ipv6_only.");
    private static final Key<Duration> TIMEOUT =
            Key.of("timeout", Kind.DURATION)
                    .otherwise(SNIFF_TIMEOUT)
                    .says("How long `sniff` waits for the first bytes.");

    /// The shape of one rule.
    public static final Shape<RuleOptions> SHAPE =
            Shape.of("route rule", RuleOptions::read, keys());

    private static @Nullable RuleOptions read(Fields fields) {
        ConditionShape.Read read = ConditionShape.read(fields);
        RuleAction action = action(fields);
        if (read == null || action == null) {
            return null;
        }
        List<TagUse> uses = new ArrayList<>(read.uses());
        if (action instanceof RuleAction.Route route) {
            uses.add(
                    new TagUse(
                            TagUse.Kind.OUTBOUND,
                            route.outbound(),
                            fields.placeOf(OUTBOUND),
                            fields.path() + "." + OUTBOUND.name()));
        }
        return new RuleOptions(read.condition(), action, List.copyOf(uses));
    }

    private static @Nullable RuleAction action(Fields fields) {
        String word = fields.get(ACTION);
        return switch (word) {
            case "reject" ->
                    belongsTo(word, fields, METHOD)
                            ? new RuleAction.Reject(
                                    fields.get(METHOD).equals("drop")
                                            ? Decision.Refuse.How.DROP
                                            : Decision.Refuse.How.REJECT)
                            : null;
            case "resolve" ->
                    belongsTo(word, fields, STRATEGY)
                            ? new RuleAction.Resolve(fields.get(STRATEGY))
                            : null;
            case "sniff" ->
                    belongsTo(word, fields, TIMEOUT)
                            ? new RuleAction.Sniff(fields.get(TIMEOUT))
                            : null;
            default -> belongsTo(word, fields, OUTBOUND) ? route(fields) : null;
        };
    }

    private static @Nullable RuleAction route(Fields fields) {
        String outbound = fields.orNull(OUTBOUND);
        if (outbound == null) {
            fields.refuse("a rule with action \"route\" needs \"outbound\"", null);
            return null;
        }
        return new RuleAction.Route(outbound);
    }

    /// Refuses the keys of other actions: with them the operator expects something else.
    private static boolean belongsTo(String action, Fields fields, Key<?> own) {
        boolean clean = true;
        for (Key<?> key : List.of(OUTBOUND, METHOD, STRATEGY, TIMEOUT)) {
            if (key != own && fields.has(key)) {
                fields.refuse(key, "has no meaning with action \"" + action + "\"", "remove it");
                clean = false;
            }
        }
        return clean;
    }

    private static Kind<String> actionKind() {
        return Kind.of(
                "an action",
                Schema.map("type", "string", "enum", ACTIONS),
                (Scalar scalar) -> {
                    String word = Kind.textOf(scalar, "an action");
                    String notYet = ACTIONS_NOT_YET.get(word);
                    if (notYet != null) {
                        throw new Refusal("\"" + word + "\" " + notYet, "remove the rule");
                    }
                    if (!ACTIONS.contains(word)) {
                        throw new IllegalArgumentException(
                                "\"" + word + "\" is none of " + String.join(", ", ACTIONS));
                    }
                    return word;
                });
    }

    private static Key<?>[] keys() {
        List<Key<?>> keys = new ArrayList<>(ConditionShape.KEYS);
        keys.addAll(List.of(ACTION, OUTBOUND, METHOD, STRATEGY, TIMEOUT));
        for (String name :
                List.of(
                        "override_address",
                        "override_port",
                        "network_strategy",
                        "tls_fragment",
                        "tls_record_fragment",
                        "server",
                        "client_subnet")) {
            keys.add(Key.notYet(name, true));
        }
        for (String name :
                List.of(
                        "no_drop",
                        "sniffer",
                        "fallback_delay",
                        "udp_disable_domain_unmapping",
                        "udp_connect",
                        "udp_timeout",
                        "tls_fragment_fallback_delay",
                        "disable_cache",
                        "rewrite_ttl")) {
            keys.add(Key.notYet(name, false));
        }
        return keys.toArray(new Key<?>[0]);
    }
}
