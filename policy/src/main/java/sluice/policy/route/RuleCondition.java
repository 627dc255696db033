package sluice.policy.route;

import java.util.List;
import sluice.base.net.Prefix;
import sluice.policy.match.PortSet;

/// Which flows a rule means.
public sealed interface RuleCondition {

    /// Every field that has values must match, and one of its values is enough. Fields of one group
    /// count as one field: the target (`domain`, `domain_suffix`, `domain_keyword`, `ip_cidr`,
    /// `ip_is_private`), its port (`port`, `port_range`), the source (`source_ip_cidr`,
    /// `source_ip_is_private`) and its port (`source_port`, `source_port_range`). Without any field
    /// it matches every flow.
    ///
    /// @param inbounds tags
    /// @param ipVersion 4 or 6, of a destination that is an address; 0 for any
    /// @param networks stream, datagram
    /// @param users as authenticated
    /// @param target the destination's host
    /// @param ports of the destination
    /// @param source the client's address
    /// @param sourcePorts of the client
    /// @param invert whether it matches the flows that it otherwise would not
    record Fields(
            List<String> inbounds,
            int ipVersion,
            List<Network> networks,
            List<String> users,
            Target target,
            List<PortSet.Range> ports,
            Addresses source,
            List<PortSet.Range> sourcePorts,
            boolean invert)
            implements RuleCondition {

        /// Whether no field has a value.
        public boolean isEmpty() {
            return inbounds.isEmpty()
                    && ipVersion == 0
                    && networks.isEmpty()
                    && users.isEmpty()
                    && target.isEmpty()
                    && ports.isEmpty()
                    && source.isEmpty()
                    && sourcePorts.isEmpty();
        }
    }

    /// Conditions joined.
    ///
    /// @param all whether all must match, or one
    /// @param rules at least one
    /// @param invert whether the result is negated
    record Logical(boolean all, List<RuleCondition> rules, boolean invert)
            implements RuleCondition {}

    /// What a destination's host may be.
    ///
    /// @param names whole names
    /// @param suffixes ends of names on label boundaries; with a leading dot only what is below
    /// @param keywords pieces of names
    /// @param addresses of the destination, or of its name once that was looked up
    record Target(
            List<String> names, List<String> suffixes, List<String> keywords, Addresses addresses) {

        /// Whether anything will do.
        public boolean isEmpty() {
            return names.isEmpty()
                    && suffixes.isEmpty()
                    && keywords.isEmpty()
                    && addresses.isEmpty();
        }
    }

    /// What an address may be.
    ///
    /// @param prefixes ranges
    /// @param isPrivate whether addresses that are not public will do
    record Addresses(List<Prefix> prefixes, boolean isPrivate) {

        /// Any address.
        public static final Addresses ANY = new Addresses(List.of(), false);

        /// Whether anything will do.
        public boolean isEmpty() {
            return prefixes.isEmpty() && !isPrivate;
        }
    }
}
