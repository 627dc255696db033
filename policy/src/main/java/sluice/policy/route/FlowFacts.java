package sluice.policy.route;

import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;

/// What is known of a flow when its way is decided.
///
/// @param inbound tag of the way in
/// @param network stream or datagrams
/// @param destination what the client asked for
/// @param source the client's socket address
/// @param user as authenticated by the inbound; null where it knows no users
/// @param resolved addresses of the destination's name; null until somebody looked
/// @param sniffed what the first bytes told; null until somebody looked
public record FlowFacts(
        String inbound,
        Network network,
        Destination destination,
        Endpoint source,
        @Nullable String user,
        @Nullable List<IpAddress> resolved,
        @Nullable Sniffed sniffed) {

    /// What the first bytes of a flow told.
    ///
    /// @param protocol such as `tls`; null where nothing was recognised
    /// @param name the host they name; null where they name none
    public record Sniffed(@Nullable String protocol, @Nullable DomainName name) {

        /// Somebody looked, and recognised nothing.
        public static final Sniffed NOTHING = new Sniffed(null, null);
    }

    /// The facts at the beginning, before anything was looked up.
    public static FlowFacts of(
            String inbound,
            Network network,
            Destination destination,
            Endpoint source,
            @Nullable String user) {
        return new FlowFacts(inbound, network, destination, source, user, null, null);
    }

    /// These facts and the addresses of the destination's name.
    public FlowFacts withResolved(List<IpAddress> addresses) {
        return new FlowFacts(
                inbound, network, destination, source, user, List.copyOf(addresses), sniffed);
    }

    /// These facts and what the first bytes told.
    public FlowFacts withSniffed(Sniffed told) {
        return new FlowFacts(inbound, network, destination, source, user, resolved, told);
    }

    /// The name that rules compare, in its match form: the sniffed one, or else the destination's.
    @Nullable String nameOrNull() {
        if (sniffed != null && sniffed.name() != null) {
            return sniffed.name().toMatchForm();
        }
        return destination.host() instanceof DomainName name ? name.toMatchForm() : null;
    }
}
