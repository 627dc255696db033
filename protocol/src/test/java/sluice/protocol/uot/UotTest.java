package sluice.protocol.uot;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.Cuts.join;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Host;
import sluice.protocol.Cuts;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.protocol.MachineSide.Datagram;
import sluice.protocol.address.AddressForm;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;
import sluice.testkit.Vectors;

final class UotTest {

    private static final Vectors VECTORS = Vectors.load("uot/packets.hex");
    private static final String HELLO = "68656c6c6f";
    private static final Destination DNS = new Destination(Host.parse("8.8.8.8"), 53);
    private static final Destination NAME = new Destination(Host.parse("example.com"), 53);

    private final LoopFixture loop = new LoopFixture(1);
    private final List<MachineSide> sides = new ArrayList<>();

    @AfterEach
    void allBuffersCameBack() {
        sides.forEach(MachineSide::discard);
        assertThat(loop.pool().inUse()).isZero();
    }

    // Targets

    @Test
    void itsTargetsAreTheMagicNames() {
        Buf buf = loop.pool().acquire(64);
        AddressForm.SOCKS.write(new UdpOverTcp(true, 1).magic(), buf);
        assertThat(buf.toBytes()).isEqualTo(VECTORS.get("v1-target"));
        buf.clear();
        AddressForm.SOCKS.write(UdpOverTcp.ON.magic(), buf);
        assertThat(buf.toBytes()).isEqualTo(VECTORS.get("v2-target"));
        buf.release();
    }

    @Test
    void theServiceKnowsTheMagicNamesAlone() {
        assertThat(service("sp.udp-over-tcp.arpa")).isNotNull();
        assertThat(service("sp.v2.udp-over-tcp.arpa")).isNotNull();
        assertThat(service("SP.udp-over-tcp.arpa")).isNull();
        assertThat(service("sp.udp-over-tcp.arpa.")).isNull();
        assertThat(service("example.com")).isNull();
        assertThat(service("1.2.3.4")).isNull();
    }

    // The server

    @Test
    void servesVersionOne() {
        MachineSide side = server(1);
        side.receive(VECTORS.get("v1-packet"), 0);
        assertThat(side.openedDatagrams()).isEqualTo(DNS);
        assertThat(side.user()).isEqualTo("alice");
        assertThat(side.datagrams()).containsExactly(new Datagram(DNS, HELLO));
        side.opened(OpenOutcome.OK, 0);
        side.datagram(DNS, HexFormat.of().parseHex(HELLO), 0);
        assertThat(side.sent()).isEqualTo(VECTORS.get("v1-packet"));
    }

    @Test
    void servesAConnectedStreamOfVersionTwo() {
        MachineSide side = server(2);
        side.receive(VECTORS.get("v2-request-connect"), 0);
        assertThat(side.openedDatagrams()).isEqualTo(DNS);
        assertThat(side.sent()).isEmpty();
        side.receive(VECTORS.get("v2-packet-connect"), 0);
        assertThat(side.datagrams()).containsExactly(new Datagram(DNS, HELLO));
        side.datagram(DNS, HexFormat.of().parseHex(HELLO), 0);
        assertThat(side.sent()).isEqualTo(VECTORS.get("v2-packet-connect"));
    }

    @Test
    void servesAFreeStreamOfVersionTwoByItsFirstPacket() {
        MachineSide side = server(2);
        side.receive(VECTORS.get("v2-request-free"), 0);
        assertThat(side.openedDatagrams()).isNull();
        side.receive(VECTORS.get("v2-packet-free"), 0);
        assertThat(side.openedDatagrams()).isEqualTo(NAME);
        assertThat(side.datagrams()).containsExactly(new Datagram(NAME, HELLO));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 0xff})
    void anyOtherNumberThanZeroConnects(int flag) {
        MachineSide side = server(2);
        byte[] request = VECTORS.get("v2-request-connect");
        request[0] = (byte) flag;
        side.receive(request, 0);
        assertThat(side.openedDatagrams()).isEqualTo(DNS);
    }

    @Test
    void readsManyPacketsOfOneReadAndOpensOnce() {
        MachineSide side = server(1);
        byte[] many = {};
        for (int i = 0; i < 50; i++) {
            many = join(many, VECTORS.get("v1-packet"), VECTORS.get("v2-packet-free"));
        }
        side.receive(many, 0);
        assertThat(side.datagrams()).hasSize(100);
        assertThat(side.opens()).isEqualTo(1);
    }

    @Test
    void anEmptyAndTheLargestDatagramAreLegal() {
        MachineSide side = server(1);
        byte[] head = HexFormat.of().parseHex("00080808080035");
        byte[] largest = new byte[65_535];
        side.receiveInPieces(join(head, new byte[2], head, new byte[] {-1, -1}, largest), 1000, 0);
        assertThat(side.datagrams())
                .containsExactly(
                        new Datagram(DNS, ""),
                        new Datagram(DNS, HexFormat.of().formatHex(largest)));
    }

    /// I05: in a free stream an answer carries the address it came from.
    @Test
    void i05LabelsAnswersWithTheirRealSource() {
        MachineSide side = server(1);
        side.receive(VECTORS.get("v1-packet"), 0);
        Destination other = new Destination(Host.parse("192.168.1.1"), 8080);
        side.datagram(other, new byte[0], 0);
        assertThat(side.sent()).isEqualTo(join(VECTORS.get("v1-header"), new byte[2]));
    }

    @Test
    void theEndOfTheStreamEndsTheSession() {
        MachineSide side = server(1);
        side.receive(VECTORS.get("v1-packet"), 0);
        side.receiveEnd(0);
        assertThat(side.isClosed()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void aRefusedFlowClosesTheStream() {
        MachineSide side = server(1);
        side.receive(VECTORS.get("v1-packet"), 0);
        side.opened(OpenOutcome.DENIED, 0);
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void waitsForAFirstPacketButNotForEver() {
        MachineSide side = server(2);
        assertThat(side.deadlineNanos()).isEqualTo(300_000_000_000L);
        side.tick(300_000_000_000L);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TOO_SLOW);
    }

    @Test
    void anOpenSessionHasNoDeadlineOfItsOwn() {
        MachineSide side = server(1);
        side.receive(VECTORS.get("v1-packet"), 0);
        side.tick(Long.MAX_VALUE - 1);
        assertThat(side.isOver()).isFalse();
    }

    // The client

    @Test
    void sendsTheRequestWithTheFirstPacket() {
        MachineSide side = client(2);
        assertThat(side.isReady()).isTrue();
        assertThat(side.takeSent()).isEmpty();
        side.datagram(NAME, HexFormat.of().parseHex(HELLO), 0);
        byte[] request = HexFormat.of().parseHex("00030b6578616d706c652e636f6d0035");
        assertThat(side.takeSent()).isEqualTo(join(request, VECTORS.get("v2-packet-free")));
        assertThat(side.sends()).hasSize(1);
        side.datagram(DNS, HexFormat.of().parseHex(HELLO), 0);
        assertThat(side.takeSent()).isEqualTo(VECTORS.get("v1-packet"));
    }

    @Test
    void sendsNoRequestInVersionOne() {
        MachineSide side = client(1);
        side.datagram(DNS, HexFormat.of().parseHex(HELLO), 0);
        assertThat(side.takeSent()).isEqualTo(VECTORS.get("v1-packet"));
    }

    @Test
    void readsAnswersFromAnybody() {
        MachineSide side = client(2);
        side.receive(join(VECTORS.get("v1-packet"), VECTORS.get("v2-packet-free")), 0);
        assertThat(side.datagrams())
                .containsExactly(new Datagram(DNS, HELLO), new Datagram(NAME, HELLO));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void clientAndServerUnderstandEachOther(int version) {
        MachineSide client = client(version);
        MachineSide server = server(version);
        Random random = new Random(version);
        List<Datagram> up = new ArrayList<>();
        List<Datagram> down = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            byte[] data = new byte[random.nextInt(3000)];
            random.nextBytes(data);
            Destination remote =
                    switch (random.nextInt(3)) {
                        case 0 -> DNS;
                        case 1 -> NAME;
                        default -> new Destination(Host.parse("2001:db8::" + (i + 1)), i);
                    };
            up.add(new Datagram(remote, HexFormat.of().formatHex(data)));
            client.datagram(remote, data, 0);
            server.receive(client.takeSent(), 0);
            down.add(new Datagram(remote, HexFormat.of().formatHex(data)));
            server.datagram(remote, data, 0);
            client.receive(server.takeSent(), 0);
        }
        assertThat(server.datagrams()).isEqualTo(up);
        assertThat(client.datagrams()).isEqualTo(down);
    }

    // Cuts, garbage, allocation

    @ParameterizedTest
    @Seeds(60)
    void whatItReadsDoesNotDependOnHowBytesAreCut(long seed) {
        byte[] free =
                join(
                        VECTORS.get("v2-request-free"),
                        VECTORS.get("v2-packet-free"),
                        VECTORS.get("v1-packet"),
                        VECTORS.get("v2-packet-free"));
        byte[] connected =
                join(
                        VECTORS.get("v2-request-connect"),
                        VECTORS.get("v2-packet-connect"),
                        VECTORS.get("v2-packet-connect"));
        for (byte[] bytes : List.of(free, connected)) {
            assertThat(Cuts.pieces(() -> new UotServer(2, "u"), bytes, loop.pool(), seed))
                    .isEqualTo(Cuts.whole(() -> new UotServer(2, "u"), bytes, loop.pool()));
        }
        byte[] answers = join(VECTORS.get("v1-packet"), VECTORS.get("v2-packet-free"));
        assertThat(Cuts.pieces(() -> new UotClient(2), answers, loop.pool(), seed))
                .isEqualTo(Cuts.whole(() -> new UotClient(2), answers, loop.pool()));
    }

    @ParameterizedTest
    @Seeds(300)
    void garbageEndsInAFaultAndNothingElse(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(2000)];
        random.nextBytes(bytes);
        StreamMachine[] machines = {
            new UotServer(1, null), new UotServer(2, null), new UotClient(1)
        };
        MachineSide side = side(machines[(int) (seed % machines.length)]);
        side.receive(bytes, 0);
        side.receiveEnd(0);
        assertThat(side.isOver()).isTrue();
    }

    @Test
    void packetsOfKnownTargetsAllocateNothing() {
        UotServer server = new UotServer(1, null);
        Quiet quiet = new Quiet();
        byte[] packets = join(VECTORS.get("v1-packet"), VECTORS.get("v2-packet-free"));
        Buf in = loop.pool().acquire(1024);
        Allocations.assertNone(() -> {
            in.clear();
            in.put(packets);
            server.onBytes(in, 0, quiet);
            Buf answer = loop.pool().acquire(1024);
            answer.put(packets);
            server.onDatagram(NAME, answer, 0, quiet);
        });
        in.release();
        assertThat(quiet.datagrams).isPositive();
        assertThat(quiet.sends).isPositive();
    }

    private @Nullable StreamMachine service(String host) {
        return UdpOverTcp.service()
                .serviceOrNull(loop.services(), new Destination(Host.parse(host), 0), null);
    }

    private MachineSide server(int version) {
        StreamMachine machine =
                UdpOverTcp.service()
                        .serviceOrNull(
                                loop.services(),
                                new Destination(
                                        new DomainName(
                                                version == 1 ? UotWire.MAGIC_1 : UotWire.MAGIC_2),
                                        0),
                                "alice");
        assertThat(machine).isNotNull();
        return side(machine);
    }

    private MachineSide client(int version) {
        return side(new UdpOverTcp(true, version).client());
    }

    private MachineSide side(StreamMachine machine) {
        MachineSide side = new MachineSide(machine, loop.pool());
        sides.add(side);
        side.start(0);
        return side;
    }

    /// Effects that keep nothing.
    private final class Quiet implements sluice.base.machine.Effects {
        private long datagrams;
        private long sends;

        @Override
        public Buf acquire(int bytes) {
            return loop.pool().acquire(bytes);
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
            sends++;
            owned.release();
        }

        @Override
        public void deliverDatagram(Destination remote, Buf owned) {
            datagrams++;
            owned.release();
        }

        @Override
        public void openDatagrams(Destination first, @Nullable String user) {}

        @Override
        public void end() {
            throw new AssertionError();
        }

        @Override
        public void deliver(Buf owned) {
            throw new AssertionError();
        }

        @Override
        public void deliverEnd() {
            throw new AssertionError();
        }

        @Override
        public void open(Destination destination, @Nullable String user) {
            throw new AssertionError();
        }

        @Override
        public void associate(sluice.base.machine.DatagramServer server, @Nullable String user) {
            throw new AssertionError();
        }

        @Override
        public void detach() {
            throw new AssertionError();
        }

        @Override
        public void ready() {
            throw new AssertionError();
        }

        @Override
        public void refuse(OpenOutcome outcome, String reason) {
            throw new AssertionError();
        }

        @Override
        public void becomeTransparent() {
            throw new AssertionError();
        }

        @Override
        public void become(StreamMachine next) {
            throw new AssertionError();
        }

        @Override
        public void sourceIs(sluice.base.net.Endpoint source) {
            throw new AssertionError();
        }

        @Override
        public void close() {
            throw new AssertionError();
        }

        @Override
        public void fail(PeerFault fault, sluice.base.machine.Farewell farewell) {
            throw new AssertionError(fault);
        }
    }
}
