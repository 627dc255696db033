package sluice.protocol.shadowsocks;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.buf.BufPool;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;

/// Plays the engine towards a datagram server and keeps what came out of it.
final class PacketBench implements DatagramServer.Sink {

    /// A client's datagram.
    record Delivered(DatagramSession session, Destination target, byte[] bytes) {}

    private final BufPool pool;
    private final DatagramServer server;
    final List<Delivered> delivered = new ArrayList<>();
    final List<String> drops = new ArrayList<>();

    PacketBench(DatagramServer server, BufPool pool) {
        this.server = server;
        this.pool = pool;
    }

    DatagramServer server() {
        return server;
    }

    /// A packet arrives; returns what it carried, or null where it was dropped.
    @Nullable Delivered receive(Endpoint from, byte[] packet, long nowNanos) {
        int before = delivered.size();
        Buf buf = pool.acquire(packet.length);
        buf.put(packet);
        server.onPacket(from, buf, nowNanos, this);
        buf.release();
        return delivered.size() > before ? delivered.getLast() : null;
    }

    /// The packet that carries an answer, or null where it cannot be sent.
    byte @Nullable [] answer(DatagramSession session, Destination source, byte[] payload) {
        Buf in = pool.acquire(payload.length);
        in.put(payload);
        Buf out = pool.acquire(payload.length + server.overheadBytes());
        boolean isSealed = server.seal(session, source, in, out, 0);
        byte[] packet = out.toBytes();
        in.release();
        out.release();
        return isSealed ? packet : null;
    }

    @Override
    public Buf acquire(int bytes) {
        return pool.acquire(bytes);
    }

    @Override
    public void deliver(DatagramSession session, Destination target, Buf owned) {
        delivered.add(new Delivered(session, target, owned.toBytes()));
        owned.release();
    }

    @Override
    public void drop(Endpoint from, String reason) {
        drops.add(reason);
    }

    @Override
    public void sendRaw(Endpoint to, Buf owned) {
        throw new AssertionError("nothing is sent unasked");
    }
}
