package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import sluice.base.net.IpAddress;

/// `struct cmsghdr` (cmsg(3)): length with header u64, level i32, type i32, data; the next one
/// begins at a multiple of 8 bytes. Views over memory; nothing is kept.
public final class ControlMessage {

    /// No such message.
    public static final int NONE = -1;

    /// What [#putSegment] writes.
    public static final int SEGMENT_BYTES = 24;

    private static final int HEADER_BYTES = 16;
    private static final int LEVEL_OFFSET = 8;
    private static final int TYPE_OFFSET = 12;

    /// `struct in_pktinfo`: interface i32, local address to send from, address the packet was sent
    /// to.
    private static final int V4_INFO_BYTES = 12;

    private static final int V4_SOURCE_OFFSET = 4;
    private static final int V4_TARGET_OFFSET = 8;

    /// `struct in6_pktinfo`: address, interface i32.
    private static final int V6_INFO_BYTES = 20;

    private static final int V6_INTERFACE_OFFSET = 16;

    private ControlMessage() {}

    /// The offset of the data of the first message of that kind within `[offset, offset + bytes)`,
    /// or [#NONE].
    public static long find(MemorySegment memory, long offset, int bytes, int level, int type) {
        long end = offset + bytes;
        long at = offset;
        while (at + HEADER_BYTES <= end) {
            long length = memory.get(JAVA_LONG, at);
            if (length < HEADER_BYTES) {
                return NONE;
            }
            if (memory.get(JAVA_INT, at + LEVEL_OFFSET) == level
                    && memory.get(JAVA_INT, at + TYPE_OFFSET) == type) {
                return at + HEADER_BYTES;
            }
            at += aligned(length);
        }
        return NONE;
    }

    /// UDP_SEGMENT: the kernel cuts what is sent into datagrams of `bytes`. Returns the bytes
    /// written.
    public static int putSegment(MemorySegment memory, long offset, int bytes) {
        header(memory, offset, Short.BYTES, Abi.SOL_UDP, Abi.UDP_SEGMENT);
        memory.set(JAVA_SHORT, offset + HEADER_BYTES, (short) bytes);
        return SEGMENT_BYTES;
    }

    /// Packet info that chooses the local address to send from. Returns the bytes written.
    public static int putSource(MemorySegment memory, long offset, IpAddress from, boolean asV6) {
        long data = offset + HEADER_BYTES;
        if (asV6) {
            header(memory, offset, V6_INFO_BYTES, Abi.SOL_IPV6, Abi.IPV6_PKTINFO);
            SocketAddress.writeV6(memory, data, from);
            memory.set(JAVA_INT, data + V6_INTERFACE_OFFSET, 0);
            return space(V6_INFO_BYTES);
        }
        header(memory, offset, V4_INFO_BYTES, Abi.SOL_IP, Abi.IP_PKTINFO);
        memory.set(JAVA_INT, data, 0);
        SocketAddress.writeV4(memory, data + V4_SOURCE_OFFSET, from);
        memory.set(JAVA_INT, data + V4_TARGET_OFFSET, 0);
        return space(V4_INFO_BYTES);
    }

    /// Where in IPv4 packet info the local address is to answer from: what the packet was sent to,
    /// or where that is a broadcast address, the one of the interface.
    public static long sourceOfV4(long data) {
        return data + V4_SOURCE_OFFSET;
    }

    private static void header(
            MemorySegment memory, long offset, int dataBytes, int level, int type) {
        memory.set(JAVA_LONG, offset, (long) HEADER_BYTES + dataBytes);
        memory.set(JAVA_INT, offset + LEVEL_OFFSET, level);
        memory.set(JAVA_INT, offset + TYPE_OFFSET, type);
    }

    private static int space(int dataBytes) {
        return (int) aligned(HEADER_BYTES + dataBytes);
    }

    private static long aligned(long bytes) {
        return (bytes + 7) & -8;
    }
}
