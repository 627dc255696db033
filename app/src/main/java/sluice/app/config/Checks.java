package sluice.app.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.app.log.LogFile;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Paths;
import sluice.base.config.Place;
import sluice.base.config.Shown;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.policy.route.RuleAction;
import sluice.policy.route.RuleCondition;
import sluice.policy.route.RuleOptions;
import sluice.protocol.spi.Outbound;

/// What can be wrong between the objects of a configuration.
final class Checks {

    /// The tag of the outbound that is there when none is written.
    static final String IMPLICIT_TAG = "direct";

    /// One socket that an inbound asks for.
    private record Listener(InboundSettings inbound, Endpoint at) {}

    private final Mapping root;
    private final RootShape.Draft draft;
    private final Surroundings surroundings;
    private final Findings findings;

    Checks(Mapping root, RootShape.Draft draft, Surroundings surroundings, Findings findings) {
        this.root = root;
        this.draft = draft;
        this.surroundings = surroundings;
        this.findings = findings;
    }

    /// Runs them all.
    void run() {
        new Tags(root, draft.outbounds().dnsTags(), findings).check(root);
        checkPorts();
        checkOpenness();
        checkUnreachableRules();
        checkPlugins();
        checkLog();
        checkDatagrams();
        if (root.value("inbounds") == null && !findings.hasErrors()) {
            findings.warn(
                    root.place(),
                    "",
                    "there are no inbounds: nobody can come in",
                    "add \"inbounds\"");
        }
    }

    private void checkPorts() {
        Map<Integer, List<Listener>> byPort = new HashMap<>();
        for (InboundSettings inbound : draft.inbounds().inbounds()) {
            for (Endpoint at : inbound.listen().at()) {
                if (at.port() == 0) {
                    continue;
                }
                List<Listener> others = byPort.computeIfAbsent(at.port(), _ -> new ArrayList<>());
                for (Listener other : others) {
                    checkPair(other, new Listener(inbound, at));
                }
                others.add(new Listener(inbound, at));
            }
        }
    }

    private void checkPair(Listener first, Listener second) {
        boolean streams =
                first.inbound().inbound().acceptsStreams()
                        && second.inbound().inbound().acceptsStreams();
        boolean datagrams =
                first.inbound().inbound().acceptsDatagrams()
                        && second.inbound().inbound().acceptsDatagrams();
        if (first.inbound() == second.inbound()
                || !streams && !datagrams
                || !overlap(first.at().address(), second.at().address())) {
            return;
        }
        String others = first.inbound().path() + " at " + placeOfPort(first.inbound());
        findings.error(
                placeOfPort(second.inbound()),
                second.inbound().path(),
                first.at().equals(second.at())
                        ? second.at() + " is taken by " + others + " already"
                        : second.at() + " overlaps with " + first.at() + " of " + others,
                second.at().address().isAny() || first.at().address().isAny()
                        ? "\"::\" stands for every address, \"0.0.0.0\" for every one of IPv4; use"
                                + " another port"
                        : "use another port");
    }

    /// Whether one socket on each cannot be bound at the same port. `::` takes IPv4 as well, unless
    /// `0.0.0.0` has a listener of its own.
    private static boolean overlap(IpAddress a, IpAddress b) {
        if (a.equals(b)) {
            return true;
        }
        if (a.isAny() && b.isAny()) {
            return false;
        }
        return a.isAny() && (!a.isV4() || b.isV4()) || b.isAny() && (!b.isV4() || a.isV4());
    }

    private static Place placeOfPort(InboundSettings inbound) {
        for (String key : new String[] {"listen_port", "listen_ports"}) {
            ConfigNode node = inbound.listenNode().value(key);
            if (node != null) {
                return node.place();
            }
        }
        return inbound.place();
    }

    /// An inbound that asks nobody who he is, at an address that others reach.
    private void checkOpenness() {
        for (InboundSettings inbound : draft.inbounds().inbounds()) {
            ListenFields listen = inbound.listen();
            if (listen.insecureOpen() || listen.at().getFirst().address().isLoopback()) {
                continue;
            }
            if (isOpen(inbound)) {
                ConfigNode address = inbound.listenNode().value("listen");
                findings.warn(
                        address == null ? inbound.place() : address.place(),
                        inbound.path(),
                        "everybody who reaches " + listen.at().getFirst() + " may use it",
                        "add \"users\", listen on 127.0.0.1, or write \"insecure_open\": true");
            }
        }
    }

    /// Whether an inbound asks nobody who he is.
    static boolean isOpen(InboundSettings inbound) {
        Mapping node = inbound.protocolNode();
        return switch (inbound.type()) {
            case "socks", "http", "mixed" -> isEmpty(node.value("users"));
            case "shadowsocks" ->
                    List.of("none", "plain", "dummy").contains(String.valueOf(node.text("method")));
            default -> false;
        };
    }

    private static boolean isEmpty(@Nullable ConfigNode users) {
        return users == null
                || users instanceof Items items && items.values().isEmpty()
                || users instanceof Scalar;
    }

    /// A log that nothing could be written to, as far as files show it. Only a warning: a check may
    /// run elsewhere than the program, or as somebody else.
    private void checkLog() {
        String output = draft.log().output();
        Place place = draft.log().outputPlace();
        if (output == null || place == null) {
            return;
        }
        Path file;
        try {
            file = surroundings.path(output);
        } catch (IllegalArgumentException _) {
            findings.error(place, "log.output", "is not a path", null);
            return;
        }
        String reason = LogFile.refusalOrNull(file);
        if (reason != null) {
            findings.warn(
                    place,
                    "log.output",
                    "cannot be written: " + reason,
                    "change that, or name another file");
        }
    }

    private void checkPlugins() {
        for (InboundSettings inbound : draft.inbounds().inbounds()) {
            checkPlugin(inbound.plugin(), inbound.pluginNode(), inbound.path());
            if (inbound.pluginNode() != null
                    && inbound.plugin() != null
                    && inbound.inbound().acceptsDatagrams()) {
                findings.warn(
                        inbound.pluginNode().place(),
                        Paths.join(inbound.path(), "plugin"),
                        "carries streams alone; datagrams are not served here",
                        "write \"network\": \"tcp\", and add an inbound with \"network\": \"udp\""
                                + " for them");
            }
        }
        for (OutboundSettings outbound : draft.outbounds().outbounds()) {
            checkPlugin(outbound.plugin(), outbound.node().value("plugin"), outbound.path());
        }
    }

    private void checkPlugin(
            @Nullable PluginSettings plugin, @Nullable ConfigNode node, String path) {
        if (plugin == null || node == null) {
            return;
        }
        String program = plugin.program();
        String at = Paths.join(path, "plugin");
        if (program.contains("/") && !program.startsWith("/")) {
            findings.error(
                    node.place(),
                    at,
                    Shown.quoted(program) + " is neither a name nor an absolute path",
                    "write the whole path");
        } else if (!surroundings.hasProgram(program)) {
            findings.error(
                    node.place(),
                    at,
                    program.startsWith("/")
                            ? "there is no program " + Shown.plain(program)
                            : "there is no program " + Shown.quoted(program) + " on PATH",
                    "install it, or write its whole path");
        }
    }

    /// Outbounds whose packets cannot go through one of their detours.
    private void checkDatagrams() {
        if (findings.hasErrors()) {
            return;
        }
        Map<String, OutboundSettings> byTag = new HashMap<>();
        draft.outbounds().outbounds().forEach(each -> byTag.put(each.tag(), each));
        for (OutboundSettings outbound : draft.outbounds().outbounds()) {
            ConfigNode detour = outbound.node().value("detour");
            OutboundSettings obstacle = sendsPackets(outbound) ? obstacle(outbound, byTag) : null;
            if (detour != null && obstacle != null) {
                findings.warn(
                        detour.place(),
                        Paths.join(outbound.path(), "detour"),
                        "datagrams cannot go this way: "
                                + Shown.quoted(obstacle.tag())
                                + " carries none, and they are dropped",
                        "write \"network\": \"tcp\", or \"udp_over_tcp\": true where the server"
                                + " knows it");
            }
        }
    }

    private static boolean sendsPackets(OutboundSettings outbound) {
        Outbound.Datagrams how = outbound.outbound().datagrams();
        return how == Outbound.Datagrams.PACKETS || how == Outbound.Datagrams.ASSOCIATION;
    }

    /// The first of its detours that carries no datagrams, or null. There are no circles.
    private static @Nullable OutboundSettings obstacle(
            OutboundSettings outbound, Map<String, OutboundSettings> byTag) {
        OutboundSettings at = outbound;
        while (at.outbound().datagrams() != Outbound.Datagrams.STREAM) {
            if (at.outbound().datagrams() == Outbound.Datagrams.NONE) {
                return at;
            }
            String next = at.dial().detour();
            OutboundSettings carrier = next == null ? null : byTag.get(next);
            if (carrier == null) {
                return null;
            }
            at = carrier;
        }
        return null;
    }

    /// Rules below one that takes everything.
    private void checkUnreachableRules() {
        List<RuleOptions> rules = draft.route().rules();
        ConfigNode route = root.value("route");
        ConfigNode node = route instanceof Mapping mapping ? mapping.value("rules") : null;
        List<ConfigNode> nodes = node == null ? List.of() : KnownTypes.elements(node);
        if (nodes.size() != rules.size() || findings.hasErrors()) {
            return;
        }
        for (int i = 0; i < rules.size() - 1; i++) {
            if (takesEverything(rules.get(i))) {
                findings.warn(
                        nodes.get(i + 1).place(),
                        Paths.at("route.rules", i + 1),
                        "no traffic gets here: "
                                + Paths.at("route.rules", i)
                                + " at "
                                + nodes.get(i).place()
                                + " takes everything",
                        "move it up, or give that rule a condition");
                return;
            }
        }
    }

    private static boolean takesEverything(RuleOptions rule) {
        boolean isFinal =
                rule.action() instanceof RuleAction.Route
                        || rule.action() instanceof RuleAction.Reject;
        return isFinal
                && rule.condition() instanceof RuleCondition.Fields fields
                && fields.isEmpty();
    }
}
