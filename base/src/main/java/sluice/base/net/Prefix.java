package sluice.base.net;

/// An address range: the first `bits` bits are fixed, the rest is zero.
///
/// @param address lowest address of the range
/// @param bits 0 to 32 for IPv4, 0 to 128 for IPv6
public record Prefix(IpAddress address, int bits) {

    /// @throws IllegalArgumentException when `bits` does not fit the family, or bits behind it are
    ///   set
    public Prefix {
        int most = address.isV4() ? 32 : 128;
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException("/" + bits + " is not between /0 and /" + most);
        }
        if (!masked(address, bits).equals(address)) {
            throw new IllegalArgumentException(
                    address
                            + "/"
                            + bits
                            + " has bits behind the prefix; write "
                            + masked(address, bits)
                            + "/"
                            + bits);
        }
    }

    /// Reads `10.0.0.0/8`, `2001:db8::/32` or a single address.
    ///
    /// @throws IllegalArgumentException with a reason
    public static Prefix parse(String text) {
        int slash = text.indexOf('/');
        IpAddress address = IpAddress.parseOrNull(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not an address or prefix");
        }
        if (slash < 0) {
            return new Prefix(address, address.isV4() ? 32 : 128);
        }
        int bits = Decimal.parseOrMinus(text, slash + 1, 99_999);
        if (bits < 0) {
            throw new IllegalArgumentException("\"" + text + "\" has no number behind the slash");
        }
        return new Prefix(address, bits);
    }

    /// Whether `other` lies in the range; never true across families.
    public boolean contains(IpAddress other) {
        return other.isV4() == address.isV4() && masked(other, bits).equals(address);
    }

    private static IpAddress masked(IpAddress address, int bits) {
        if (address.isV4()) {
            return IpAddress.v4(bits == 0 ? 0 : (int) (address.low() & (-1L << (32 - bits))));
        }
        long high =
                bits >= 64 ? address.high() : bits == 0 ? 0 : address.high() & (-1L << (64 - bits));
        long low = bits <= 64 ? 0 : address.low() & (-1L << (128 - bits));
        return new IpAddress(high, low, false);
    }

    @Override
    public String toString() {
        return address + "/" + bits;
    }
}
