package sluice.linux.socket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.ControlMessage;
import sluice.linux.ffi.DatagramCalls;
import sluice.linux.ffi.MessageArray;
import sluice.linux.ffi.SocketAddress;

/// Receives datagrams in batches of up to [#SLOTS] messages, each of which may be a run of
/// datagrams that the kernel has put together (UDP_GRO); they are told apart again here. Owned by
/// one loop thread.
///
/// One recvmmsg(2) serves both the busy and the quiet socket: for a single datagram it costs what
/// two recvfrom(2) cost (0.63 µs on loopback, 200 bytes), of which the second would only learn that
/// there is no more. A batch that is not full tells that as well, and the next call in the same
/// turn is answered without asking.
final class DatagramReceiver {

    /// 16 and 64 cost the same per datagram (0.33 µs of 1,200 bytes in batches of 64, against 0.63
    /// µs one by one).
    private static final int SLOTS = 16;

    /// What the kernel puts together at most, and more than the largest datagram. 1 MiB for all
    /// slots, resident only as far as datagrams have reached into them.
    private static final int SLOT_BYTES = 1 << 16;

    /// Errors that routers sent for earlier datagrams of a connected socket stand before what is
    /// received; each is reported once. More than this many in a row wait for the next turn.
    private static final int ERRORS_SKIPPED_MAX = 8;

    private static final int NO_SOCKET = -1;

    private final DatagramCalls calls;
    private final MessageArray messages;
    private final MemorySegment slab;
    private final AddressCache addresses = new AddressCache();
    private final @Nullable Endpoint[] peers = new @Nullable Endpoint[SLOTS];

    private int usedSlots;
    private int count;
    private int[] starts = new int[4 * SLOTS];
    private int[] lengths = new int[4 * SLOTS];
    private int drainedSocket = NO_SOCKET;
    private boolean isSlabTouched;

    /// @param arena lives as long as the loop
    DatagramReceiver(DatagramCalls calls, Arena arena) {
        this.calls = calls;
        messages = new MessageArray(SLOTS, arena);
        slab = calls.map((long) SLOTS * SLOT_BYTES, arena);
        for (int slot = 0; slot < SLOTS; slot++) {
            messages.bytes(slot, slab.address() + (long) slot * SLOT_BYTES, SLOT_BYTES);
            messages.offerRoom(slot);
        }
    }

    /// A turn of the loop begins: what was drained may have been filled.
    void startTurn() {
        drainedSocket = NO_SOCKET;
    }

    /// The descriptor is about to be closed, and its number means nothing anymore.
    void forget(int socket) {
        if (socket == drainedSocket) {
            drainedSocket = NO_SOCKET;
        }
    }

    /// Gives the memory of past batches back; the last one is gone with it.
    void giveBack() {
        if (isSlabTouched) {
            calls.giveBack(slab);
            isSlabTouched = false;
            count = 0;
        }
    }

    /// Receives a batch. Returns how many datagrams there are, or a negated error number.
    int receive(int socket) {
        if (socket == drainedSocket) {
            return -Errno.EAGAIN;
        }
        for (int slot = 0; slot < usedSlots; slot++) {
            messages.offerRoom(slot);
            peers[slot] = null;
        }
        usedSlots = 0;
        count = 0;
        int received = receiveBehindErrors(SocketNumber.fd(socket));
        if (received == -Errno.EAGAIN || received >= 0 && received < SLOTS) {
            drainedSocket = socket;
        }
        if (received <= 0) {
            return received == 0 ? -Errno.EAGAIN : received;
        }
        usedSlots = received;
        isSlabTouched = true;
        for (int slot = 0; slot < received; slot++) {
            split(slot);
        }
        return count;
    }

    /// Bytes of a datagram.
    int length(int index) {
        return lengths[index];
    }

    /// Where a datagram came from.
    Endpoint peer(int index) {
        int slot = starts[index] / SLOT_BYTES;
        Endpoint peer = peers[slot];
        if (peer == null) {
            peer = addresses.endpoint(messages.names(), messages.nameOffset(slot));
            peers[slot] = peer;
        }
        return peer;
    }

    /// Which local address a datagram was sent to, where the socket was asked to tell.
    @Nullable IpAddress local(int index) {
        int slot = starts[index] / SLOT_BYTES;
        MemorySegment controls = messages.controls();
        long offset = messages.controlOffset(slot);
        int bytes = messages.controlLength(slot);
        long v6 = ControlMessage.find(controls, offset, bytes, Abi.SOL_IPV6, Abi.IPV6_PKTINFO);
        if (v6 >= 0) {
            long high = SocketAddress.highOfV6(controls, v6);
            return addresses.local(high, SocketAddress.lowOfV6(controls, v6));
        }
        long v4 = ControlMessage.find(controls, offset, bytes, Abi.SOL_IP, Abi.IP_PKTINFO);
        if (v4 < 0) {
            return null;
        }
        long source = ControlMessage.sourceOfV4(v4);
        return addresses.localV4(SocketAddress.bitsOfV4(controls, source));
    }

    /// Copies a datagram.
    void copy(int index, byte[] into, int offset) {
        MemorySegment.copy(slab, JAVA_BYTE, starts[index], into, offset, lengths[index]);
    }

    private int receiveBehindErrors(int fd) {
        int received = 0;
        for (int i = 0; i <= ERRORS_SKIPPED_MAX; i++) {
            received = calls.receive(fd, messages.address(0), SLOTS);
            if (received >= 0
                    || received == -Errno.EAGAIN
                    || received == -Errno.EBADF
                    || received == -Errno.ENOMEM) {
                return received;
            }
        }
        return received;
    }

    private void split(int slot) {
        int start = slot * SLOT_BYTES;
        int left = messages.transferred(slot);
        int segment = segmentBytes(slot, left);
        do {
            if (count == starts.length) {
                starts = Arrays.copyOf(starts, 2 * count);
                lengths = Arrays.copyOf(lengths, 2 * count);
            }
            int length = Math.min(left, segment);
            starts[count] = start;
            lengths[count++] = length;
            start += length;
            left -= length;
        } while (left > 0);
    }

    private int segmentBytes(int slot, int bytes) {
        int controlBytes = messages.controlLength(slot);
        if (controlBytes == 0) {
            return bytes;
        }
        long data =
                ControlMessage.find(
                        messages.controls(),
                        messages.controlOffset(slot),
                        controlBytes,
                        Abi.SOL_UDP,
                        Abi.UDP_GRO);
        return data < 0 ? bytes : Math.max(1, messages.controls().get(JAVA_INT, data));
    }
}
