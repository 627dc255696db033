package sluice.protocol.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import sluice.base.buf.Buf;
import sluice.base.config.Shape;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.protocol.Options;
import sluice.protocol.block.Block;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.Outbound;
import sluice.testkit.Allocations;

final class DirectTest {

    private static final Shape<DirectInbound> SHAPE = DirectInbound.SHAPE;
    private static final Endpoint LOCAL = new Endpoint(IpAddress.v4(0x0a000001), 53);
    private static final Endpoint CLIENT = new Endpoint(IpAddress.v4(0x0a000005), 4000);

    private final LoopFixture loop = new LoopFixture(1);

    @AfterEach
    void allBuffersCameBack() {
        assertThat(loop.pool().inUse()).isZero();
    }

    // Options

    @Test
    void forwardsBothNetworksToWhereTheClientWentByDefault() {
        Inbound inbound = Options.read(SHAPE);
        assertThat(inbound.acceptsStreams()).isTrue();
        assertThat(inbound.acceptsDatagrams()).isTrue();
        assertThat(start(inbound).opened()).isEqualTo(Destination.of(LOCAL));
    }

    @Test
    void forwardsToWhereItIsTold() {
        assertThat(start(Options.read(SHAPE, "override_address", "dns.example")).opened())
                .isEqualTo(new Destination(Host.parse("dns.example"), 53));
        assertThat(start(Options.read(SHAPE, "override_port", 5353)).opened())
                .isEqualTo(new Destination(LOCAL.address(), 5353));
    }

    @Test
    void forwardsOneNetworkAlone() {
        assertThat(Options.read(SHAPE, "network", "udp").acceptsStreams()).isFalse();
        assertThat(Options.read(SHAPE, "network", List.of("tcp")).acceptsDatagrams()).isFalse();
        assertThat(Options.refusal(SHAPE, "network", List.of())).contains("forwards nothing");
        assertThat(Options.refusal(SHAPE, "network", "icmp")).contains("icmp");
        assertThat(Options.refusal(SHAPE, "override_port", 70_000)).contains("70000");
    }

    @Test
    void theOutboundsDialTheTargetItselfOrNothing() {
        Outbound direct = Options.read(new Direct().outbound());
        assertThat(direct.server()).isNull();
        assertThat(direct.dialStream(loop.services(), Destination.of(LOCAL))).isNull();
        assertThat(direct.datagrams()).isEqualTo(Outbound.Datagrams.BARE);
        assertThat(direct.isBlock()).isFalse();
        Outbound block = Options.read(new Block().outbound());
        assertThat(block.isBlock()).isTrue();
        assertThat(block.server()).isNull();
        assertThat(block.dialStream(loop.services(), Destination.of(LOCAL))).isNull();
        assertThat(block.datagrams()).isEqualTo(Outbound.Datagrams.NONE);
    }

    // Streams

    @Test
    void retiresWhenTheTargetIsReached() {
        MachineSide side = start(Options.read(SHAPE));
        side.receive(new byte[] {1, 2}, 0);
        side.receive(new byte[] {3}, 0);
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.isTransparent()).isTrue();
        assertThat(side.delivered()).containsExactly(1, 2, 3);
        assertThat(side.sent()).isEmpty();
    }

    /// I11: the end of a client that was faster than the dial is kept.
    @Test
    void i11KeepsTheEndOfAHastyClient() {
        MachineSide side = start(Options.read(SHAPE));
        side.receive(new byte[] {1}, 0);
        side.receiveEnd(0);
        assertThat(side.deliveredEnd()).isTrue();
        side.opened(OpenOutcome.OK, 0);
        side.payload(new byte[] {9}, 0);
        assertThat(side.sent()).containsExactly(9);
    }

    @Test
    void resetsWhenTheTargetIsNotReached() {
        MachineSide side = start(Options.read(SHAPE));
        side.opened(OpenOutcome.REFUSED, 0);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    // Datagrams

    @Test
    void eachClientEndpointIsASession() {
        DirectDatagrams datagrams = new DirectDatagrams(Destination.of(LOCAL));
        Sink sink = new Sink();
        Endpoint other = new Endpoint(CLIENT.address(), 4001);
        receive(datagrams, CLIENT, sink);
        receive(datagrams, other, sink);
        receive(datagrams, CLIENT, sink);
        assertThat(sink.sessions).hasSize(3);
        assertThat(sink.sessions.get(2)).isSameAs(sink.sessions.get(0));
        assertThat(sink.sessions.get(1).client()).isEqualTo(other);
        assertThat(sink.target).isEqualTo(Destination.of(LOCAL));
    }

    @Test
    void forgetsASessionWhoseFlowEnded() {
        DirectDatagrams datagrams = new DirectDatagrams(Destination.of(LOCAL));
        Sink sink = new Sink();
        receive(datagrams, CLIENT, sink);
        datagrams.onFlowEnd(sink.sessions.getFirst(), 0);
        receive(datagrams, CLIENT, sink);
        assertThat(sink.sessions.get(1)).isNotSameAs(sink.sessions.get(0));
    }

    @Test
    void forgetsTheClientThatWasSilentForLongest() {
        DirectDatagrams datagrams = new DirectDatagrams(Destination.of(LOCAL));
        Sink sink = new Sink();
        for (int port = 1; port <= DirectDatagrams.SESSIONS_MAX; port++) {
            receive(datagrams, new Endpoint(CLIENT.address(), port), sink);
        }
        DatagramSession first = sink.sessions.get(0);
        DatagramSession second = sink.sessions.get(1);
        receive(datagrams, first.client(), sink);
        receive(datagrams, new Endpoint(CLIENT.address(), 60_000), sink);
        receive(datagrams, first.client(), sink);
        assertThat(sink.sessions.getLast()).isSameAs(first);
        receive(datagrams, second.client(), sink);
        assertThat(sink.sessions.getLast()).isNotSameAs(second);
    }

    @Test
    void answersGoOutAsTheyCame() {
        DirectDatagrams datagrams = new DirectDatagrams(Destination.of(LOCAL));
        Sink sink = new Sink();
        receive(datagrams, CLIENT, sink);
        Buf payload = loop.pool().acquire(10);
        payload.put(new byte[] {1, 2, 3});
        Buf packet = loop.pool().acquire(10);
        DatagramSession session = sink.sessions.getFirst();
        assertThat(datagrams.seal(session, Destination.of(LOCAL), payload, packet, 0)).isTrue();
        assertThat(packet.toBytes()).containsExactly(1, 2, 3);
        packet.range(packet.array().length, packet.array().length);
        assertThat(datagrams.seal(session, Destination.of(LOCAL), payload, packet, 0)).isFalse();
        payload.release();
        packet.release();
    }

    @Test
    void aPacketOfAKnownClientAllocatesNothing() {
        DirectDatagrams datagrams = new DirectDatagrams(Destination.of(LOCAL));
        Sink sink = new Sink();
        sink.isKeeping = false;
        Endpoint again = new Endpoint(CLIENT.address(), CLIENT.port());
        Buf packet = loop.pool().acquire(100);
        packet.put(new byte[50]);
        Allocations.assertNone(() -> datagrams.onPacket(again, packet, 0, sink));
        packet.release();
        assertThat(sink.target).isEqualTo(Destination.of(LOCAL));
    }

    private MachineSide start(Inbound inbound) {
        MachineSide side =
                new MachineSide(inbound.acceptStream(loop.services(), CLIENT, LOCAL), loop.pool());
        side.start(0);
        return side;
    }

    private void receive(DirectDatagrams datagrams, Endpoint from, Sink sink) {
        Buf packet = loop.pool().acquire(10);
        packet.put(new byte[] {1});
        datagrams.onPacket(from, packet, 0, sink);
        packet.release();
    }

    private final class Sink implements DatagramServer.Sink {
        private final List<DatagramSession> sessions = new ArrayList<>();
        private boolean isKeeping = true;
        private Destination target;

        @Override
        public Buf acquire(int bytes) {
            return loop.pool().acquire(bytes);
        }

        @Override
        public void deliver(DatagramSession session, Destination to, Buf owned) {
            if (isKeeping) {
                sessions.add(session);
            }
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
