package sluice.engine.plan;

import java.util.List;
import java.util.Map;
import sluice.policy.route.RouteOptions;
import sluice.policy.route.Router;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.StreamService;

/// What an engine shall do. Immutable; a reload makes another one.
///
/// @param inbounds ways in
/// @param outbounds ways out by tag; every tag that [#router] and the detours name is there
/// @param router chooses a way out
/// @param services magic destinations
/// @param halfClosedNanos how long a half-closed flow may be silent
public record Plan(
        List<InboundPlan> inbounds,
        Map<String, OutboundPlan> outbounds,
        Router router,
        List<StreamService> services,
        long halfClosedNanos) {

    /// 5 minutes: long enough for a slow answer to a request that ended with FIN.
    public static final long HALF_CLOSED_NANOS = 300_000_000_000L;

    /// A plan of inbounds that answer by themselves and open nothing.
    public static Plan listening(List<InboundPlan> inbounds) {
        return new Plan(
                inbounds,
                Map.of(),
                Router.of(RouteOptions.NONE, "nowhere"),
                List.of(),
                HALF_CLOSED_NANOS);
    }

    /// The outbound with that tag.
    ///
    /// @throws IllegalStateException when there is none: the configuration was not checked
    public OutboundPlan outbound(String tag) {
        OutboundPlan found = outbounds.get(tag);
        if (found == null) {
            throw new IllegalStateException("no outbound \"" + tag + "\"");
        }
        return found;
    }

    /// Whether datagrams can go through `outbound` and all its detours. A stream that carries
    /// datagrams asks no more of its detours than other streams do.
    public boolean carriesDatagrams(OutboundPlan outbound) {
        Outbound protocol = outbound.protocol();
        String detour = outbound.detour();
        return !protocol.isBlock()
                && switch (protocol.datagrams()) {
                    case NONE -> false;
                    case STREAM -> true;
                    case BARE, PACKETS, ASSOCIATION ->
                            detour == null || carriesDatagrams(outbound(detour));
                };
    }
}
