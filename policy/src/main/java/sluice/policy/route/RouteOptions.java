package sluice.policy.route;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;

/// What an operator may say in `route`.
///
/// @param rules in their order
/// @param finalOutbound tag of the outbound where no rule decides; null for the first one
/// @param uses all tags that are mentioned, for a check that they exist
public record RouteOptions(
        List<RuleOptions> rules, @Nullable String finalOutbound, List<TagUse> uses) {

    private static final Key<List<RuleOptions>> RULES =
            Key.objects("rules", RuleOptions.SHAPE)
                    .says("Asked in this order; the first that matches and decides wins.");
    private static final Key<String> FINAL =
            Key.of("final", Kind.NAME)
                    .says(
                            "Tag of the outbound where no rule decides; the first outbound if left"
                                    + " out.");

    /// The shape of `route`.
    public static final Shape<RouteOptions> SHAPE =
            Shape.of(
                    "route",
                    RouteOptions::read,
                    RULES,
                    FINAL,
                    Key.notYet("rule_set", true),
                    Key.notYet("geoip", true),
                    Key.notYet("geosite", true),
                    Key.notYet("default_domain_resolver", true),
                    Key.notYet("default_interface", true),
                    Key.notYet("default_mark", true),
                    Key.notYet("default_network_strategy", true),
                    Key.notYet("default_network_type", true),
                    Key.notYet("default_fallback_network_type", true),
                    Key.notYet("default_fallback_delay", false),
                    Key.notYet("auto_detect_interface", false),
                    Key.notYet("override_android_vpn", false),
                    Key.notYet("find_process", false),
                    Key.notYet("find_neighbor", false),
                    Key.notYet("dhcp_lease_files", false));

    /// No rules: everything goes through the first outbound.
    public static final RouteOptions NONE = new RouteOptions(List.of(), null, List.of());

    private static RouteOptions read(Fields fields) {
        List<RuleOptions> rules = fields.get(RULES);
        String last = fields.orNull(FINAL);
        List<TagUse> uses = new ArrayList<>();
        rules.forEach(rule -> uses.addAll(rule.uses()));
        if (last != null) {
            uses.add(
                    new TagUse(
                            TagUse.Kind.OUTBOUND,
                            last,
                            fields.placeOf(FINAL),
                            fields.path() + "." + FINAL.name()));
        }
        return new RouteOptions(rules, last, List.copyOf(uses));
    }
}
