package sluice.protocol.address;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;

/// Reads destinations of one [AddressForm] and remembers the last few, so that packets for the same
/// targets cost no allocation. Names that are address literals become addresses; IPv4-mapped IPv6
/// becomes IPv4. Owned by one loop thread.
///
/// Memory: 16 slots of a reference each, made on the first read; a slot holds one destination, and
/// up to 255 bytes where it was a name: below 8 KiB when full.
public final class DestinationReader {

    /// The bytes end in the middle of the destination.
    public static final int INCOMPLETE = 0;

    /// The type octet is none of the form's.
    public static final int UNKNOWN_TYPE = -1;

    /// The name is empty, not UTF-8, or holds blanks or control characters. All its bytes are
    /// there.
    public static final int BAD_NAME = -2;

    /// Chosen: players, DNS clients and swarms talk to a handful of targets in turns; a power of
    /// two.
    private static final int SLOTS = 16;

    private final AddressForm form;
    private @Nullable Slot @Nullable [] slots;
    private @Nullable Destination last;

    /// @param form the type octets to expect
    public DestinationReader(AddressForm form) {
        this.form = form;
    }

    /// Reads the destination that begins `index` bytes behind the first readable byte of `in`.
    /// Returns its size in bytes and sets [#destination()], or returns [#INCOMPLETE] or a negative
    /// reason.
    public int read(Buf in, int index) {
        return read(in.array(), in.start() + index, in.end());
    }

    /// Reads the destination at `offset`; `end` is the index behind the last byte that may be read.
    /// Returns as [#read(Buf, int)].
    public int read(byte[] array, int offset, int end) {
        if (offset >= end) {
            return INCOMPLETE;
        }
        int type = array[offset] & 0xff;
        if (type == form.ipv4()) {
            return readIpv4(array, offset, end);
        }
        if (type == form.ipv6()) {
            return readIpv6(array, offset, end);
        }
        return type == form.name() ? readName(array, offset, end) : UNKNOWN_TYPE;
    }

    /// What the last successful read found.
    public Destination destination() {
        Destination found = last;
        if (found == null) {
            throw new AssertionError("nothing was read");
        }
        return found;
    }

    private int readIpv4(byte[] array, int offset, int end) {
        if (end - offset < AddressForm.IPV4_BYTES) {
            return INCOMPLETE;
        }
        remember(0, bigEndian(array, offset + 1, 4), true, port(array, offset + 5));
        return AddressForm.IPV4_BYTES;
    }

    private int readIpv6(byte[] array, int offset, int end) {
        if (end - offset < AddressForm.IPV6_BYTES) {
            return INCOMPLETE;
        }
        long high = bigEndian(array, offset + 1, 8);
        long low = bigEndian(array, offset + 9, 8);
        int port = port(array, offset + 17);
        if (high == 0 && low >>> 32 == 0xffff) {
            remember(0, low & 0xffff_ffffL, true, port);
        } else {
            remember(high, low, false, port);
        }
        return AddressForm.IPV6_BYTES;
    }

    private void remember(long high, long low, boolean isV4, int port) {
        Destination before = last;
        if (before != null && isSame(before, high, low, isV4, port)) {
            return;
        }
        int index = spread((high * 31 + low) * 31 + port);
        Slot slot = slotAt(index);
        if (slot == null || !isSame(slot.destination, high, low, isV4, port)) {
            IpAddress address = isV4 ? IpAddress.v4((int) low) : IpAddress.v6(high, low);
            slot = new Slot(new Destination(address, port), null);
            slotAt(index, slot);
        }
        last = slot.destination;
    }

    private static boolean isSame(
            Destination destination, long high, long low, boolean isV4, int port) {
        return destination.port() == port
                && destination.host() instanceof IpAddress address
                && address.low() == low
                && address.high() == high
                && address.isV4() == isV4;
    }

    private int readName(byte[] array, int offset, int end) {
        if (end - offset < 2) {
            return INCOMPLETE;
        }
        int bytes = array[offset + 1] & 0xff;
        if (end - offset < 2 + bytes + 2) {
            return INCOMPLETE;
        }
        int from = offset + 2;
        int to = from + bytes;
        int port = port(array, to);
        int hash = port;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + array[i];
        }
        int index = spread(hash);
        Slot slot = slotAt(index);
        if (slot == null || !slot.isName(array, from, to, port)) {
            Host host = parseOrNull(array, from, bytes);
            if (host == null) {
                return BAD_NAME;
            }
            slot = new Slot(new Destination(host, port), Arrays.copyOfRange(array, from, to));
            slotAt(index, slot);
        }
        last = slot.destination;
        return 2 + bytes + 2;
    }

    private static @Nullable Host parseOrNull(byte[] array, int offset, int bytes) {
        String text = new String(array, offset, bytes, StandardCharsets.UTF_8);
        if (text.indexOf('\ufffd') >= 0) {
            return null;
        }
        try {
            return Host.parse(text);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private @Nullable Slot slotAt(int index) {
        return slots == null ? null : slots[index];
    }

    private void slotAt(int index, Slot slot) {
        if (slots == null) {
            slots = new @Nullable Slot[SLOTS];
        }
        slots[index] = slot;
    }

    private static int spread(long hash) {
        return (int) ((hash * 0x9e37_79b9_7f4a_7c15L) >>> 60) & SLOTS - 1;
    }

    private static int port(byte[] array, int offset) {
        return (array[offset] & 0xff) << 8 | (array[offset + 1] & 0xff);
    }

    private static long bigEndian(byte[] array, int offset, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | (array[offset + i] & 0xff);
        }
        return value;
    }

    /// A destination and, where it was read as a name, the bytes of that name.
    private record Slot(Destination destination, byte @Nullable [] name) {

        boolean isName(byte[] array, int from, int to, int port) {
            return name != null
                    && destination.port() == port
                    && Arrays.equals(name, 0, name.length, array, from, to);
        }
    }
}
