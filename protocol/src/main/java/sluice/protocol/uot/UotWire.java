package sluice.protocol.uot;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;

/// Octets of UDP over TCP.
///
///     request (version 2): isConnect u8 | ATYP 01, 03, 04 | ADDR | PORT u16be
///     packet:              ATYP 00, 01, 02 | ADDR | PORT u16be | LEN u16be | DATA
///     packet (connected):  LEN u16be | DATA
final class UotWire {

    static final String MAGIC_1 = "sp.udp-over-tcp.arpa";
    static final String MAGIC_2 = "sp.v2.udp-over-tcp.arpa";
    static final int VERSION_1 = 1;
    static final int VERSION_2 = 2;

    static final int NOT_CONNECTED = 0;
    static final int LENGTH_BYTES = 2;

    private UotWire() {}

    /// Reads packets from the front of `in` until one is incomplete, and delivers them. Returns
    /// false at an address that cannot be read.
    static boolean deliverPackets(Buf in, DestinationReader reader, Effects out) {
        while (true) {
            int header = reader.read(in, 0);
            if (header < 0) {
                return false;
            }
            if (header == DestinationReader.INCOMPLETE
                    || !deliverPacket(in, header, reader.destination(), out)) {
                return true;
            }
        }
    }

    /// Delivers the packet whose length stands `offset` bytes behind the front of `in`; false while
    /// it is incomplete.
    static boolean deliverPacket(Buf in, int offset, Destination remote, Effects out) {
        int start = offset + LENGTH_BYTES;
        if (in.length() < start) {
            return false;
        }
        int bytes = in.unsignedShort(offset);
        if (in.length() - start < bytes) {
            return false;
        }
        Buf data = out.acquire(bytes);
        data.put(in.array(), in.start() + start, bytes);
        in.consume(start + bytes);
        out.deliverDatagram(remote, data);
        return true;
    }

    /// Sends a packet. Takes `owned`, and uses its headroom where that suffices.
    ///
    /// @param remote named in the packet; null on connected streams
    /// @param request the first destination of a version 2 stream, to be sent ahead of the packet,
    ///   or null
    static void sendPacket(
            @Nullable Destination remote, @Nullable Destination request, Buf owned, Effects out) {
        int bytes = owned.length();
        int header = LENGTH_BYTES;
        if (remote != null) {
            header += AddressForm.UDP_OVER_TCP.encodedBytes(remote);
        }
        if (request != null) {
            header += 1 + AddressForm.SOCKS.encodedBytes(request);
        }
        Buf packet = owned;
        if (owned.headroom() < header) {
            packet = out.acquire(header + bytes);
            packet.range(header, header);
            packet.put(owned.array(), owned.start(), bytes);
            owned.release();
        }
        byte[] array = packet.array();
        int at = packet.start() - header;
        if (request != null) {
            array[at++] = NOT_CONNECTED;
            at += AddressForm.SOCKS.write(request, array, at);
        }
        if (remote != null) {
            at += AddressForm.UDP_OVER_TCP.write(remote, array, at);
        }
        array[at] = (byte) (bytes >>> 8);
        array[at + 1] = (byte) bytes;
        packet.prepend(header);
        out.send(packet);
    }
}
