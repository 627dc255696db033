package sluice.lab.micro;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.buf.BufBudget;
import sluice.base.buf.BufPool;
import sluice.base.config.ConfigNode;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.config.Shape;
import sluice.base.fault.PeerFault;
import sluice.base.machine.DatagramClient;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.base.random.Entropy;
import sluice.protocol.shadowsocks.Shadowsocks;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;
import sluice.secure.crypto.Ciphers;

/// What Shadowsocks costs apart from the kernel: processor time per GiB sealed and opened in
/// batches as a loop reads them, per handshake, and per packet. A plain program: arguments are
/// methods, none means all.
public final class ShadowsocksCost {

    private static final String[] METHODS = {
        "aes-128-gcm",
        "aes-256-gcm",
        "chacha20-ietf-poly1305",
        "2022-blake3-aes-128-gcm",
        "2022-blake3-aes-256-gcm",
        "2022-blake3-chacha20-poly1305"
    };

    private static final Destination TARGET = new Destination(Host.parse("example.com"), 443);
    private static final Endpoint CLIENT = new Endpoint(IpAddress.LOOPBACK_V4, 40_000);
    private static final Endpoint LOCAL = new Endpoint(IpAddress.LOOPBACK_V4, 8388);
    private static final double GIB = 1L << 30;
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final BufPool pool = new BufPool(new BufBudget(64L << 20));
    private final LoopServices loop;
    private final Inbound inbound;
    private final Outbound outbound;
    private final String method;

    private ShadowsocksCost(String method) {
        this.method = method;
        SecureRandom random = new SecureRandom();
        Entropy entropy =
                (array, offset, length) -> {
                    byte[] bytes = new byte[length];
                    random.nextBytes(bytes);
                    System.arraycopy(bytes, 0, array, offset, length);
                };
        loop = new LoopServices(pool, entropy, () -> 1_700_000_000L, new Ciphers());
        byte[] key = new byte[method.contains("128") ? 16 : 32];
        String password = Base64.getEncoder().encodeToString(key);
        Shadowsocks protocol = new Shadowsocks();
        inbound = read(protocol.inbound(), "method", method, "password", password);
        outbound =
                read(
                        protocol.outbound(),
                        "server",
                        "127.0.0.1",
                        "server_port",
                        "8388",
                        "method",
                        method,
                        "password",
                        password);
    }

    /// Measures.
    ///
    /// @param args methods
    public static void main(String[] args) {
        System.out.printf(
                "%-30s %9s %9s %7s %7s %9s %9s %9s %8s%n",
                "method",
                "seal s/GiB",
                "open s/GiB",
                "GB/s",
                "GB/s",
                "garbage/MiB",
                "handshake",
                "packet",
                "/packet");
        for (String method : args.length > 0 ? args : METHODS) {
            new ShadowsocksCost(method).measure();
        }
    }

    private void measure() {
        Figures bulk = null;
        for (int round = 0; round < 6; round++) {
            bulk = bulk(method.contains("chacha") ? 1L << 29 : 1L << 31);
        }
        double handshake = 0;
        for (int round = 0; round < 4; round++) {
            handshake = handshakes(20_000);
        }
        double[] packet = {};
        for (int round = 0; round < 4; round++) {
            packet = packets(100_000);
        }
        System.out.printf(
                "%-30s %9.3f  %9.3f  %6.2f  %6.2f  %8.0f B  %6.2f us  %6.2f us %6.0f B%n",
                method,
                bulk.sealNanos / 1e9 * GIB / bulk.bytes,
                bulk.openNanos / 1e9 * GIB / bulk.bytes,
                (double) bulk.bytes / bulk.sealNanos,
                (double) bulk.bytes / bulk.openNanos,
                bulk.garbage * (1 << 20) / (double) bulk.bytes / 2,
                handshake,
                packet[0],
                packet[1]);
    }

    private record Figures(long bytes, long sealNanos, long openNanos, double garbage) {}

    /// Seals batches of one read each, and opens the stream in reads of the same size, leftovers
    /// included.
    private Figures bulk(long total) {
        Capture fromClient = new Capture();
        Capture atServer = new Capture();
        StreamMachine client = outbound.dialStream(loop, TARGET);
        StreamMachine server = inbound.acceptStream(loop, CLIENT, LOCAL);
        client.onStart(0, fromClient);
        server.onStart(0, atServer);
        Buf in = pool.acquireForRead();
        long sealNanos = 0;
        long openNanos = 0;
        long bytes = 0;
        long before = THREAD.getCurrentThreadAllocatedBytes();
        while (bytes < total) {
            Buf payload = pool.acquireForRead();
            payload.extend(BufPool.READ_BYTES);
            long start = THREAD.getCurrentThreadCpuTime();
            client.onPayload(payload, 0, fromClient);
            sealNanos += THREAD.getCurrentThreadCpuTime() - start;
            bytes += BufPool.READ_BYTES;
            Buf wire = fromClient.take();
            while (!wire.isEmpty()) {
                if (in.tailroom() < BufPool.READ_BYTES) {
                    in.compact();
                }
                int read = Math.min(wire.length(), Math.min(in.tailroom(), BufPool.READ_BYTES));
                in.put(wire.array(), wire.start(), read);
                wire.consume(read);
                start = THREAD.getCurrentThreadCpuTime();
                server.onBytes(in, 0, atServer);
                openNanos += THREAD.getCurrentThreadCpuTime() - start;
                if (in.isEmpty()) {
                    in.clear();
                }
            }
            wire.release();
        }
        in.release();
        if (atServer.delivered < total - BufPool.READ_BYTES) {
            throw new AssertionError("only " + atServer.delivered + " bytes came through");
        }
        double garbage = THREAD.getCurrentThreadAllocatedBytes() - before;
        return new Figures(bytes, sealNanos, openNanos, garbage);
    }

    /// Microseconds for both ends of a connection that carries one small payload each way.
    private double handshakes(int count) {
        long start = THREAD.getCurrentThreadCpuTime();
        for (int i = 0; i < count; i++) {
            Capture fromClient = new Capture();
            Capture fromServer = new Capture();
            StreamMachine client = outbound.dialStream(loop, TARGET);
            StreamMachine server = inbound.acceptStream(loop, CLIENT, LOCAL);
            client.onStart(0, fromClient);
            client.onPayload(small(), 0, fromClient);
            Buf wire = fromClient.take();
            server.onBytes(wire, i * 1_000_000L, fromServer);
            wire.release();
            server.onOpened(OpenOutcome.OK, 0, fromServer);
            server.onPayload(small(), 0, fromServer);
            wire = fromServer.take();
            client.onBytes(wire, 0, fromClient);
            wire.release();
        }
        return (THREAD.getCurrentThreadCpuTime() - start) / 1e3 / count;
    }

    private Buf small() {
        Buf payload = pool.acquire(500);
        payload.extend(500);
        return payload;
    }

    /// Microseconds and garbage of a datagram of 1,200 bytes through both ends.
    private double[] packets(int count) {
        DatagramClient client = outbound.dialDatagrams(loop);
        DatagramServer server = inbound.serveDatagrams(loop, LOCAL);
        PacketSink sink = new PacketSink();
        Buf payload = pool.acquire(1200);
        payload.extend(1200);
        long cpu = THREAD.getCurrentThreadCpuTime();
        long before = THREAD.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < count; i++) {
            Buf packet = pool.acquire(2500);
            client.seal(TARGET, payload, packet, 0);
            server.onPacket(CLIENT, packet, 0, sink);
            packet.release();
        }
        long garbage = THREAD.getCurrentThreadAllocatedBytes() - before;
        payload.release();
        if (sink.count != count) {
            throw new AssertionError("only " + sink.count + " packets came through");
        }
        cpu = THREAD.getCurrentThreadCpuTime() - cpu;
        return new double[] {cpu / 1e3 / count, garbage / (double) count};
    }

    private static <T> T read(@Nullable Shape<T> shape, String... keysAndValues) {
        Place place = new Place("bench", 1, 1);
        List<ConfigNode.Mapping.Entry> entries = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            ConfigNode.Scalar.Type type =
                    keysAndValues[i].endsWith("port")
                            ? ConfigNode.Scalar.Type.NUMBER
                            : ConfigNode.Scalar.Type.TEXT;
            entries.add(
                    new ConfigNode.Mapping.Entry(
                            keysAndValues[i],
                            place,
                            new ConfigNode.Scalar(place, type, keysAndValues[i + 1])));
        }
        Findings findings = new Findings();
        T value =
                shape == null
                        ? null
                        : shape.read(new ConfigNode.Mapping(place, entries), "bench", findings);
        if (value == null) {
            throw new AssertionError(findings.report());
        }
        return value;
    }

    private final class PacketSink implements DatagramServer.Sink {
        private int count;

        @Override
        public Buf acquire(int bytes) {
            return pool.acquire(bytes);
        }

        @Override
        public void deliver(DatagramSession session, Destination target, Buf owned) {
            count++;
            owned.release();
        }

        @Override
        public void drop(Endpoint from, String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void sendRaw(Endpoint to, Buf owned) {
            owned.release();
        }
    }

    /// Keeps the last send, drops what is delivered.
    private final class Capture implements Effects {
        private @Nullable Buf sent;
        private long delivered;

        private Buf take() {
            Buf buf = sent;
            sent = null;
            if (buf == null) {
                throw new AssertionError("nothing was sent");
            }
            return buf;
        }

        @Override
        public Buf acquire(int bytes) {
            return pool.acquire(bytes);
        }

        @Override
        public void stopReading() {}

        @Override
        public void goOnReading() {}

        @Override
        public void putBack(Buf owned) {
            owned.release();
        }

        @Override
        public void send(Buf owned) {
            sent = owned;
        }

        @Override
        public void deliver(Buf owned) {
            delivered += owned.length();
            owned.release();
        }

        @Override
        public void fail(PeerFault fault, Farewell farewell) {
            throw fault;
        }

        @Override
        public void end() {}

        @Override
        public void deliverEnd() {}

        @Override
        public void deliverDatagram(Destination remote, Buf owned) {
            owned.release();
        }

        @Override
        public void open(Destination destination, @Nullable String user) {}

        @Override
        public void openDatagrams(Destination first, @Nullable String user) {}

        @Override
        public void associate(DatagramServer server, @Nullable String user) {}

        @Override
        public void detach() {}

        @Override
        public void ready() {}

        @Override
        public void refuse(OpenOutcome outcome, String reason) {}

        @Override
        public void becomeTransparent() {}

        @Override
        public void become(StreamMachine next) {}

        @Override
        public void sourceIs(Endpoint source) {}

        @Override
        public void close() {}
    }
}
