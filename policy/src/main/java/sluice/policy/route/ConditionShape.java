package sluice.policy.route;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Form;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Schema;
import sluice.base.config.Shape;
import sluice.base.net.Prefix;
import sluice.policy.match.PortSet;

/// How the condition of a rule is written: sing-box's names.
final class ConditionShape {

    /// What was read: a condition and the tags it mentions.
    record Read(RuleCondition condition, List<TagUse> uses) {}

    private static final Kind<String> DOMAIN = Kind.text("a host name", NamePattern::whole);
    private static final Kind<String> SUFFIX =
            Kind.text("the end of a host name", NamePattern::suffix);
    private static final Kind<Integer> ANY_PORT = Kind.integer(0, 65_535);
    private static final Kind<PortSet.Range> PORTS =
            Kind.text("a range of ports such as \"1000:2000\"", PortSet.Range::parse);

    private static final Key<String> TYPE =
            Key.of("type", Kind.choice("default", "logical"))
                    .otherwise("default")
                    .says("Whether the rule has fields or joins other rules.");
    private static final Key<String> MODE =
            Key.of("mode", Kind.choice("and", "or")).says("How a logical rule joins its rules.");
    private static final Key<List<Read>> RULES =
            Key.objects("rules", Form.<Read>later(() -> ConditionShape.NESTED))
                    .says("The rules that a logical rule joins.");
    private static final Key<Boolean> INVERT =
            Key.of("invert", Kind.FLAG)
                    .otherwise(false)
                    .says("Matches the flows that the rule otherwise would not.");

    private static final Key<List<String>> INBOUND =
            Key.list("inbound", Kind.NAME).says("Tags of inbounds.");
    private static final Key<Integer> IP_VERSION =
            Key.of("ip_version", ipVersion())
                    .otherwise(0)
                    .says("Family of a destination that is an address.");
    private static final Key<List<String>> NETWORK =
            Key.list("network", Kind.choice("tcp", "udp")).says("Streams or datagrams.");
    private static final Key<List<String>> AUTH_USER =
            Key.list("auth_user", Kind.NAME).says("Users as the inbound knows them.");
    private static final Key<List<String>> DOMAIN_NAME =
            Key.list("domain", DOMAIN).says("Whole host names.");
    private static final Key<List<String>> DOMAIN_SUFFIX =
            Key.list("domain_suffix", SUFFIX)
                    .says("Host names and all below them; with a leading dot only those below.");
    private static final Key<List<String>> DOMAIN_KEYWORD =
            Key.list("domain_keyword", Kind.NAME).says("Text anywhere in a host name.");
    private static final Key<List<Prefix>> IP_CIDR =
            Key.list("ip_cidr", Kind.PREFIX)
                    .says("Destination addresses; a name matches after a rule with `resolve`.");
    private static final Key<Boolean> IP_IS_PRIVATE =
            Key.of("ip_is_private", Kind.FLAG)
                    .otherwise(false)
                    .says("Destination addresses that are not public.");
    private static final Key<List<Integer>> PORT =
            Key.list("port", ANY_PORT).says("Destination ports.");
    private static final Key<List<PortSet.Range>> PORT_RANGE =
            Key.list("port_range", PORTS).says("Ranges of destination ports.");
    private static final Key<List<Prefix>> SOURCE_IP_CIDR =
            Key.list("source_ip_cidr", Kind.PREFIX).says("Addresses of clients.");
    private static final Key<Boolean> SOURCE_IP_IS_PRIVATE =
            Key.of("source_ip_is_private", Kind.FLAG)
                    .otherwise(false)
                    .says("Clients whose addresses are not public.");
    private static final Key<List<Integer>> SOURCE_PORT =
            Key.list("source_port", ANY_PORT).says("Ports of clients.");
    private static final Key<List<PortSet.Range>> SOURCE_PORT_RANGE =
            Key.list("source_port_range", PORTS).says("Ranges of ports of clients.");

    /// Keys that only fields have; a logical rule has none of them.
    private static final List<Key<?>> FIELD_KEYS =
            List.of(
                    INBOUND,
                    IP_VERSION,
                    NETWORK,
                    AUTH_USER,
                    DOMAIN_NAME,
                    DOMAIN_SUFFIX,
                    DOMAIN_KEYWORD,
                    IP_CIDR,
                    IP_IS_PRIVATE,
                    PORT,
                    PORT_RANGE,
                    SOURCE_IP_CIDR,
                    SOURCE_IP_IS_PRIVATE,
                    SOURCE_PORT,
                    SOURCE_PORT_RANGE);

    /// What sing-box matches and this program does not yet.
    private static final List<String> NOT_YET =
            List.of(
                    "protocol",
                    "client",
                    "domain_regex",
                    "rule_set",
                    "rule_set_ip_cidr_match_source",
                    "process_name",
                    "process_path",
                    "process_path_regex",
                    "package_name",
                    "user",
                    "user_id",
                    "clash_mode",
                    "network_type",
                    "network_is_expensive",
                    "network_is_constrained",
                    "interface_address",
                    "network_interface_address",
                    "default_interface_address",
                    "wifi_ssid",
                    "wifi_bssid",
                    "preferred_by",
                    "source_mac_address",
                    "source_hostname",
                    "geosite",
                    "geoip",
                    "source_geoip");

    /// All keys of a condition, for the rules that have an action beside it.
    static final List<Key<?>> KEYS = keys();

    /// A rule inside a logical rule: a condition alone.
    static final Shape<Read> NESTED =
            Shape.of(
                    "rule inside a logical rule",
                    ConditionShape::read,
                    KEYS.toArray(new Key<?>[0]));

    private ConditionShape() {}

    /// Makes a condition of what was read.
    static @Nullable Read read(Fields fields) {
        return fields.get(TYPE).equals("logical") ? readLogical(fields) : readFields(fields);
    }

    private static @Nullable Read readLogical(Fields fields) {
        boolean usable = true;
        for (Key<?> key : FIELD_KEYS) {
            if (fields.has(key)) {
                fields.refuse(
                        key, "has no meaning in a logical rule", "move it into one of its rules");
                usable = false;
            }
        }
        String mode = fields.orNull(MODE);
        if (mode == null) {
            fields.refuse(MODE, "a logical rule needs \"mode\"", "write \"and\" or \"or\"");
        }
        List<Read> rules = fields.get(RULES);
        if (rules.isEmpty()) {
            fields.refuse(RULES, "a logical rule needs rules", null);
        }
        if (!usable || mode == null || rules.isEmpty()) {
            return null;
        }
        List<TagUse> uses = new ArrayList<>();
        rules.forEach(rule -> uses.addAll(rule.uses()));
        return new Read(
                new RuleCondition.Logical(
                        mode.equals("and"),
                        rules.stream().map(Read::condition).toList(),
                        fields.get(INVERT)),
                List.copyOf(uses));
    }

    private static @Nullable Read readFields(Fields fields) {
        for (Key<?> key : List.of(MODE, RULES)) {
            if (fields.has(key)) {
                fields.refuse(key, "belongs to a logical rule", "add \"type\": \"logical\"");
                return null;
            }
        }
        RuleCondition.Fields condition =
                new RuleCondition.Fields(
                        fields.get(INBOUND),
                        fields.get(IP_VERSION),
                        fields.get(NETWORK).stream().map(ConditionShape::network).toList(),
                        fields.get(AUTH_USER),
                        new RuleCondition.Target(
                                fields.get(DOMAIN_NAME),
                                fields.get(DOMAIN_SUFFIX),
                                fields.get(DOMAIN_KEYWORD),
                                new RuleCondition.Addresses(
                                        fields.get(IP_CIDR), fields.get(IP_IS_PRIVATE))),
                        ranges(fields.get(PORT), fields.get(PORT_RANGE)),
                        new RuleCondition.Addresses(
                                fields.get(SOURCE_IP_CIDR), fields.get(SOURCE_IP_IS_PRIVATE)),
                        ranges(fields.get(SOURCE_PORT), fields.get(SOURCE_PORT_RANGE)),
                        fields.get(INVERT));
        if (condition.isEmpty() && condition.invert()) {
            fields.refuse(INVERT, "there is nothing to invert in a rule without conditions", null);
            return null;
        }
        String path = fields.path() + "." + INBOUND.name();
        return new Read(
                condition,
                condition.inbounds().stream()
                        .map(tag ->
                                new TagUse(TagUse.Kind.INBOUND, tag, fields.placeOf(INBOUND), path))
                        .toList());
    }

    private static Network network(String word) {
        return word.equals("tcp") ? Network.STREAM : Network.DATAGRAM;
    }

    private static List<PortSet.Range> ranges(List<Integer> ports, List<PortSet.Range> ranges) {
        List<PortSet.Range> all = new ArrayList<>(ranges);
        ports.forEach(port -> all.add(PortSet.Range.of(port)));
        return List.copyOf(all);
    }

    private static Kind<Integer> ipVersion() {
        return Kind.of(
                "4 or 6",
                Schema.map("enum", List.of(4, 6)),
                scalar -> {
                    int version = (int) Kind.number(scalar, 4, 6, "4 or 6");
                    if (version == 5) {
                        throw new IllegalArgumentException("5 is not 4 or 6");
                    }
                    return version;
                });
    }

    private static List<Key<?>> keys() {
        List<Key<?>> keys = new ArrayList<>(List.of(TYPE, MODE, RULES));
        keys.addAll(FIELD_KEYS);
        keys.add(INVERT);
        NOT_YET.forEach(name -> keys.add(Key.conditionNotYet(name)));
        return List.copyOf(keys);
    }
}
