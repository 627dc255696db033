package sluice.policy.dns;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import sluice.base.net.IpAddress;

/// The order in which the addresses of one name are tried, so that a broken family costs one delay
/// and not one timeout (RFC 8305 §4).
public final class AddressOrder {

    /// How long an attempt runs alone before the next begins beside it (RFC 8305 §5 recommends it).
    public static final Duration ATTEMPT_DELAY = Duration.ofMillis(250);

    private AddressOrder() {}

    /// Keeps the wanted families and lets them alternate, beginning with the preferred one; within
    /// a family the order stays. Without a preference the family of the first address begins, since
    /// the resolver sorted by RFC 6724.
    ///
    /// @return a list without duplicates, perhaps empty
    public static List<IpAddress> of(List<IpAddress> addresses, Family preference) {
        List<IpAddress> first = new ArrayList<>(addresses.size());
        List<IpAddress> second = new ArrayList<>(addresses.size());
        boolean firstIsV4 =
                switch (preference) {
                    case ANY -> !addresses.isEmpty() && addresses.getFirst().isV4();
                    case PREFER_IPV4, IPV4_ONLY -> true;
                    case PREFER_IPV6, IPV6_ONLY -> false;
                };
        for (IpAddress address : addresses) {
            List<IpAddress> same = address.isV4() == firstIsV4 ? first : second;
            if (preference.wants(address.isV4()) && !same.contains(address)) {
                same.add(address);
            }
        }
        List<IpAddress> ordered = new ArrayList<>(first.size() + second.size());
        for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
            if (i < first.size()) {
                ordered.add(first.get(i));
            }
            if (i < second.size()) {
                ordered.add(second.get(i));
            }
        }
        return List.copyOf(ordered);
    }
}
