package sluice.policy.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import sluice.base.net.IpAddress;
import sluice.base.net.Prefix;

/// A set of address ranges as sorted bounds that do not overlap: 8 bytes a range for IPv4, 32 for
/// IPv6. Thread-safe; asking is a binary search.
public final class PrefixSet {

    /// The set without entries.
    public static final PrefixSet EMPTY = of(List.of());

    /// What is not reachable in the public network, as sing-box's `ip_is_private` sees it: private,
    /// loopback, link-local, multicast and unspecified addresses. Shared addresses (RFC 6598) are
    /// not in it.
    public static final PrefixSet NOT_PUBLIC =
            of(
                    Stream.of(
                                    "0.0.0.0/32",
                                    "10.0.0.0/8",
                                    "127.0.0.0/8",
                                    "169.254.0.0/16",
                                    "172.16.0.0/12",
                                    "192.168.0.0/16",
                                    "224.0.0.0/4",
                                    "::/127",
                                    "fc00::/7",
                                    "fe80::/10",
                                    "ff00::/8")
                            .map(Prefix::parse)
                            .toList());

    private final V4 v4;
    private final V6 v6;

    private PrefixSet(V4 v4, V6 v6) {
        this.v4 = v4;
        this.v6 = v6;
    }

    /// Compiles a set; prefixes may overlap.
    public static PrefixSet of(Collection<Prefix> prefixes) {
        List<Prefix> four = new ArrayList<>();
        List<Prefix> six = new ArrayList<>();
        for (Prefix prefix : prefixes) {
            (prefix.address().isV4() ? four : six).add(prefix);
        }
        return new PrefixSet(V4.of(four), V6.of(six));
    }

    /// Whether `address` lies in one of the ranges.
    public boolean contains(IpAddress address) {
        return address.isV4() ? v4.contains((int) address.low()) : v6.contains(address);
    }

    /// Bounds in flipped form: the sign bit inverted, so that signed order is address order.
    private record V4(int[] froms, int[] tos) {

        static V4 of(List<Prefix> prefixes) {
            Prefix[] sorted = prefixes.toArray(new Prefix[0]);
            Arrays.sort(sorted, (a, b) -> Long.compare(a.address().low(), b.address().low()));
            int[] froms = new int[sorted.length];
            int[] tos = new int[sorted.length];
            int count = 0;
            long last = -2;
            for (Prefix prefix : sorted) {
                long from = prefix.address().low();
                long to = from + (1L << (32 - prefix.bits())) - 1;
                if (from <= last + 1) {
                    last = Math.max(last, to);
                    tos[count - 1] = flip((int) last);
                } else {
                    last = to;
                    froms[count] = flip((int) from);
                    tos[count++] = flip((int) to);
                }
            }
            return new V4(Arrays.copyOf(froms, count), Arrays.copyOf(tos, count));
        }

        boolean contains(int bits) {
            int flipped = flip(bits);
            int at = Arrays.binarySearch(froms, flipped);
            int below = at >= 0 ? at : -at - 2;
            return below >= 0 && flipped <= tos[below];
        }

        private static int flip(int bits) {
            return bits ^ Integer.MIN_VALUE;
        }
    }

    /// Bounds as pairs of unsigned halves.
    private record V6(long[] fromHighs, long[] fromLows, long[] toHighs, long[] toLows) {

        static V6 of(List<Prefix> prefixes) {
            Prefix[] sorted = prefixes.toArray(new Prefix[0]);
            Arrays.sort(sorted, V6::compareStarts);
            long[][] bounds = new long[4][sorted.length];
            int count = 0;
            for (Prefix prefix : sorted) {
                long fromHigh = prefix.address().high();
                long fromLow = prefix.address().low();
                long toHigh = fromHigh | hostBits(64 - prefix.bits());
                long toLow = fromLow | hostBits(128 - prefix.bits());
                // Prefixes are nested or apart: one that begins inside the last range also ends
                // there.
                if (count > 0
                        && compare(fromHigh, fromLow, bounds[2][count - 1], bounds[3][count - 1])
                                <= 0) {
                    continue;
                }
                bounds[0][count] = fromHigh;
                bounds[1][count] = fromLow;
                bounds[2][count] = toHigh;
                bounds[3][count++] = toLow;
            }
            for (int i = 0; i < bounds.length; i++) {
                bounds[i] = Arrays.copyOf(bounds[i], count);
            }
            return new V6(bounds[0], bounds[1], bounds[2], bounds[3]);
        }

        boolean contains(IpAddress address) {
            long high = address.high();
            long low = address.low();
            int first = 0;
            int last = fromHighs.length - 1;
            while (first <= last) {
                int middle = (first + last) >>> 1;
                if (compare(fromHighs[middle], fromLows[middle], high, low) > 0) {
                    last = middle - 1;
                } else if (compare(high, low, toHighs[middle], toLows[middle]) > 0) {
                    first = middle + 1;
                } else {
                    return true;
                }
            }
            return false;
        }

        /// The mask of the lowest `bits` bits, where fewer than one are none and more than 64 are
        /// all.
        private static long hostBits(int bits) {
            return bits <= 0 ? 0 : bits >= 64 ? -1L : (1L << bits) - 1;
        }

        private static int compareStarts(Prefix a, Prefix b) {
            int order =
                    compare(
                            a.address().high(), a.address().low(),
                            b.address().high(), b.address().low());
            return order != 0 ? order : Integer.compare(a.bits(), b.bits());
        }

        private static int compare(long aHigh, long aLow, long bHigh, long bLow) {
            int order = Long.compareUnsigned(aHigh, bHigh);
            return order != 0 ? order : Long.compareUnsigned(aLow, bLow);
        }
    }
}
