package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;

/// `struct sockaddr_in` and `struct sockaddr_in6` (ip(7), ipv6(7)): family, port, address; port and
/// address in network order. Views over memory; nothing is kept.
///
/// Inside an IPv6 socket IPv4 addresses are written as `::ffff:a.b.c.d`, and read back as IPv4.
public final class SocketAddress {

    /// Room for either form.
    public static final int BYTES = 28;

    private static final int V4_BYTES = 16;
    private static final int PORT_OFFSET = 2;
    private static final int V4_ADDRESS_OFFSET = 4;
    private static final int V6_FLOW_OFFSET = 4;
    private static final int V6_ADDRESS_OFFSET = 8;
    private static final int V6_SCOPE_OFFSET = 24;

    private static final ValueLayout.OfShort NET_SHORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt NET_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong NET_LONG =
            JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// The upper half of the low 64 bits of an IPv4-mapped address.
    private static final long MAPPED = 0xffff_0000_0000L;

    private SocketAddress() {}

    /// Writes `endpoint` at `offset` for a socket of family IPv6 or IPv4. Returns the bytes
    /// written.
    public static int write(MemorySegment memory, long offset, Endpoint endpoint, boolean asV6) {
        IpAddress address = endpoint.address();
        memory.set(NET_SHORT, offset + PORT_OFFSET, (short) endpoint.port());
        if (!asV6) {
            memory.set(JAVA_SHORT, offset, (short) Abi.AF_INET);
            memory.set(NET_INT, offset + V4_ADDRESS_OFFSET, (int) address.low());
            memory.set(JAVA_LONG_UNALIGNED, offset + 8, 0L);
            return V4_BYTES;
        }
        memory.set(JAVA_SHORT, offset, (short) Abi.AF_INET6);
        memory.set(JAVA_INT, offset + V6_FLOW_OFFSET, 0);
        writeV6(memory, offset + V6_ADDRESS_OFFSET, address);
        memory.set(JAVA_INT, offset + V6_SCOPE_OFFSET, 0);
        return BYTES;
    }

    /// Reads the endpoint at `offset`.
    public static Endpoint read(MemorySegment memory, long offset) {
        return new Endpoint(address(memory, offset), port(memory, offset));
    }

    /// Whether the address at `offset` is what `endpoint` says; compares without allocating.
    public static boolean matches(MemorySegment memory, long offset, Endpoint endpoint) {
        IpAddress address = endpoint.address();
        return endpoint.port() == port(memory, offset)
                && address.low() == low(memory, offset)
                && address.high() == high(memory, offset)
                && address.isV4() == isV4(memory, offset);
    }

    /// A hash of the address at `offset`, equal for equal endpoints.
    public static int hash(MemorySegment memory, long offset) {
        long mixed = high(memory, offset) * 31 + low(memory, offset);
        mixed = (mixed * 31 + port(memory, offset)) * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> 32);
    }

    /// Writes 16 bytes of address, IPv4 in its mapped form.
    public static void writeV6(MemorySegment memory, long offset, IpAddress address) {
        memory.set(NET_LONG, offset, address.high());
        memory.set(NET_LONG, offset + 8, address.isV4() ? MAPPED | address.low() : address.low());
    }

    /// Writes 4 bytes of address.
    public static void writeV4(MemorySegment memory, long offset, IpAddress address) {
        memory.set(NET_INT, offset, (int) address.low());
    }

    /// The upper 64 bits of the 16-byte address at `offset`.
    public static long highOfV6(MemorySegment memory, long offset) {
        return memory.get(NET_LONG, offset);
    }

    /// The lower 64 bits of the 16-byte address at `offset`.
    public static long lowOfV6(MemorySegment memory, long offset) {
        return memory.get(NET_LONG, offset + 8);
    }

    /// The 32 bits of the 4-byte address at `offset`.
    public static int bitsOfV4(MemorySegment memory, long offset) {
        return memory.get(NET_INT, offset);
    }

    private static IpAddress address(MemorySegment memory, long offset) {
        return isV4(memory, offset)
                ? IpAddress.v4((int) low(memory, offset))
                : IpAddress.v6(high(memory, offset), low(memory, offset));
    }

    private static int port(MemorySegment memory, long offset) {
        return memory.get(NET_SHORT, offset + PORT_OFFSET) & 0xffff;
    }

    private static boolean isPlainV4(MemorySegment memory, long offset) {
        return memory.get(JAVA_SHORT, offset) == Abi.AF_INET;
    }

    private static boolean isV4(MemorySegment memory, long offset) {
        return isPlainV4(memory, offset)
                || memory.get(NET_LONG, offset + V6_ADDRESS_OFFSET) == 0
                        && memory.get(NET_LONG, offset + V6_ADDRESS_OFFSET + 8) >>> 32 == 0xffff;
    }

    private static long high(MemorySegment memory, long offset) {
        return isPlainV4(memory, offset) ? 0 : memory.get(NET_LONG, offset + V6_ADDRESS_OFFSET);
    }

    private static long low(MemorySegment memory, long offset) {
        if (isPlainV4(memory, offset)) {
            return memory.get(NET_INT, offset + V4_ADDRESS_OFFSET) & 0xffff_ffffL;
        }
        long low = memory.get(NET_LONG, offset + V6_ADDRESS_OFFSET + 8);
        return isV4(memory, offset) ? low & 0xffff_ffffL : low;
    }
}
