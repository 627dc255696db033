package sluice.app.probe;

import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.machine.Effects;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;

/// Sends back whatever comes, streams and datagrams: the far end of an [Exercise].
record Echo() implements Inbound {

    @Override
    public boolean acceptsStreams() {
        return true;
    }

    @Override
    public boolean acceptsDatagrams() {
        return true;
    }

    @Override
    public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
        return new Streams();
    }

    @Override
    public DatagramServer serveDatagrams(LoopServices loop, Endpoint local) {
        return new Datagrams();
    }

    private static final class Streams implements StreamMachine {

        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {
            out.send(copyOf(in, out.acquire(in.length())));
            in.consume(in.length());
        }

        @Override
        public void onEnd(long nowNanos, Effects out) {
            out.close();
        }

        @Override
        public void onPayload(Buf owned, long nowNanos, Effects out) {
            owned.release();
        }

        @Override
        public void onPayloadEnd(long nowNanos, Effects out) {
            out.end();
        }
    }

    private static final class Datagrams implements DatagramServer {

        @Override
        public void onPacket(Endpoint from, Buf packet, long nowNanos, Sink out) {
            out.sendRaw(from, copyOf(packet, out.acquire(packet.length())));
        }

        @Override
        public boolean seal(
                DatagramSession session, Destination source, Buf payload, Buf into, long nowNanos) {
            return false;
        }

        @Override
        public int overheadBytes() {
            return 0;
        }
    }

    private static Buf copyOf(Buf from, Buf into) {
        into.put(from.array(), from.start(), from.length());
        return into;
    }
}
