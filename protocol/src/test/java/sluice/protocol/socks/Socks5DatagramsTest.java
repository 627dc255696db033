package sluice.protocol.socks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.LoopFixture;
import sluice.protocol.socks.SocksServerOptions.SourceCheck;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;
import sluice.testkit.Vectors;

final class Socks5DatagramsTest {

    private static final Vectors VECTORS = Vectors.load("socks/datagrams.hex");
    private static final IpAddress PEER = IpAddress.v4(0x0a000005);
    private static final Endpoint CLIENT = new Endpoint(PEER, 4000);
    private static final Endpoint OTHER_PORT = new Endpoint(PEER, 4001);
    private static final Endpoint STRANGER = new Endpoint(IpAddress.v4(0x0a000006), 4000);

    private final LoopFixture loop = new LoopFixture(1);
    private final Log log = new Log();
    private final Socks5Datagrams datagrams = datagrams(PEER, SourceCheck.IP_AND_PORT);

    @AfterEach
    void allBuffersCameBack() {
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void passesOnEachKindOfTarget() {
        receive(CLIENT, "ipv4");
        receive(CLIENT, "name");
        receive(CLIENT, "ipv6");
        receive(CLIENT, "empty");
        receive(CLIENT, "reserved-set");
        assertThat(log.delivered)
                .containsExactly(
                        "8.8.8.8:53 68656c6c6f",
                        "example.com:53 68656c6c6f",
                        "[2001:db8::1]:53 68656c6c6f",
                        "8.8.8.8:53 ",
                        "8.8.8.8:53 68656c6c6f");
        assertThat(log.sessions).hasSize(5).containsOnly(log.sessions.getFirst());
        assertThat(log.sessions.getFirst().user()).isEqualTo("alice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "first-fragment",
                "last-fragment",
                "truncated",
                "empty-name",
                "unknown-type"
            })
    void dropsWhatItCannotReadAndDoesNotBindToIt(String vector) {
        receive(OTHER_PORT, vector);
        assertThat(log.delivered).isEmpty();
        assertThat(log.drops).hasSize(1);
        receive(CLIENT, "ipv4");
        assertThat(log.delivered).hasSize(1);
    }

    @Test
    void dropsEveryPrefixOfAHeader() {
        byte[] whole = VECTORS.get("ipv6");
        for (int bytes = 0; bytes < 22; bytes++) {
            receive(CLIENT, java.util.Arrays.copyOf(whole, bytes));
        }
        assertThat(log.delivered).isEmpty();
        assertThat(log.drops).hasSize(22);
    }

    /// I03: only the client's address, and only its first port.
    @Test
    void i03BindsToTheFirstPortOfTheClient() {
        receive(STRANGER, "ipv4");
        receive(CLIENT, "ipv4");
        receive(OTHER_PORT, "ipv4");
        receive(STRANGER, "ipv4");
        assertThat(log.delivered).hasSize(1);
        assertThat(log.drops).hasSize(3);
        assertThat(log.sessions.getFirst().client()).isEqualTo(CLIENT);
    }

    @Test
    void anyLoopbackAddressWillDoForALoopbackClient() {
        Socks5Datagrams local = datagrams(IpAddress.LOOPBACK_V4, SourceCheck.IP_AND_PORT);
        receive(local, new Endpoint(IpAddress.v4(0x7f000002), 9), VECTORS.get("ipv4"));
        assertThat(log.delivered).hasSize(1);
    }

    @Test
    void followsTheLastPortWhereOnlyTheAddressIsChecked() {
        Socks5Datagrams loose = datagrams(PEER, SourceCheck.IP);
        receive(loose, CLIENT, VECTORS.get("ipv4"));
        receive(loose, OTHER_PORT, VECTORS.get("ipv4"));
        receive(loose, STRANGER, VECTORS.get("ipv4"));
        assertThat(log.delivered).hasSize(2);
        assertThat(log.sessions.getFirst()).isSameAs(log.sessions.getLast());
        assertThat(log.sessions.getFirst().client()).isEqualTo(OTHER_PORT);
    }

    @Test
    void takesAnybodyWhereNothingIsChecked() {
        Socks5Datagrams open = datagrams(PEER, SourceCheck.OFF);
        receive(open, STRANGER, VECTORS.get("ipv4"));
        assertThat(log.delivered).hasSize(1);
        assertThat(log.sessions.getFirst().client()).isEqualTo(STRANGER);
    }

    /// I05: an answer is labelled with the address it came from, not with the one that was written
    /// to.
    @Test
    void i05LabelsAnswersWithTheirRealSource() {
        receive(CLIENT, "ipv4");
        Buf payload = filled("68656c6c6f");
        Buf packet = loop.pool().acquire(1024);
        Destination source = new Destination(Host.parse("2001:db8::1"), 53);
        assertThat(datagrams.seal(log.sessions.getFirst(), source, payload, packet, 0)).isTrue();
        assertThat(packet.toBytes()).isEqualTo(VECTORS.get("ipv6"));
        payload.release();
        packet.release();
    }

    @Test
    void refusesToSealWhatNoDatagramHolds() {
        receive(CLIENT, "ipv4");
        Buf payload = loop.pool().acquire(65_507);
        Buf packet = loop.pool().acquire(70_000);
        payload.extend(65_507 - 10);
        Destination source = new Destination(Host.parse("8.8.8.8"), 53);
        assertThat(datagrams.seal(log.sessions.getFirst(), source, payload, packet, 0)).isTrue();
        payload.extend(1);
        packet.clear();
        assertThat(datagrams.seal(log.sessions.getFirst(), source, payload, packet, 0)).isFalse();
        payload.release();
        packet.release();
    }

    @Test
    void beginsAnotherSessionAfterTheEngineEndedOne() {
        receive(CLIENT, "ipv4");
        datagrams.onFlowEnd(log.sessions.getFirst(), 1);
        receive(OTHER_PORT, "ipv4");
        receive(CLIENT, "ipv4");
        assertThat(log.sessions).hasSize(2);
        assertThat(log.sessions.getLast()).isNotSameAs(log.sessions.getFirst());
        assertThat(log.drops).hasSize(1);
    }

    @ParameterizedTest
    @Seeds(200)
    void garbageIsDeliveredOrDropped(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(400)];
        random.nextBytes(bytes);
        if (bytes.length > 3) {
            bytes[2] = 0;
            bytes[3] = (byte) random.nextInt(6);
        }
        receive(CLIENT, bytes);
        assertThat(log.delivered.size() + log.drops.size()).isEqualTo(1);
    }

    @Test
    void clientAndServerReadEachOther() {
        Socks5Packets client = new Socks5Packets();
        Destination target = new Destination(Host.parse("example.com"), 53);
        Buf payload = filled("68656c6c6f");
        Buf packet = loop.pool().acquire(1024);
        assertThat(client.seal(target, payload, packet, 0)).isTrue();
        assertThat(packet.toBytes()).isEqualTo(VECTORS.get("name"));
        Buf opened = loop.pool().acquire(1024);
        assertThat(client.open(packet, opened, 0)).isEqualTo(target);
        assertThat(opened.toBytes()).isEqualTo(VECTORS.get("hello"));
        payload.release();
        packet.release();
        opened.release();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "first-fragment",
                "last-fragment",
                "truncated",
                "empty-name",
                "unknown-type"
            })
    void theClientDropsTheSame(String vector) {
        Socks5Packets client = new Socks5Packets();
        Buf packet = loop.pool().acquire(1024);
        packet.put(VECTORS.get(vector));
        Buf opened = loop.pool().acquire(1024);
        assertThat(client.open(packet, opened, 0)).isNull();
        assertThat(client.dropReason()).startsWith("socks: ");
        packet.release();
        opened.release();
    }

    @Test
    void aPacketOfAKnownClientAllocatesNothing() {
        byte[][] packets = {VECTORS.get("ipv4"), VECTORS.get("name"), VECTORS.get("ipv6")};
        Buf packet = loop.pool().acquire(2048);
        Buf answer = loop.pool().acquire(2048);
        Quiet sink = new Quiet();
        Allocations.assertNone(() -> {
            for (byte[] bytes : packets) {
                packet.clear();
                packet.put(bytes);
                datagrams.onPacket(CLIENT, packet, 0, sink);
                answer.clear();
                datagrams.seal(sink.session, sink.target, packet, answer, 0);
            }
        });
        packet.release();
        answer.release();
        assertThat(sink.target).isEqualTo(new Destination(Host.parse("2001:db8::1"), 53));
    }

    private void receive(Endpoint from, String vector) {
        receive(from, VECTORS.get(vector));
    }

    private void receive(Endpoint from, byte[] bytes) {
        receive(datagrams, from, bytes);
    }

    private void receive(Socks5Datagrams server, Endpoint from, byte[] bytes) {
        Buf packet = loop.pool().acquire(Math.max(1, bytes.length));
        packet.put(bytes);
        server.onPacket(from, packet, 0, log);
        packet.release();
    }

    private Buf filled(String hex) {
        Buf buf = loop.pool().acquire(64);
        buf.put(HexFormat.of().parseHex(hex));
        return buf;
    }

    private static Socks5Datagrams datagrams(IpAddress peer, SourceCheck check) {
        return new Socks5Datagrams(peer, "alice", check);
    }

    private final class Log implements DatagramServer.Sink {
        private final List<String> delivered = new ArrayList<>();
        private final List<DatagramSession> sessions = new ArrayList<>();
        private final List<String> drops = new ArrayList<>();

        @Override
        public Buf acquire(int bytes) {
            return loop.pool().acquire(bytes);
        }

        @Override
        public void deliver(DatagramSession session, Destination target, Buf owned) {
            delivered.add(target + " " + HexFormat.of().formatHex(owned.toBytes()));
            sessions.add(session);
            owned.release();
        }

        @Override
        public void drop(Endpoint from, String reason) {
            drops.add(reason);
        }

        @Override
        public void sendRaw(Endpoint to, Buf owned) {
            throw new AssertionError("nothing is relayed raw");
        }
    }

    private final class Quiet implements DatagramServer.Sink {
        private DatagramSession session;
        private Destination target;

        @Override
        public Buf acquire(int bytes) {
            return loop.pool().acquire(bytes);
        }

        @Override
        public void deliver(DatagramSession from, Destination to, Buf owned) {
            session = from;
            target = to;
            owned.release();
        }

        @Override
        public void drop(Endpoint from, String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void sendRaw(Endpoint to, Buf owned) {
            throw new AssertionError("nothing is relayed raw");
        }
    }
}
