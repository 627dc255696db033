package sluice.linux.socket;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.linux.ffi.SocketAddress;

/// Turns addresses in kernel memory into objects, mostly without making any: the endpoints met last
/// are remembered, two for each hash value. Owned by one loop thread. At most 60 KB.
final class AddressCache {

    /// A power of two. Peers beyond it cost 56 bytes of garbage per datagram, nothing else.
    private static final int SETS = 512;

    private static final int LOCALS = 16;

    private final @Nullable Endpoint[] endpoints = new @Nullable Endpoint[2 * SETS];
    private final @Nullable IpAddress[] locals = new @Nullable IpAddress[LOCALS];

    /// The endpoint at `offset`.
    Endpoint endpoint(MemorySegment memory, long offset) {
        int set = 2 * (SocketAddress.hash(memory, offset) & (SETS - 1));
        Endpoint recent = endpoints[set];
        if (recent != null && SocketAddress.matches(memory, offset, recent)) {
            return recent;
        }
        Endpoint older = endpoints[set + 1];
        Endpoint found =
                older != null && SocketAddress.matches(memory, offset, older)
                        ? older
                        : SocketAddress.read(memory, offset);
        endpoints[set] = found;
        endpoints[set + 1] = recent;
        return found;
    }

    /// The address with these halves; see [IpAddress#v6].
    IpAddress local(long high, long low) {
        int index = (int) (low ^ low >>> 4) & (LOCALS - 1);
        IpAddress known = locals[index];
        if (known != null && known.high() == high && known.low() == low && !known.isV4()) {
            return known;
        }
        boolean mapped = high == 0 && low >>> 32 == 0xffff;
        if (mapped) {
            return localV4((int) low);
        }
        IpAddress address = IpAddress.v6(high, low);
        locals[index] = address;
        return address;
    }

    /// The IPv4 address with these bits.
    IpAddress localV4(int bits) {
        int index = (bits ^ bits >>> 4) & (LOCALS - 1);
        IpAddress known = locals[index];
        if (known != null && known.isV4() && (int) known.low() == bits) {
            return known;
        }
        IpAddress address = IpAddress.v4(bits);
        locals[index] = address;
        return address;
    }
}
