package sluice.protocol.direct;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;

/// Forwarded datagrams: each client endpoint is a session, all go to one target. Owned by one loop.
final class DirectDatagrams implements DatagramServer {

    /// Chosen: what one loop remembers at most, about 4 MiB. Behind it the client that was silent
    /// for longest is forgotten; its next datagram begins another session.
    static final int SESSIONS_MAX = 16_384;

    private final Destination target;
    private final Map<Endpoint, Session> sessions = new LinkedHashMap<>(64, 0.75f, true);

    DirectDatagrams(Destination target) {
        this.target = target;
    }

    @Override
    public void onPacket(Endpoint from, Buf packet, long nowNanos, Sink out) {
        Session session = sessions.get(from);
        if (session == null) {
            session = begin(from);
        }
        int bytes = packet.length();
        Buf payload = out.acquire(bytes);
        payload.put(packet.array(), packet.start(), bytes);
        out.deliver(session, target, payload);
    }

    @Override
    public boolean seal(
            DatagramSession session, Destination source, Buf payload, Buf into, long nowNanos) {
        if (payload.length() > into.tailroom()) {
            return false;
        }
        into.put(payload.array(), payload.start(), payload.length());
        return true;
    }

    @Override
    public void onFlowEnd(DatagramSession session, long nowNanos) {
        if (session instanceof Session known) {
            sessions.remove(known.client(), known);
        }
    }

    @Override
    public boolean hasOneTarget() {
        return true;
    }

    @Override
    public int overheadBytes() {
        return 0;
    }

    private Session begin(Endpoint from) {
        if (sessions.size() >= SESSIONS_MAX) {
            Iterator<Session> silentFirst = sessions.values().iterator();
            silentFirst.next();
            silentFirst.remove();
        }
        Session session = new Session(from);
        sessions.put(from, session);
        return session;
    }

    private static final class Session extends DatagramSession {
        Session(Endpoint client) {
            super(client, null);
        }
    }
}
