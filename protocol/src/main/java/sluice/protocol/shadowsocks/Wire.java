package sluice.protocol.shadowsocks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import sluice.secure.crypto.Aead;

/// Sizes and octets on the wire. Everything is big-endian, except the nonce counter.
final class Wire {

    // Of the specifications.

    /// Of every AEAD.
    static final int TAG_BYTES = Aead.TAG_BYTES;

    /// A sealed length: SIP004 "TCP", SIP022 §3.1.
    static final int LENGTH_BYTES = 2 + TAG_BYTES;

    /// What a chunk adds to its payload.
    static final int CHUNK_OVERHEAD_BYTES = LENGTH_BYTES + TAG_BYTES;

    /// SIP004: the two top bits of a length are reserved.
    static final int AEAD_PAYLOAD_BYTES_MAX = 0x3fff;

    /// SIP022 §3.1.2.
    static final int PAYLOAD_BYTES_MAX_2022 = 0xffff;

    /// SIP022 §3.1.3.
    static final int TYPE_REQUEST = 0;

    /// SIP022 §3.1.4.
    static final int TYPE_RESPONSE = 1;

    /// Type, timestamp, length.
    static final int REQUEST_HEADER_BYTES = 1 + 8 + 2;

    /// SIP022 §3.1.3: what a sender may write; receivers take whatever fits.
    static final int PADDING_BYTES_MAX = 900;

    /// SIP022 §3.1.3: how far clocks may differ, either way.
    static final long CLOCK_SECONDS_MAX = 30;

    /// SIP022 §3.1.5 and §3.2.4: how long salts and sessions are remembered, on the loop's scale.
    static final long MEMORY_NANOS = 60_000_000_000L;

    /// SIP023 §2: an AES block.
    static final int IDENTITY_BYTES = 16;

    /// SIP022 §3.2.1: session id and packet id.
    static final int SEPARATE_HEADER_BYTES = 16;

    /// SIP004 "UDP" and "TCP".
    static final byte[] SUBKEY_INFO = {'s', 's', '-', 's', 'u', 'b', 'k', 'e', 'y'};

    /// SIP022 §2.2.
    static final String SESSION_CONTEXT = "shadowsocks 2022 session subkey";

    /// SIP023 §2.
    static final String IDENTITY_CONTEXT = "shadowsocks 2022 identity subkey";

    // Ours.

    /// How long a client waits for the application's first bytes, so that they travel with the
    /// address. Chosen: what Xray does; applications that speak first do so within a few
    /// milliseconds.
    static final long FIRST_PAYLOAD_NANOS = 100_000_000L;

    /// Empty chunks in a row that a peer of SIP004 may send. Chosen: some send one now and then.
    static final int EMPTY_CHUNKS_MAX = 16;

    /// Largest UDP payload over IPv4.
    static final int DATAGRAM_BYTES_MAX = 65_507;

    /// DNS packets are padded, but not beyond this size: chosen to fit every path's MTU.
    static final int PADDED_DATAGRAM_BYTES_MAX = 1_200;

    /// DNS: the port whose packets are padded, as others do.
    static final int PADDED_PORT = 53;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Wire() {}

    /// Reads a u64.
    static long getLong(byte[] array, int offset) {
        return (long) LONG.get(array, offset);
    }

    /// Writes a u64.
    static void putLong(byte[] array, int offset, long value) {
        LONG.set(array, offset, value);
    }

    /// Reads a u16.
    static int getShort(byte[] array, int offset) {
        return (array[offset] & 0xff) << 8 | array[offset + 1] & 0xff;
    }

    /// Writes a u16.
    static void putShort(byte[] array, int offset, int value) {
        array[offset] = (byte) (value >>> 8);
        array[offset + 1] = (byte) value;
    }

    /// Whether a timestamp lies within [#CLOCK_SECONDS_MAX] of `nowSeconds`. Values of 2^63 and
    /// more never do.
    static boolean isFresh(long timestamp, long nowSeconds) {
        return timestamp >= 0 && Math.abs(timestamp - nowSeconds) <= CLOCK_SECONDS_MAX;
    }

    /// Why a timestamp is refused, for the operator.
    static String clockReason(String whose, long timestamp, long nowSeconds) {
        if (timestamp < 0) {
            return "shadowsocks: the timestamp is out of range";
        }
        return "shadowsocks: "
                + whose
                + " clock differs by "
                + Math.abs(timestamp - nowSeconds)
                + " s ("
                + (timestamp > nowSeconds ? "ahead" : "behind")
                + "); "
                + CLOCK_SECONDS_MAX
                + " s are allowed: set both clocks by NTP";
    }
}
