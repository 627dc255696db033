package sluice.protocol.shadowsocks;

import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.protocol.spi.LoopServices;

/// A relay of datagrams (SIP023 §2.2): seals the separate header anew for the next server, takes
/// its own identity block out and sends the rest on untouched; answers go back as they are. A
/// session is a client address and a next server.
final class PacketRelay implements DatagramServer {

    private final Acceptance acceptance;
    private final Credential own;
    private final Packets2022 packets;
    private final SessionTable<RelaySession> sessions = new SessionTable<>(0);

    private static final class RelaySession extends SessionTable.Session {

        RelaySession(SessionKey key, Endpoint client, Credential next) {
            super(key, client, next);
        }
    }

    PacketRelay(LoopServices loop, Acceptance acceptance, Credential own) {
        this.acceptance = acceptance;
        this.own = own;
        packets = new Packets2022(loop, acceptance.method());
    }

    @Override
    public void onPacket(Endpoint from, Buf packet, long nowNanos, Sink out) {
        if (packet.length() < packets.bytesMin(Wire.IDENTITY_BYTES, false)) {
            out.drop(from, Packets2022.TOO_SHORT);
            return;
        }
        packets.openHeader(own.direct(), packet);
        Credential next = packets.namedOrNull(acceptance, own, packet);
        Destination server = next == null ? null : next.next();
        if (next == null || server == null) {
            out.drop(from, "shadowsocks: the identity header names no server");
            return;
        }
        RelaySession session = sessions.findOrNull(0, from, next);
        if (session == null) {
            session = new RelaySession(sessions.probedKey(), from, next);
            sessions.add(session, nowNanos);
        }
        session.heard(nowNanos);
        Buf rewritten = out.acquire(packet.length());
        packets.passOn(next, packet, rewritten);
        out.deliver(session, server, rewritten);
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
        return 0;
    }
}
