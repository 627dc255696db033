package sluice.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.app.config.Configuration;
import sluice.app.config.InboundSettings;
import sluice.app.config.ListenFields;
import sluice.app.config.OutboundSettings;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.net.Endpoint;
import sluice.base.net.Prefix;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.OutboundPlan;
import sluice.engine.plan.Plan;
import sluice.policy.route.Router;
import sluice.protocol.ProtocolCatalog;

/// From what an operator wrote to what an engine does.
final class Assembly {

    private Assembly() {}

    /// The plan of a checked configuration.
    static Plan plan(Configuration configuration) {
        List<InboundPlan> inbounds = new ArrayList<>();
        for (InboundSettings settings : configuration.inbounds()) {
            inbounds.add(inbound(settings));
        }
        Map<String, OutboundPlan> outbounds = new LinkedHashMap<>();
        for (OutboundSettings settings : configuration.outbounds()) {
            outbounds.put(
                    settings.tag(),
                    new OutboundPlan(
                            settings.tag(),
                            settings.outbound(),
                            settings.dial().options(),
                            settings.dial().family(),
                            settings.dial().detour()));
        }
        return new Plan(
                inbounds,
                outbounds,
                Router.of(configuration.route(), configuration.outbounds().getFirst().tag()),
                ProtocolCatalog.streamServices(),
                Plan.HALF_CLOSED_NANOS);
    }

    private static InboundPlan inbound(InboundSettings settings) {
        ListenFields listen = settings.listen();
        return new InboundPlan(
                settings.tag(),
                listen.at(),
                listen.socket(),
                preface(listen.proxyProtocol()),
                settings.inbound(),
                new SameNode(settings.protocolNode()),
                listen.handshakeTimeout() == null
                        ? settings.inbound().handshakeTimeout().toNanos()
                        : listen.handshakeTimeout().toNanos(),
                listen.udpTimeout() == null
                        ? InboundPlan.DATAGRAM_IDLE_NANOS
                        : listen.udpTimeout().toNanos(),
                settings.place().toString());
    }

    private static InboundPlan.@Nullable Preface preface(ListenFields.ProxyProtocol options) {
        if (!options.enabled()) {
            return null;
        }
        return client ->
                isTrusted(options.trusted(), client)
                        ? ProtocolCatalog.proxyProtocol(options.required())
                        : null;
    }

    private static boolean isTrusted(List<Prefix> trusted, Endpoint client) {
        if (trusted.isEmpty()) {
            return true;
        }
        for (Prefix prefix : trusted) {
            if (prefix.contains(client.address())) {
                return true;
            }
        }
        return false;
    }

    /// Equal when the operator wrote the same values, wherever they stand.
    private static final class SameNode {
        private final Mapping node;

        SameNode(Mapping node) {
            this.node = node;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof SameNode same && node.sameAs(same.node);
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }
}
