package sluice.engine.flow;

import java.util.function.Function;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.base.net.Destination;
import sluice.engine.loop.Loop;

/// Datagrams in packets of a proxy protocol, over the path to its server.
final class PacketsPath implements DatagramPath, DatagramPath.Sink {

    private final Loop loop;
    private final DatagramClient machine;
    private final Destination server;
    private final Sink sink;
    private final DatagramPath below;

    /// @param below makes the path that carries the packets, given what shall receive from it
    PacketsPath(
            Loop loop,
            DatagramClient machine,
            Destination server,
            Sink sink,
            Function<Sink, DatagramPath> below) {
        this.loop = loop;
        this.machine = machine;
        this.server = server;
        this.sink = sink;
        this.below = below.apply(this);
    }

    @Override
    public void send(Destination to, Buf owned) {
        Buf packet = loop.buffers().acquire(owned.length() + machine.overheadBytes());
        boolean sealed = false;
        try {
            sealed = machine.seal(to, owned, packet, loop.nowNanos());
        } finally {
            owned.release();
            if (!sealed) {
                loop.counters().datagramsDropped++;
                packet.release();
            }
        }
        if (sealed) {
            below.send(server, packet);
        }
    }

    @Override
    public void onDatagram(Destination from, Buf owned) {
        Buf payload = loop.buffers().acquire(Math.max(1, owned.length()));
        Destination source = null;
        try {
            source = machine.open(owned, payload, loop.nowNanos());
        } finally {
            owned.release();
            if (source == null) {
                loop.counters().datagramsDropped++;
                payload.release();
            }
        }
        if (source != null) {
            sink.onDatagram(source, payload);
        }
    }

    @Override
    public void onPathEnd(String reason) {
        sink.onPathEnd(reason);
    }

    @Override
    public void close() {
        below.close();
    }
}
