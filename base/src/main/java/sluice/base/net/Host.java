package sluice.base.net;

/// What a client asked to reach: an address, or a name that somebody has yet to resolve.
public sealed interface Host permits IpAddress, DomainName {

    /// Reads an address literal or a name. IPv6 may stand in brackets; IPv4-mapped IPv6 becomes
    /// IPv4.
    ///
    /// @throws IllegalArgumentException with a reason, when it is neither
    static Host parse(String text) {
        IpAddress address = IpAddress.parseOrNull(text);
        return address != null ? address : DomainName.parse(text);
    }
}
