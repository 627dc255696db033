package sluice.linux.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An array of `struct mmsghdr` (recvmmsg(2)), each with one `iovec`, room for a socket address and
/// room for control messages. Offsets are those of 64-bit systems.
public final class MessageArray {

    /// Fits an IPv6 packet-info (40 bytes) and a segment size (24 bytes), with their headers.
    public static final int CONTROL_BYTES = 64;

    private static final int MESSAGE_BYTES = 64;
    private static final int NAME_OFFSET = 0;
    private static final int NAME_LENGTH_OFFSET = 8;
    private static final int VECTOR_OFFSET = 16;
    private static final int VECTOR_COUNT_OFFSET = 24;
    private static final int CONTROL_OFFSET = 32;
    private static final int CONTROL_LENGTH_OFFSET = 40;
    private static final int LENGTH_OFFSET = 56;

    private static final int VECTOR_BYTES = 16;
    private static final int VECTOR_LENGTH_OFFSET = 8;
    private static final int NAME_BYTES = 32;

    private final MemorySegment messages;
    private final MemorySegment vectors;
    private final MemorySegment names;
    private final MemorySegment controls;

    /// @param arena lives as long as the loop
    public MessageArray(int count, Arena arena) {
        messages = arena.allocate((long) count * MESSAGE_BYTES, 8);
        vectors = arena.allocate((long) count * VECTOR_BYTES, 8);
        names = arena.allocate((long) count * NAME_BYTES, 8);
        controls = arena.allocate((long) count * CONTROL_BYTES, 8);
        for (int i = 0; i < count; i++) {
            long message = (long) i * MESSAGE_BYTES;
            long vector = vectors.address() + (long) i * VECTOR_BYTES;
            messages.set(JAVA_LONG, message + VECTOR_OFFSET, vector);
            messages.set(JAVA_LONG, message + VECTOR_COUNT_OFFSET, 1);
            long control = controls.address() + (long) i * CONTROL_BYTES;
            messages.set(JAVA_LONG, message + CONTROL_OFFSET, control);
        }
    }

    /// The address of the message at `index`, for the kernel.
    public long address(int index) {
        return messages.address() + (long) index * MESSAGE_BYTES;
    }

    /// Says where the bytes of a message are.
    public void bytes(int index, long address, int length) {
        long vector = (long) index * VECTOR_BYTES;
        vectors.set(JAVA_LONG, vector, address);
        vectors.set(JAVA_LONG, vector + VECTOR_LENGTH_OFFSET, length);
    }

    /// Offers the room for the peer's address and for control messages to the kernel, which says
    /// there how much of it was used.
    public void offerRoom(int index) {
        nameLength(index, SocketAddress.BYTES);
        controlLength(index, CONTROL_BYTES);
    }

    /// Says how long the address of a message is; 0 for none.
    public void nameLength(int index, int bytes) {
        long message = (long) index * MESSAGE_BYTES;
        long address = bytes == 0 ? 0 : names.address() + (long) index * NAME_BYTES;
        messages.set(JAVA_LONG, message + NAME_OFFSET, address);
        messages.set(JAVA_INT, message + NAME_LENGTH_OFFSET, bytes);
    }

    /// Says how long the control messages of a message are; 0 for none.
    public void controlLength(int index, int bytes) {
        messages.set(JAVA_LONG, (long) index * MESSAGE_BYTES + CONTROL_LENGTH_OFFSET, (long) bytes);
    }

    /// How long the control messages of a received message are.
    public int controlLength(int index) {
        return (int) messages.get(JAVA_LONG, (long) index * MESSAGE_BYTES + CONTROL_LENGTH_OFFSET);
    }

    /// How many bytes of a message went through.
    public int transferred(int index) {
        return messages.get(JAVA_INT, (long) index * MESSAGE_BYTES + LENGTH_OFFSET);
    }

    /// The memory that holds all addresses; see [#nameOffset].
    public MemorySegment names() {
        return names;
    }

    /// Where in [#names] the address of a message is.
    public long nameOffset(int index) {
        return (long) index * NAME_BYTES;
    }

    /// The memory that holds all control messages; see [#controlOffset].
    public MemorySegment controls() {
        return controls;
    }

    /// Where in [#controls] those of a message are.
    public long controlOffset(int index) {
        return (long) index * CONTROL_BYTES;
    }
}
