package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.protocol.ProtocolCatalog;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;
import sluice.protocol.uot.UdpOverTcp;
import sluice.testkit.Eventually;

/// Datagrams: forwarded, labelled, in streams, beside streams; and how their flows begin and end.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class DatagramTest {

    private static Rig dns;
    private static Work<Duration> dnsFlow;

    /// A flow to a name server lives ten seconds; it does so beside the other tests.
    @BeforeAll
    static void askANameServer() throws Exception {
        dns =
                Rig.on(Driver.LINUX)
                        .inbound("in", new Labelled.In())
                        .outbound(Ways.direct("direct"))
                        .start();
        try (Udp client = new Udp()) {
            client.send(dns.at("in"), Labelled.packet(1, "127.0.0.1", 53, new byte[] {1}));
        }
        dnsFlow =
                Work.of(() -> {
                    long before = System.nanoTime();
                    Eventually.await(Rig.PATIENCE, () -> dns.counters().datagramFlowsClosed == 1);
                    return Duration.ofNanos(System.nanoTime() - before);
                });
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void aFlowToANameServerEndsSooner() throws Exception {
        assertThat(dnsFlow.result()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(15));
    }

    @AfterAll
    static void stopAsking() {
        dns.stop(Duration.ZERO);
        dns.close();
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aForwardedPortAnswersItsClients(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp alice = new Udp();
                Udp bob = new Udp();
                Rig rig = forwarding(driver, origin.port()).start()) {
            alice.send(rig.at("in"), "from alice");
            Udp.Got first = origin.receive();
            bob.send(rig.at("in"), "from bob");
            Udp.Got second = origin.receive();
            assertThat(first.text()).isEqualTo("from alice");
            assertThat(second.text()).isEqualTo("from bob");
            assertThat(first.port()).isNotEqualTo(second.port());

            origin.send(second.from(), "to bob");
            origin.send(first.from(), "to alice");
            Udp.Got toAlice = alice.receive();
            assertThat(toAlice.text()).isEqualTo("to alice");
            assertThat(toAlice.port()).isEqualTo(rig.at("in").port());
            assertThat(bob.receive().text()).isEqualTo("to bob");
            assertThat(rig.counters().datagramFlowsOpened).isEqualTo(2);
            endDatagrams(rig);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void sizesFromNothingToTheLargestPass(Driver driver) throws Exception {
        Random random = new Random(1);
        try (Udp origin = new Udp();
                Udp client = new Udp();
                Rig rig = forwarding(driver, origin.port()).start()) {
            for (int bytes : new int[] {0, 1, 1_200, 1_472, 9_000, 65_507}) {
                byte[] payload = new byte[bytes];
                random.nextBytes(payload);
                client.send(rig.at("in"), payload);
                Udp.Got got = origin.receive();
                assertThat(got.bytes()).isEqualTo(payload);
                origin.send(got.from(), payload);
                assertThat(client.receive().bytes()).isEqualTo(payload);
            }
            endDatagrams(rig);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void allTargetsSeeOneSourceAndAnyoneMayAnswer(Driver driver) throws Exception {
        try (Udp one = new Udp();
                Udp two = new Udp("127.0.0.2");
                Udp stranger = new Udp("127.0.0.3");
                Udp client = new Udp();
                Rig rig = labelled(driver).start()) {
            send(client, rig, 1, "127.0.0.1", one.port(), "a");
            Udp.Got atOne = one.receive();
            send(client, rig, 1, "127.0.0.2", two.port(), "b");
            Udp.Got atTwo = two.receive();
            assertThat(atTwo.port()).isEqualTo(atOne.port());

            stranger.send(atOne.from(), "c");
            assertThat(shown(client.receive())).isEqualTo("127.0.0.3 " + stranger.port() + " c");
            two.send(atTwo.from(), "d");
            assertThat(shown(client.receive())).isEqualTo("127.0.0.2 " + two.port() + " d");
            endDatagrams(rig);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void oneFlowReachesBothFamilies(Driver driver) throws Exception {
        try (Udp four = new Udp();
                Udp six = new Udp("::1");
                Udp client = new Udp();
                Rig rig = labelled(driver).start()) {
            send(client, rig, 1, "127.0.0.1", four.port(), "4");
            send(client, rig, 1, "::1", six.port(), "6");
            Udp.Got atFour = four.receive();
            Udp.Got atSix = six.receive();
            assertThat(atFour.text() + atSix.text()).isEqualTo("46");
            six.send(atSix.from(), "back");
            assertThat(shown(client.receive())).isEqualTo("::1 " + six.port() + " back");
            assertThat(rig.counters().datagramFlowsOpened).isOne();
            endDatagrams(rig);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aSilentFlowEndsAndTheNextDatagramBeginsAnother(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp client = new Udp();
                Rig rig = Rig.on(driver).outbound(Ways.direct("direct"))) {
            rig.inbound(
                            Rig.withTimes(
                                    Rig.inboundPlan("in", new Labelled.In()),
                                    Duration.ofSeconds(60),
                                    Duration.ofMillis(500)))
                    .start();
            send(client, rig, 1, "127.0.0.1", origin.port(), "1");
            Udp.Got first = origin.receive();
            for (int i = 0; i < 5; i++) {
                Thread.sleep(200);
                origin.send(first.from(), "still there");
                client.receive();
            }
            assertThat(rig.counters().datagramFlowsClosed).isZero();
            rig.awaitIdle();
            assertThat(rig.counters().datagramFlowsClosed).isOne();

            send(client, rig, 1, "127.0.0.1", origin.port(), "2");
            assertThat(origin.receive().text()).isEqualTo("2");
            assertThat(rig.counters().datagramFlowsOpened).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void datagramsWaitInOrderWhileTheirNameIsLookedUp(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp client = new Udp();
                Rig rig = labelled(driver)) {
            rig.names().with("slow.test", "127.0.0.1").hold();
            rig.start();
            for (int i = 0; i < 20; i++) {
                send(client, rig, 1, "slow.test", origin.port(), "n" + i);
            }
            Eventually.await(Rig.PATIENCE, () -> rig.counters().upDatagrams == 20);
            rig.names().release();
            for (int i = 0; i < 16; i++) {
                assertThat(origin.receive().text()).isEqualTo("n" + i);
            }
            assertThat(rig.counters().datagramsDropped).isEqualTo(4);
            assertThat(rig.names().asked()).containsExactly("slow.test");
            send(client, rig, 1, "slow.test", origin.port(), "known");
            assertThat(origin.receive().text()).isEqualTo("known");
            endDatagrams(rig);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void oneFlowMayWaitForSeveralNames(Driver driver) throws Exception {
        try (Udp one = new Udp();
                Udp two = new Udp("127.0.0.2");
                Udp client = new Udp();
                Rig rig = labelled(driver)) {
            rig.names().with("one.test", "127.0.0.1").with("two.test", "127.0.0.2").hold();
            rig.start();
            send(client, rig, 1, "one.test", one.port(), "a");
            send(client, rig, 1, "nowhere.test", one.port(), "x");
            send(client, rig, 1, "two.test", two.port(), "b");
            send(client, rig, 1, "one.test", one.port(), "c");
            Eventually.await(Rig.PATIENCE, () -> rig.names().asked().size() == 3);
            rig.names().release("two.test");
            assertThat(two.receive().text()).isEqualTo("b");
            rig.names().release("nowhere.test");
            rig.names().release("one.test");
            assertThat(one.receive().text()).isEqualTo("a");
            assertThat(one.receive().text()).isEqualTo("c");
            assertThat(rig.counters().datagramsDropped).isOne();
            for (int i = 0; i < 3; i++) {
                send(client, rig, 1, "one.test", one.port(), "d");
                send(client, rig, 1, "two.test", two.port(), "e");
                assertThat(one.receive().text()).isEqualTo("d");
                assertThat(two.receive().text()).isEqualTo("e");
            }
            assertThat(rig.names().asked()).hasSize(3);
            endDatagrams(rig);
        }
    }

    /// A flood of flows with one datagram each takes the place of its own kind, not that of a game
    /// under way.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aFloodOfFlowsDoesNotEndAFlowThatLives(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp client = new Udp();
                Rig rig = labelled(driver).loops(1)) {
            rig.names().with("127.0.0.1", "127.0.0.1").hold();
            rig.start();
            send(client, rig, 1, "127.0.0.1", origin.port(), "0");
            int source = origin.receive().port();
            int sent = 0;
            for (int i = 0; i < 10; i++) {
                for (int n = 0; n < 1_000; n++) {
                    send(client, rig, 2 + sent++, "held.test", 9, "x");
                    if (n % 50 == 49) {
                        long all = sent + i + 1L;
                        Eventually.await(Rig.PATIENCE, () -> rig.counters().upDatagrams >= all);
                    }
                }
                send(client, rig, 1, "127.0.0.1", origin.port(), "alive");
                assertThat(origin.receive().port()).isEqualTo(source);
            }
            assertThat(rig.counters().datagramFlowsOpened).isEqualTo(10_001);
            assertThat(rig.engine().conversations()).isEqualTo(4_096);
            endDatagrams(rig);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aMachineThatThrowsLosesItsPacketAlone(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp client = new Udp();
                Rig rig = labelled(driver).expectInternalErrors(2).start()) {
            send(client, rig, 1, "127.0.0.1", origin.port(), "!");
            send(client, rig, 1, "127.0.0.1", origin.port(), "fine");
            send(client, rig, 1, "127.0.0.1", origin.port(), "!");
            assertThat(origin.receive().text()).isEqualTo("fine");
            client.send(rig.at("in"), new byte[] {1, 2});
            Eventually.await(Rig.PATIENCE, () -> rig.counters().datagramsDropped == 1);
            endDatagrams(rig);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void datagramsGoThroughProxiesInPackets(int proxies) throws Exception {
        for (Driver driver : Driver.values()) {
            try (Udp origin = new Udp();
                    Udp client = new Udp();
                    Rig inner = labelled(driver).start();
                    Rig outer = labelled(driver).start();
                    Rig rig = forwarding(driver, origin.port())) {
                rig.without("direct");
                rig.outbound(
                        Ways.through(
                                "inner",
                                new Labelled.Out(Destination.of(inner.at("in"))),
                                proxies == 2 ? "outer" : null));
                rig.outbound(
                        Ways.through(
                                "outer", new Labelled.Out(Destination.of(outer.at("in"))), null));
                rig.start();
                client.send(rig.at("in"), "up");
                Udp.Got got = origin.receive();
                assertThat(got.text()).isEqualTo("up");
                origin.send(got.from(), "down");
                assertThat(client.receive().text()).isEqualTo("down");
                assertThat(outer.counters().upDatagrams).isEqualTo(proxies - 1L);
                endDatagrams(rig);
                endDatagrams(inner);
                endDatagrams(outer);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void datagramsGoThroughAProxyInAStream(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp client = new Udp();
                Rig server =
                        Rig.on(driver)
                                .inbound("xor", new Xor.In(Set.of("alice")))
                                .outbound(Ways.direct("direct"))
                                .services(ProtocolCatalog.streamServices())
                                .start();
                Rig rig = forwarding(driver, origin.port())) {
            rig.without("direct");
            rig.outbound(Ways.through("uot", new InStream(Destination.of(server.at("xor"))), null));
            rig.start();
            client.send(rig.at("in"), "one");
            client.send(rig.at("in"), "two");
            Udp.Got got = origin.receive();
            assertThat(got.text()).isEqualTo("one");
            assertThat(origin.receive().text()).isEqualTo("two");
            origin.send(got.from(), "three");
            assertThat(client.receive().text()).isEqualTo("three");
            endDatagrams(rig);
            server.awaitIdle();
        }
    }

    /// Datagrams in a stream of the toy protocol.
    private record InStream(Destination server) implements Outbound {

        @Override
        public StreamMachine dialStream(LoopServices loop, Destination target) {
            return new Xor.Out(server, "alice").dialStream(loop, target);
        }

        @Override
        public Datagrams datagrams() {
            return Datagrams.STREAM;
        }

        @Override
        public StreamMachine[] dialDatagramStream(LoopServices loop, Destination first) {
            return new StreamMachine[] {
                dialStream(loop, UdpOverTcp.ON.magic()), UdpOverTcp.ON.client()
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void anAssociationEndsWithItsStream(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp client = new Udp();
                Rig rig =
                        Rig.on(driver)
                                .inbound("socks", Ways.inbound("socks", Map.of()))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            long before = Rig.descriptors();
            InetSocketAddress relay;
            try (Socket control = rig.connect("socks")) {
                control.getOutputStream().write(new byte[] {5, 1, 0});
                assertThat(control.getInputStream().readNBytes(2)).containsExactly(5, 0);
                control.getOutputStream().write(new byte[] {5, 3, 0, 1, 0, 0, 0, 0, 0, 0});
                DataInputStream reply = new DataInputStream(control.getInputStream());
                assertThat(reply.readInt()).isEqualTo(0x05000001);
                InetAddress address = InetAddress.getByAddress(reply.readNBytes(4));
                relay = new InetSocketAddress(address, reply.readUnsignedShort());

                client.send(relay, socksPacket(origin.port(), "up"));
                Udp.Got got = origin.receive();
                assertThat(got.text()).isEqualTo("up");
                origin.send(got.from(), "down");
                assertThat(client.receive().text()).endsWith("down");
                assertThat(rig.engine().conversations()).isEqualTo(2);
            }
            rig.awaitIdle();
            Eventually.await(Rig.PATIENCE, () -> Rig.descriptors() <= before);
            client.send(relay, socksPacket(origin.port(), "late"));
            assertThat(origin.receiveOrNull(100)).isNull();
        }
    }

    private static byte[] socksPacket(int port, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        byte[] packet = new byte[10 + payload.length];
        packet[3] = 1;
        packet[4] = 127;
        packet[7] = 1;
        packet[8] = (byte) (port >> 8);
        packet[9] = (byte) port;
        System.arraycopy(payload, 0, packet, 10, payload.length);
        return packet;
    }

    @Test
    void anOutboundThatCarriesNoDatagramsEndsTheFlow() throws Exception {
        for (var way :
                List.of(
                        Ways.through("block", new Ways.Block(), null),
                        Ways.through("xor", new Xor.Out(nowhere(), "alice"), null),
                        Ways.through("labelled", new Labelled.Out(nowhere()), "block"),
                        Ways.through("over", new Labelled.Out(nowhere()), "straight"))) {
            try (Udp client = new Udp();
                    Rig rig =
                            Rig.on(Driver.LINUX)
                                    .inbound("in", new Labelled.In())
                                    .outbound(way)
                                    .outbound(Ways.through("block", new Ways.Block(), null))
                                    .outbound(
                                            Ways.through(
                                                    "straight",
                                                    Ways.direct("straight").protocol(),
                                                    "block"))
                                    .start()) {
                send(client, rig, 1, "127.0.0.1", 9, "x");
                Eventually.await(Rig.PATIENCE, () -> rig.counters().datagramFlowsClosed == 1);
            }
        }
    }

    private static Destination nowhere() {
        return new Destination(Host.parse("127.0.0.1"), 9);
    }

    private static Rig labelled(Driver driver) {
        return Rig.on(driver).inbound("in", new Labelled.In()).outbound(Ways.direct("direct"));
    }

    private static Rig forwarding(Driver driver, int port) {
        Map<String, Object> options =
                Map.of("network", "udp", "override_address", "127.0.0.1", "override_port", port);
        return Rig.on(driver)
                .inbound("in", Ways.inbound("direct", options))
                .outbound(Ways.direct("direct"));
    }

    private static void send(Udp client, Rig rig, int session, String host, int port, String text)
            throws Exception {
        Endpoint at = rig.at("in");
        client.send(
                at, Labelled.packet(session, host, port, text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String shown(Udp.Got got) {
        return Labelled.shown(got.bytes(), got.bytes().length);
    }

    /// Flows that are not idle yet end with their port.
    private static void endDatagrams(Rig rig) {
        rig.without("in").reload();
        rig.awaitIdle();
    }
}
