package sluice.policy.dns;

/// Which addresses of a name are wanted, and which first. The names are sing-box's strategies.
public enum Family {
    /// As the resolver orders them.
    ANY(""),
    /// IPv4 first.
    PREFER_IPV4("prefer_ipv4"),
    /// IPv6 first.
    PREFER_IPV6("prefer_ipv6"),
    /// IPv4 and nothing else.
    IPV4_ONLY("ipv4_only"),
    /// IPv6 and nothing else.
    IPV6_ONLY("ipv6_only");

    private final String option;

    Family(String option) {
        this.option = option;
    }

    /// Its name in a configuration; empty for [#ANY].
    public String option() {
        return option;
    }

    /// Reads the name used in a configuration.
    ///
    /// @throws IllegalArgumentException with the list of names
    public static Family parse(String text) {
        for (Family family : values()) {
            if (family.option.equals(text)) {
                return family;
            }
        }
        throw new IllegalArgumentException(
                "\"" + text + "\" is none of prefer_ipv4, prefer_ipv6, ipv4_only, ipv6_only");
    }

    /// Whether addresses of that family are wanted.
    public boolean wants(boolean isV4) {
        return isV4 ? this != IPV6_ONLY : this != IPV4_ONLY;
    }
}
