package sluice.policy.route;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.policy.match.DomainSet;
import sluice.policy.match.KeywordSet;
import sluice.policy.match.PortSet;
import sluice.policy.match.PrefixSet;

/// A compiled condition, or a part of one. Thread-safe; asking allocates nothing.
@FunctionalInterface
interface Matcher {

    /// Whether the flow is meant.
    ///
    /// @param name the flow's name in match form, computed once for all rules
    boolean matches(FlowFacts facts, @Nullable String name);

    /// Compiles a condition.
    static Matcher of(RuleCondition condition) {
        return switch (condition) {
            case RuleCondition.Fields fields -> ofFields(fields);
            case RuleCondition.Logical logical ->
                    new Joined(
                            logical.rules().stream().map(Matcher::of).toArray(Matcher[]::new),
                            logical.all(),
                            logical.invert());
        };
    }

    private static Matcher ofFields(RuleCondition.Fields fields) {
        List<Matcher> parts = new ArrayList<>();
        // Cheap parts first: most rules fail on one of them.
        if (!fields.networks().isEmpty()) {
            boolean stream = fields.networks().contains(Network.STREAM);
            boolean datagram = fields.networks().contains(Network.DATAGRAM);
            parts.add((facts, _) -> facts.network() == Network.STREAM ? stream : datagram);
        }
        if (fields.ipVersion() != 0) {
            boolean wantsV4 = fields.ipVersion() == 4;
            parts.add((facts, _) ->
                    facts.destination().host() instanceof IpAddress address
                            && address.isV4() == wantsV4);
        }
        if (!fields.ports().isEmpty()) {
            PortSet ports = PortSet.of(fields.ports());
            parts.add((facts, _) -> ports.contains(facts.destination().port()));
        }
        if (!fields.sourcePorts().isEmpty()) {
            PortSet ports = PortSet.of(fields.sourcePorts());
            parts.add((facts, _) -> ports.contains(facts.source().port()));
        }
        if (!fields.inbounds().isEmpty()) {
            Set<String> inbounds = new HashSet<>(fields.inbounds());
            parts.add((facts, _) -> inbounds.contains(facts.inbound()));
        }
        if (!fields.users().isEmpty()) {
            Set<String> users = new HashSet<>(fields.users());
            parts.add((facts, _) -> facts.user() != null && users.contains(facts.user()));
        }
        if (!fields.source().isEmpty()) {
            AddressMatcher source = AddressMatcher.of(fields.source());
            parts.add((facts, _) -> source.matches(facts.source().address()));
        }
        if (!fields.target().isEmpty()) {
            parts.add(TargetMatcher.of(fields.target()));
        }
        Matcher[] array = parts.toArray(new Matcher[0]);
        return array.length == 1 && !fields.invert()
                ? array[0]
                : new Joined(array, true, fields.invert());
    }

    /// Matchers joined by and, or by or.
    record Joined(Matcher[] parts, boolean all, boolean invert) implements Matcher {

        @Override
        public boolean matches(FlowFacts facts, @Nullable String name) {
            for (Matcher part : parts) {
                if (part.matches(facts, name) != all) {
                    return all == invert;
                }
            }
            return all != invert;
        }
    }

    /// The destination's host: one of its fields is enough.
    record TargetMatcher(
            DomainSet domains, @Nullable KeywordSet keywords, @Nullable AddressMatcher addresses)
            implements Matcher {

        static TargetMatcher of(RuleCondition.Target target) {
            return new TargetMatcher(
                    DomainSet.of(target.names(), target.suffixes()),
                    target.keywords().isEmpty() ? null : KeywordSet.of(target.keywords()),
                    target.addresses().isEmpty() ? null : AddressMatcher.of(target.addresses()));
        }

        @Override
        public boolean matches(FlowFacts facts, @Nullable String name) {
            if (name != null
                    && (domains.contains(name) || (keywords != null && keywords.isIn(name)))) {
                return true;
            }
            return addresses != null && matchesAddress(facts, addresses);
        }

        private static boolean matchesAddress(FlowFacts facts, AddressMatcher addresses) {
            Host host = facts.destination().host();
            if (host instanceof IpAddress address) {
                return addresses.matches(address);
            }
            List<IpAddress> resolved = facts.resolved();
            if (resolved == null) {
                return false;
            }
            for (int i = 0; i < resolved.size(); i++) {
                if (addresses.matches(resolved.get(i))) {
                    return true;
                }
            }
            return false;
        }
    }

    /// One address against prefixes, and against what is not public.
    record AddressMatcher(PrefixSet prefixes, boolean isPrivate) {

        static AddressMatcher of(RuleCondition.Addresses addresses) {
            return new AddressMatcher(PrefixSet.of(addresses.prefixes()), addresses.isPrivate());
        }

        boolean matches(IpAddress address) {
            return prefixes.contains(address)
                    || (isPrivate && PrefixSet.NOT_PUBLIC.contains(address));
        }
    }
}
