package sluice.app.config;

import java.util.List;
import java.util.Set;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;
import sluice.policy.route.RouteOptions;
import sluice.protocol.spi.Protocol;

/// The whole of a configuration.
final class RootShape {

    /// What stands in a configuration, before the checks that look at more than one object. Parts
    /// that were refused are left out or have their defaults.
    record Draft(
            LogSettings log,
            InboundsForm.Read inbounds,
            OutboundsForm.Read outbounds,
            RouteOptions route,
            ProcessSettings process) {}

    private static final Key<String> SCHEMA =
            Key.of("$schema", Kind.TEXT).otherwise("").says("For editors; not read.");
    private static final Key<LogSettings> LOG =
            Key.object("log", LogSettings.SHAPE)
                    .otherwise(LogSettings.DEFAULT)
                    .says("What is written down, and where.");
    private static final Key<RouteOptions> ROUTE =
            Key.object("route", RouteOptions.SHAPE)
                    .otherwise(RouteOptions.NONE)
                    .says("Which traffic goes through which outbound.");
    private static final Key<ProcessSettings> PROCESS =
            Key.object("sluice", ProcessSettings.SHAPE)
                    .otherwise(ProcessSettings.DEFAULT)
                    .says("What the process may use; no other program has this block.");

    private RootShape() {}

    /// The shape for these protocols.
    static Shape<Draft> of(List<Protocol> protocols) {
        Key<InboundsForm.Read> inbounds =
                Key.of("inbounds", new InboundsForm(protocols))
                        .otherwise(new InboundsForm.Read(List.of(), List.of()))
                        .says("Where clients come in.");
        Key<OutboundsForm.Read> outbounds =
                Key.of("outbounds", new OutboundsForm(protocols))
                        .otherwise(new OutboundsForm.Read(List.of(), Set.of()))
                        .says("Where traffic goes out; the first one where no rule decides.");
        return Shape.of(
                "Sluice configuration",
                fields ->
                        new Draft(
                                fields.getOr(LOG, LogSettings.DEFAULT),
                                fields.get(inbounds),
                                fields.get(outbounds),
                                fields.getOr(ROUTE, RouteOptions.NONE),
                                fields.getOr(PROCESS, ProcessSettings.DEFAULT)),
                SCHEMA,
                LOG,
                Key.notYet("dns", true),
                Key.notYet("ntp", false),
                Key.notYet("certificate", false),
                Key.notYet("endpoints", true),
                inbounds,
                outbounds,
                ROUTE,
                Key.notYet("services", false),
                Key.notYet("experimental", false),
                PROCESS);
    }
}
