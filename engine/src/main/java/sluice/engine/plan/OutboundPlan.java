package sluice.engine.plan;

import org.jspecify.annotations.Nullable;
import sluice.base.os.DialOptions;
import sluice.policy.dns.Family;
import sluice.protocol.spi.Outbound;

/// One way out, as the engine uses it.
///
/// @param tag its name
/// @param protocol its machines
/// @param dial how its sockets are made
/// @param family which addresses are tried for a name, and in which order
/// @param detour tag of the outbound that its connections go through, or null
public record OutboundPlan(
        String tag, Outbound protocol, DialOptions dial, Family family, @Nullable String detour) {}
