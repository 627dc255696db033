package sluice.app.config;

import java.util.List;
import sluice.base.config.Findings;
import sluice.policy.route.RouteOptions;

/// A configuration that was read and checked: every tag it mentions exists, every value in it can
/// be used.
///
/// @param log what is written down
/// @param inbounds ways in, in the order written
/// @param outbounds ways out, in the order written; at least one
/// @param route the rules
/// @param process what the process may use
/// @param warnings what probably does not mean what it says
public record Configuration(
        LogSettings log,
        List<InboundSettings> inbounds,
        List<OutboundSettings> outbounds,
        RouteOptions route,
        ProcessSettings process,
        List<Findings.Finding> warnings) {

    /// Copies the lists.
    public Configuration {
        inbounds = List.copyOf(inbounds);
        outbounds = List.copyOf(outbounds);
        warnings = List.copyOf(warnings);
    }

    /// This configuration with other inbounds and outbounds.
    public Configuration with(List<InboundSettings> inbounds, List<OutboundSettings> outbounds) {
        return new Configuration(log, inbounds, outbounds, route, process, warnings);
    }

    /// This configuration with other rules.
    public Configuration with(RouteOptions rules) {
        return new Configuration(log, inbounds, outbounds, rules, process, warnings);
    }
}
