package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.engine.plan.OutboundPlan;
import sluice.policy.dns.Family;
import sluice.policy.route.RuleAction;
import sluice.policy.route.RuleCondition;
import sluice.policy.route.RuleOptions;
import sluice.protocol.ProtocolCatalog;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Protocol;

/// Ways in and out for plans, written short.
final class Ways {

    private static final Place NOWHERE = new Place("test", 1, 1);

    private Ways() {}

    /// Straight to the target.
    static OutboundPlan direct(String tag) {
        return direct(tag, DialOptions.DEFAULT);
    }

    static OutboundPlan direct(String tag, DialOptions options) {
        return new OutboundPlan(tag, new Straight(), options, Family.ANY, null);
    }

    /// Through a proxy, perhaps by way of another one.
    static OutboundPlan through(String tag, Outbound protocol, @Nullable String detour) {
        return new OutboundPlan(tag, protocol, DialOptions.DEFAULT, Family.ANY, detour);
    }

    /// A rule that looks up every name.
    static RuleOptions resolveAll() {
        return always(new RuleAction.Resolve(Family.ANY));
    }

    /// A rule for every flow.
    static RuleOptions always(RuleAction action) {
        RuleCondition.Addresses any = RuleCondition.Addresses.ANY;
        RuleCondition everything =
                new RuleCondition.Fields(
                        List.of(),
                        0,
                        List.of(),
                        List.of(),
                        new RuleCondition.Target(List.of(), List.of(), List.of(), any),
                        List.of(),
                        any,
                        List.of(),
                        false);
        return new RuleOptions(everything, action, List.of());
    }

    /// The same options with another backlog.
    static ListenOptions withBacklog(ListenOptions plain, int backlog) {
        return new ListenOptions(
                backlog,
                plain.reuseAddress(),
                plain.reusePort(),
                plain.bindInterface(),
                plain.routingMark(),
                plain.fastOpenQueue(),
                plain.multipath(),
                plain.keepAliveIdleSeconds(),
                plain.keepAliveIntervalSeconds(),
                plain.onlyV6());
    }

    /// An outbound of the catalog.
    ///
    /// @param options texts and numbers by key
    static Outbound outbound(String type, Map<String, Object> options) {
        return read(protocol(type).outbound(), options);
    }

    /// An inbound of the catalog.
    static Inbound inbound(String type, Map<String, Object> options) {
        return read(protocol(type).inbound(), options);
    }

    private static Protocol protocol(String type) {
        return ProtocolCatalog.all().stream()
                .filter(each -> each.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private static <T> T read(
            sluice.base.config.Shape<? extends T> shape, Map<String, Object> options) {
        List<ConfigNode.Mapping.Entry> entries = new ArrayList<>();
        options.forEach((key, value) ->
                entries.add(new ConfigNode.Mapping.Entry(key, NOWHERE, node(value))));
        Findings findings = new Findings();
        T made = shape.read(new ConfigNode.Mapping(NOWHERE, entries), "test", findings);
        assertThat(made).as(findings.report()).isNotNull();
        return made;
    }

    private static ConfigNode node(Object value) {
        ConfigNode.Scalar.Type type =
                switch (value) {
                    case Integer _ -> ConfigNode.Scalar.Type.NUMBER;
                    case Boolean _ -> ConfigNode.Scalar.Type.FLAG;
                    default -> ConfigNode.Scalar.Type.TEXT;
                };
        return new ConfigNode.Scalar(NOWHERE, type, value.toString());
    }

    private record Straight() implements Outbound {

        @Override
        public @Nullable Destination server() {
            return null;
        }

        @Override
        public @Nullable StreamMachine dialStream(LoopServices loop, Destination target) {
            return null;
        }

        @Override
        public Datagrams datagrams() {
            return Datagrams.BARE;
        }
    }

    /// Refuses everything.
    record Block() implements Outbound {

        @Override
        public boolean isBlock() {
            return true;
        }

        @Override
        public @Nullable Destination server() {
            return null;
        }

        @Override
        public @Nullable StreamMachine dialStream(LoopServices loop, Destination target) {
            return null;
        }

        @Override
        public Datagrams datagrams() {
            return Datagrams.NONE;
        }
    }
}
