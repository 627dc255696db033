package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;
import sluice.protocol.spi.LoopServices;

/// The dialling side of datagrams in `none` and SIP004.
final class PacketClient implements DatagramClient {

    private final LoopServices loop;
    private final AddressPackets packets;
    private final @Nullable Credential user;
    private final DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
    private String dropReason = "";

    /// @param user null with `none`
    PacketClient(LoopServices loop, Method method, @Nullable Credential user) {
        this.loop = loop;
        this.packets = new AddressPackets(loop, method);
        this.user = user;
    }

    @Override
    public boolean seal(Destination target, Buf payload, Buf into, long nowNanos) {
        return packets.seal(user, target, payload, into);
    }

    @Override
    public @Nullable Destination open(Buf packet, Buf into, long nowNanos) {
        if (packet.length() < packets.bytesMin()) {
            dropReason = "shadowsocks: too short";
            return null;
        }
        Buf body = loop.buffers().acquire(packet.length());
        Destination source = null;
        if (!packets.open(user, packet, body)) {
            dropReason = "shadowsocks: does not authenticate";
        } else {
            int bytes = reader.read(body, 0);
            if (bytes <= 0) {
                dropReason = "shadowsocks: the address does not parse";
            } else if (body.length() - bytes > into.tailroom()) {
                dropReason = "shadowsocks: too large";
            } else {
                source = reader.destination();
                into.put(body.array(), body.start() + bytes, body.length() - bytes);
            }
        }
        body.release();
        return source;
    }

    @Override
    public String dropReason() {
        return dropReason;
    }

    @Override
    public int overheadBytes() {
        return packets.overheadBytes();
    }
}
