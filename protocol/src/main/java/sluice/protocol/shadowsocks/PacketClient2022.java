package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;

/// The dialling side of SIP022 datagrams; one session under a random id, packet ids from 0 upwards.
/// A server that starts anew answers under another id: the present one and the one before it are
/// known, and a third is accepted once the one before was silent for [Wire#MEMORY_NANOS].
final class PacketClient2022 implements DatagramClient {

    private final LoopServices loop;
    private final Dialling dialling;
    private final Packets2022 packets;
    private final Packets2022.Sender sender;
    private final DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
    private long nextPacketId;
    private @Nullable ServerSession present;
    private @Nullable ServerSession past;
    private String dropReason = "";

    /// One life of the server.
    private static final class ServerSession {

        private final long id;
        private final AeadKey key;
        private final SlidingWindow window = new SlidingWindow();
        private long heardNanos;

        ServerSession(long id, AeadKey key) {
            this.id = id;
            this.key = key;
        }
    }

    PacketClient2022(LoopServices loop, Dialling dialling) {
        this.loop = loop;
        this.dialling = dialling;
        packets = new Packets2022(loop, dialling.method());
        sender = packets.newSender(dialling.nearest(), dialling.user());
    }

    @Override
    public boolean seal(Destination target, Buf payload, Buf into, long nowNanos) {
        return packets.seal(
                sender, nextPacketId++, Wire.TYPE_REQUEST, 0, dialling, target, payload, into);
    }

    @Override
    public @Nullable Destination open(Buf packet, Buf into, long nowNanos) {
        if (packet.length() < packets.bytesMin(0, true)) {
            return drop(Packets2022.TOO_SHORT);
        }
        Buf body = loop.buffers().acquire(packet.length());
        Destination source = openInto(packet, body, nowNanos);
        if (source != null && body.length() > into.tailroom()) {
            source = drop("shadowsocks: too large");
        }
        if (source != null) {
            into.put(body.array(), body.start(), body.length());
        }
        body.release();
        return source;
    }

    private @Nullable Destination openInto(Buf packet, Buf body, long nowNanos) {
        AeadKey key = dialling.user().direct();
        ServerSession known = null;
        if (packets.isAes()) {
            packets.openHeader(key, packet);
            known = knownOrNull(packets.sessionId());
            key = known == null ? packets.sessionKey(dialling.user()) : known.key;
            if (!packets.openBody(key, packet, Wire.SEPARATE_HEADER_BYTES, body)) {
                return drop(Packets2022.NOT_AUTHENTIC);
            }
        } else {
            if (!packets.openWhole(dialling.user(), packet, body)) {
                return drop(Packets2022.NOT_AUTHENTIC);
            }
            known = knownOrNull(packets.sessionId());
        }
        if (!packets.readBody(body, Wire.TYPE_RESPONSE, sender.session(), reader)) {
            return drop(packets.bodyFault());
        }
        if (known == null) {
            known = begin(new ServerSession(packets.sessionId(), key), nowNanos);
        }
        if (known == null) {
            return drop("shadowsocks: a third session of the server within 60 s");
        }
        if (!known.window.accept(packets.packetId())) {
            return drop("shadowsocks: a repeated or old packet");
        }
        known.heardNanos = nowNanos;
        return reader.destination();
    }

    private @Nullable ServerSession knownOrNull(long id) {
        if (present != null && present.id == id) {
            return present;
        }
        return past != null && past.id == id ? past : null;
    }

    private @Nullable ServerSession begin(ServerSession next, long nowNanos) {
        if (past != null && nowNanos - past.heardNanos < Wire.MEMORY_NANOS) {
            return null;
        }
        past = present;
        present = next;
        return next;
    }

    private @Nullable Destination drop(String reason) {
        dropReason = reason;
        return null;
    }

    @Override
    public String dropReason() {
        return dropReason;
    }

    @Override
    public int overheadBytes() {
        return packets.overheadBytes(dialling.identityBytes());
    }
}
