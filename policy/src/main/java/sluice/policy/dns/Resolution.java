package sluice.policy.dns;

import java.util.List;
import sluice.base.net.IpAddress;

/// What a lookup brought.
public sealed interface Resolution {

    /// The name has addresses.
    ///
    /// @param addresses at least one, in the order in which they should be tried
    /// @param ttlSeconds how long the answer may be kept; 0 where the resolver does not say
    record Found(List<IpAddress> addresses, long ttlSeconds) implements Resolution {

        /// @throws IllegalArgumentException without an address
        public Found {
            addresses = List.copyOf(addresses);
            if (addresses.isEmpty()) {
                throw new IllegalArgumentException("a name without addresses is a failure");
            }
        }
    }

    /// There is no address.
    ///
    /// @param reason for the log, e.g. `no such name`
    /// @param lasts whether asking again at once would bring the same, as for a name that does not
    ///   exist; false for an upstream that does not answer
    record Failed(String reason, boolean lasts) implements Resolution {}
}
