package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;

/// The accepting side of datagrams in `none` and SIP004, which have no session ids: a session is a client
/// address and a user.
///
///     packet = salt | AEAD(ATYP | ADDR | PORT | data)      SIP004 "UDP"; bare with `none`
final class PacketServer implements DatagramServer {

    private final Acceptance acceptance;
    private final AddressPackets packets;
    private final SessionTable<PlainSession> sessions = new SessionTable<>(0);

    /// A client address and the targets it talks to.
    private static final class PlainSession extends SessionTable.Session {

        private final @Nullable Credential user;
        private final DestinationReader reader = new DestinationReader(AddressForm.SOCKS);

        PlainSession(SessionKey key, Endpoint client, @Nullable Credential user) {
            super(key, client, user);
            this.user = user;
        }
    }

    PacketServer(Acceptance acceptance, AddressPackets packets) {
        this.acceptance = acceptance;
        this.packets = packets;
    }

    @Override
    public void onPacket(Endpoint from, Buf packet, long nowNanos, Sink out) {
        if (packet.length() < packets.bytesMin()) {
            out.drop(from, "shadowsocks: too short");
            return;
        }
        Buf body = out.acquire(packet.length());
        Credential user = null;
        if (!packets.isSealed()) {
            packets.open(null, packet, body);
        } else {
            user = openByTrial(from, packet, body);
            if (user == null) {
                body.release();
                out.drop(from, "shadowsocks: no user has this key");
                return;
            }
        }
        PlainSession session = sessions.findOrNull(0, from, user);
        boolean isNew = session == null;
        if (session == null) {
            session = new PlainSession(sessions.probedKey(), from, user);
        }
        int bytes = session.reader.read(body, 0);
        if (bytes <= 0) {
            body.release();
            out.drop(from, "shadowsocks: the address does not parse");
            return;
        }
        if (isNew) {
            sessions.add(session, nowNanos);
        }
        session.heard(nowNanos);
        body.consume(bytes);
        out.deliver(session, session.reader.destination(), body);
    }

    private @Nullable Credential openByTrial(Endpoint from, Buf packet, Buf body) {
        Credential recent = acceptance.recentUserOrNull(from.address());
        if (recent != null && packets.open(recent, packet, body)) {
            return recent;
        }
        for (int i = 0; i < acceptance.users().size(); i++) {
            Credential each = acceptance.users().get(i);
            if (each != recent && packets.open(each, packet, body)) {
                acceptance.remember(from.address(), each);
                return each;
            }
        }
        return null;
    }

    @Override
    public boolean seal(
            DatagramSession session, Destination source, Buf payload, Buf into, long nowNanos) {
        return packets.seal(((PlainSession) session).user, source, payload, into);
    }

    @Override
    public void onFlowEnd(DatagramSession session, long nowNanos) {
        sessions.onFlowEnd(session);
    }

    @Override
    public void onDeadline(long nowNanos) {
        sessions.sweep(nowNanos);
    }

    @Override
    public long deadlineNanos() {
        return sessions.deadlineNanos();
    }

    @Override
    public int overheadBytes() {
        return packets.overheadBytes();
    }
}
