package sluice.protocol.shadowsocks;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;

/// The accepting side of SIP022 datagrams. A session is what a user and the id that its client
/// chose say it is; where the packets come from may change, and answers follow. Nothing changes,
/// and no session begins, before a packet proved authentic, timely and new.
///
/// Sessions outlive their flows, so that old packets find their window ([Wire#MEMORY_NANOS]).
final class PacketServer2022 implements DatagramServer {

    private final Acceptance acceptance;
    private final Packets2022 packets;
    private final Dialling answers;
    private final SessionTable<Session2022> sessions = new SessionTable<>(Wire.MEMORY_NANOS);

    /// A client's session and ours towards it.
    private static final class Session2022 extends SessionTable.Session {

        private final Credential user;
        private final long id;
        private final AeadKey openKey;
        private final SlidingWindow window;
        private final DestinationReader reader;
        private Packets2022.@Nullable Sender sender;
        private long nextPacketId;

        Session2022(
                SessionKey key,
                Endpoint client,
                Credential user,
                long id,
                AeadKey openKey,
                SlidingWindow window,
                DestinationReader reader) {
            super(key, client, user);
            this.user = user;
            this.id = id;
            this.openKey = openKey;
            this.window = window;
            this.reader = reader;
        }
    }

    PacketServer2022(LoopServices loop, Acceptance acceptance) {
        this.acceptance = acceptance;
        packets = new Packets2022(loop, acceptance.method());
        answers = new Dialling(acceptance.method(), List.of(), acceptance.user());
    }

    @Override
    public void onPacket(Endpoint from, Buf packet, long nowNanos, Sink out) {
        Credential server = acceptance.serverOrNull();
        int identityBytes = server == null ? 0 : Wire.IDENTITY_BYTES;
        if (packet.length() < packets.bytesMin(identityBytes, false)) {
            out.drop(from, Packets2022.TOO_SHORT);
        } else if (packets.isAes()) {
            onAesPacket(from, packet, server, nowNanos, out);
        } else {
            onChachaPacket(from, packet, nowNanos, out);
        }
    }

    private void onAesPacket(
            Endpoint from, Buf packet, @Nullable Credential server, long nowNanos, Sink out) {
        Credential user = acceptance.user();
        int bodyOffset = Wire.SEPARATE_HEADER_BYTES;
        if (server == null) {
            packets.openHeader(user.direct(), packet);
        } else {
            packets.openHeader(server.direct(), packet);
            Credential named = packets.namedOrNull(acceptance, server, packet);
            if (named == null) {
                out.drop(from, "shadowsocks: the identity header names no user");
                return;
            }
            user = named;
            bodyOffset += Wire.IDENTITY_BYTES;
        }
        Session2022 session = sessions.findOrNull(packets.sessionId(), null, user);
        if (session != null && !session.window.isFresh(packets.packetId())) {
            out.drop(from, "shadowsocks: a repeated or old packet");
            return;
        }
        AeadKey key = session == null ? packets.sessionKey(user) : session.openKey;
        Buf body = out.acquire(packet.length());
        if (!packets.openBody(key, packet, bodyOffset, body)) {
            body.release();
            out.drop(from, Packets2022.NOT_AUTHENTIC);
            return;
        }
        onBody(from, user, key, session, body, nowNanos, out);
    }

    private void onChachaPacket(Endpoint from, Buf packet, long nowNanos, Sink out) {
        Credential user = acceptance.user();
        Buf body = out.acquire(packet.length());
        if (!packets.openWhole(user, packet, body)) {
            body.release();
            out.drop(from, Packets2022.NOT_AUTHENTIC);
            return;
        }
        Session2022 session = sessions.findOrNull(packets.sessionId(), null, user);
        onBody(from, user, user.direct(), session, body, nowNanos, out);
    }

    /// The body is authentic. Takes `body`.
    private void onBody(
            Endpoint from,
            Credential user,
            AeadKey key,
            @Nullable Session2022 known,
            Buf body,
            long nowNanos,
            Sink out) {
        DestinationReader reader =
                known == null ? new DestinationReader(AddressForm.SOCKS) : known.reader;
        if (!packets.readBody(body, Wire.TYPE_REQUEST, 0, reader)) {
            body.release();
            out.drop(from, packets.bodyFault());
            return;
        }
        Session2022 session = known;
        if (session == null) {
            session =
                    new Session2022(
                            sessions.probedKey(),
                            from,
                            user,
                            packets.sessionId(),
                            key,
                            new SlidingWindow(),
                            reader);
            sessions.add(session, nowNanos);
        }
        if (!session.window.accept(packets.packetId())) {
            body.release();
            out.drop(from, "shadowsocks: a repeated or old packet");
            return;
        }
        session.heard(nowNanos);
        if (!from.equals(session.client())) {
            session.client(from);
        }
        out.deliver(session, reader.destination(), body);
    }

    @Override
    public boolean seal(
            DatagramSession session, Destination source, Buf payload, Buf into, long nowNanos) {
        Session2022 ours = (Session2022) session;
        Packets2022.Sender sender = ours.sender;
        if (sender == null) {
            sender = ours.sender = packets.newSender(ours.user, ours.user);
        }
        return packets.seal(
                sender,
                ours.nextPacketId++,
                Wire.TYPE_RESPONSE,
                ours.id,
                answers,
                source,
                payload,
                into);
    }

    /// Keeps the windows of everybody whose key is still valid: old packets must find them. A user
    /// who keeps the name as well keeps the flow.
    @Override
    public void inherit(DatagramServer before) {
        if (before instanceof PacketServer2022 other
                && acceptance.method() == other.acceptance.method()) {
            sessions.takeOver(other.sessions, this::heirOrNull);
        }
    }

    private @Nullable Session2022 heirOrNull(Session2022 before) {
        Credential user = acceptance.sameKeyOrNull(before.user);
        if (user == null) {
            return null;
        }
        if (Objects.equals(user.name(), before.user.name())) {
            before.belongsTo(user);
            return before;
        }
        return new Session2022(
                new SessionKey().of(before.id, null, user),
                before.client(),
                user,
                before.id,
                before.openKey,
                before.window,
                before.reader);
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
        return packets.overheadBytes(0);
    }
}
