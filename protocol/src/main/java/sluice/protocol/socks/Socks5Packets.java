package sluice.protocol.socks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;

/// The client's side of datagrams in an association, RFC 1928 §7.
///
///     RSV 0000 | FRAG 00 | ATYP | ADDR | PORT u16be | DATA
final class Socks5Packets implements DatagramClient {

    private final DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
    private String dropReason = "";

    /// Appends a datagram whose header names `remote`; false where it does not fit.
    static boolean append(Destination remote, Buf payload, Buf into) {
        int bytes =
                Socks5Wire.DATAGRAM_ADDRESS_OFFSET
                        + AddressForm.SOCKS.encodedBytes(remote)
                        + payload.length();
        if (bytes > Socks5Wire.UDP_PAYLOAD_BYTES_MAX || bytes > into.tailroom()) {
            return false;
        }
        into.put(0);
        into.put(0);
        into.put(0);
        AddressForm.SOCKS.write(remote, into);
        into.put(payload.array(), payload.start(), payload.length());
        return true;
    }

    @Override
    public boolean seal(Destination target, Buf payload, Buf into, long nowNanos) {
        return append(target, payload, into);
    }

    @Override
    public @Nullable Destination open(Buf packet, Buf into, long nowNanos) {
        if (packet.length() <= Socks5Wire.DATAGRAM_ADDRESS_OFFSET) {
            dropReason = "socks: datagram shorter than its header";
            return null;
        }
        if (packet.unsigned(Socks5Wire.FRAGMENT_OFFSET) != 0) {
            dropReason = "socks: fragmented datagram";
            return null;
        }
        int bytes = reader.read(packet, Socks5Wire.DATAGRAM_ADDRESS_OFFSET);
        if (bytes <= 0) {
            dropReason = "socks: datagram with a bad address";
            return null;
        }
        int header = Socks5Wire.DATAGRAM_ADDRESS_OFFSET + bytes;
        into.put(packet.array(), packet.start() + header, packet.length() - header);
        return reader.destination();
    }

    @Override
    public String dropReason() {
        return dropReason;
    }

    @Override
    public int overheadBytes() {
        return Socks5Wire.DATAGRAM_HEADER_BYTES_MAX;
    }
}
