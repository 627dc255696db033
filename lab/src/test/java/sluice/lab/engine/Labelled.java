package sluice.lab.engine;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;

/// A toy protocol of datagrams. A packet is a u16 that names the session, a byte n, n bytes of
/// `host port`, and the payload. A payload that begins with `!` makes the server throw.
final class Labelled {

    private static final int OVERHEAD_BYTES = 2 + 1 + 255;

    private Labelled() {}

    static byte[] packet(int session, String host, int port, byte[] payload) {
        byte[] label = (host + " " + port).getBytes(StandardCharsets.UTF_8);
        byte[] packet = new byte[3 + label.length + payload.length];
        packet[0] = (byte) (session >> 8);
        packet[1] = (byte) session;
        packet[2] = (byte) label.length;
        System.arraycopy(label, 0, packet, 3, label.length);
        System.arraycopy(payload, 0, packet, 3 + label.length, payload.length);
        return packet;
    }

    /// `host port payload` of a packet.
    static String shown(byte[] packet, int length) {
        return new String(packet, 3, packet[2] & 0xff, StandardCharsets.UTF_8)
                + " "
                + new String(
                        packet,
                        3 + (packet[2] & 0xff),
                        length - 3 - (packet[2] & 0xff),
                        StandardCharsets.UTF_8);
    }

    private static void write(int session, Destination label, Buf payload, Buf into) {
        String host = label.host().toString();
        into.put(packet(session, host, label.port(), payload.toBytes()));
    }

    private static @Nullable Destination label(Buf packet) {
        if (packet.length() < 3 || packet.length() < 3 + packet.unsigned(2)) {
            return null;
        }
        String[] words =
                new String(
                                packet.array(),
                                packet.start() + 3,
                                packet.unsigned(2),
                                StandardCharsets.UTF_8)
                        .split(" ", 2);
        return new Destination(Host.parse(words[0]), Integer.parseInt(words[1]));
    }

    private static void copyPayload(Buf packet, Buf into) {
        int head = 3 + packet.unsigned(2);
        into.put(packet.array(), packet.start() + head, packet.length() - head);
    }

    /// The accepting side.
    record In() implements Inbound {

        @Override
        public boolean acceptsStreams() {
            return false;
        }

        @Override
        public boolean acceptsDatagrams() {
            return true;
        }

        @Override
        public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
            throw new IllegalStateException("no streams here");
        }

        @Override
        public DatagramServer serveDatagrams(LoopServices loop, Endpoint local) {
            return new Server();
        }
    }

    /// The dialling side.
    record Out(Destination server) implements Outbound {

        @Override
        public @Nullable StreamMachine dialStream(LoopServices loop, Destination target) {
            throw new IllegalStateException("no streams here");
        }

        @Override
        public Datagrams datagrams() {
            return Datagrams.PACKETS;
        }

        @Override
        public DatagramClient dialDatagrams(LoopServices loop) {
            return new Client();
        }
    }

    private static final class Session extends DatagramSession {
        private final int number;

        Session(Endpoint client, int number) {
            super(client, null);
            this.number = number;
        }
    }

    private static final class Server implements DatagramServer {

        private final Map<Integer, Session> sessions = new HashMap<>();

        @Override
        public void onPacket(Endpoint from, Buf packet, long nowNanos, Sink out) {
            Destination target = label(packet);
            if (target == null) {
                out.drop(from, "labelled: too short");
                return;
            }
            int number = packet.unsignedShort(0);
            Session session = sessions.computeIfAbsent(number, _ -> new Session(from, number));
            Buf payload = out.acquire(packet.length());
            copyPayload(packet, payload);
            if (!payload.isEmpty() && payload.unsigned(0) == '!') {
                payload.release();
                throw new IllegalStateException("on purpose");
            }
            out.deliver(session, target, payload);
        }

        @Override
        public boolean seal(
                DatagramSession session, Destination source, Buf payload, Buf into, long nowNanos) {
            write(((Session) session).number, source, payload, into);
            return true;
        }

        @Override
        public void onFlowEnd(DatagramSession session, long nowNanos) {
            sessions.remove(((Session) session).number);
        }

        @Override
        public int overheadBytes() {
            return OVERHEAD_BYTES;
        }
    }

    private static final class Client implements DatagramClient {

        @Override
        public boolean seal(Destination target, Buf payload, Buf into, long nowNanos) {
            write(7, target, payload, into);
            return true;
        }

        @Override
        public @Nullable Destination open(Buf packet, Buf into, long nowNanos) {
            Destination source = label(packet);
            if (source != null) {
                copyPayload(packet, into);
            }
            return source;
        }

        @Override
        public String dropReason() {
            return "labelled: too short";
        }

        @Override
        public int overheadBytes() {
            return OVERHEAD_BYTES;
        }
    }
}
