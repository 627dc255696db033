package sluice.protocol.socks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;
import sluice.protocol.socks.SocksServerOptions.SourceCheck;

/// The server's side of one UDP association, RFC 1928 §7: one socket, one client, one session. It
/// lives as long as the control stream and holds no other state than the client's endpoint.
final class Socks5Datagrams implements DatagramServer {

    private final IpAddress peer;
    private final @Nullable String user;
    private final SourceCheck check;
    private final DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
    private @Nullable Session session;
    private @Nullable Endpoint source;

    /// @param peer address of the control stream's client
    Socks5Datagrams(IpAddress peer, @Nullable String user, SourceCheck check) {
        this.peer = peer;
        this.user = user;
        this.check = check;
    }

    @Override
    public void onPacket(Endpoint from, Buf packet, long nowNanos, Sink out) {
        if (!mayUse(from)) {
            out.drop(from, "socks: datagram from somebody else than the association's client");
            return;
        }
        if (packet.length() <= Socks5Wire.DATAGRAM_ADDRESS_OFFSET) {
            out.drop(from, "socks: datagram shorter than its header");
            return;
        }
        if (packet.unsigned(Socks5Wire.FRAGMENT_OFFSET) != 0) {
            out.drop(from, "socks: fragmented datagram");
            return;
        }
        int bytes = reader.read(packet, Socks5Wire.DATAGRAM_ADDRESS_OFFSET);
        if (bytes <= 0) {
            out.drop(from, reasonFor(bytes));
            return;
        }
        int header = Socks5Wire.DATAGRAM_ADDRESS_OFFSET + bytes;
        int payloadBytes = packet.length() - header;
        Buf payload = out.acquire(payloadBytes);
        payload.put(packet.array(), packet.start() + header, payloadBytes);
        out.deliver(sessionFor(from), reader.destination(), payload);
    }

    @Override
    public boolean seal(
            DatagramSession session, Destination from, Buf payload, Buf into, long nowNanos) {
        return Socks5Packets.append(from, payload, into);
    }

    @Override
    public void onFlowEnd(DatagramSession ended, long nowNanos) {
        if (session == ended) {
            session = null;
        }
    }

    @Override
    public int overheadBytes() {
        return Socks5Wire.DATAGRAM_HEADER_BYTES_MAX;
    }

    private boolean mayUse(Endpoint from) {
        if (check == SourceCheck.OFF) {
            return true;
        }
        Endpoint fixed = source;
        if (check == SourceCheck.IP_AND_PORT && fixed != null) {
            return fixed.equals(from);
        }
        IpAddress address = from.address();
        return address.equals(peer) || peer.isLoopback() && address.isLoopback();
    }

    private Session sessionFor(Endpoint from) {
        Endpoint fixed = source;
        boolean isMoved = fixed == null || !fixed.equals(from);
        if (isMoved) {
            source = from;
        }
        Session known = session;
        if (known == null) {
            known = new Session(from, user);
            session = known;
        } else if (isMoved) {
            known.client(from);
        }
        return known;
    }

    private static String reasonFor(int result) {
        return switch (result) {
            case DestinationReader.UNKNOWN_TYPE -> "socks: datagram with unknown address type";
            case DestinationReader.BAD_NAME -> "socks: datagram with a bad host name";
            default -> "socks: datagram shorter than its header";
        };
    }

    private static final class Session extends DatagramSession {
        Session(Endpoint client, @Nullable String user) {
            super(client, user);
        }
    }
}
