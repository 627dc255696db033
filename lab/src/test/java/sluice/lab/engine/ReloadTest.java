package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.base.fault.SystemFault;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.engine.plan.InboundPlan;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;

/// Following another plan while flows go on.
final class ReloadTest {

    @ParameterizedTest
    @EnumSource(Driver.class)
    void listenersAndFlowsStayAndNewFlowsFollowTheNewPlan(Driver driver) throws Exception {
        try (Acceptor before = new Acceptor();
                Acceptor after = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("in", Forward.to(before.destination()))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            Endpoint at = rig.at("in");
            try (Socket client = rig.connect("in");
                    Socket server = before.accept()) {
                rig.inbound("in", Forward.to(after.destination())).reload();
                assertThat(rig.at("in")).isEqualTo(at);
                try (Socket next = rig.connect("in");
                        Socket other = after.accept()) {
                    next.getOutputStream().write(1);
                    assertThat(other.getInputStream().read()).isOne();
                }
                client.getOutputStream().write(2);
                assertThat(server.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void flowsOfAUserWhoIsGoneEndAndOthersStay(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("xor", new Xor.In(Set.of("alice", "bob")))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            try (Socket alice = rig.connect("xor");
                    Socket bob = rig.connect("xor");
                    Socket late = rig.connect("xor")) {
                alice.getOutputStream().write(Xor.hello(origin.destination(), "alice"));
                try (Socket toAlice = origin.accept()) {
                    bob.getOutputStream().write(Xor.hello(origin.destination(), "bob"));
                    try (Socket toBob = origin.accept()) {
                        assertThat(bob.getInputStream().readNBytes(3)).hasSize(3);
                        awaitConversations(rig, 3);
                        rig.inbound("xor", new Xor.In(Set.of("bob"))).reload();

                        assertThat(Tcp.end(alice)).isEqualTo(Tcp.End.RESET);
                        assertThat(Tcp.end(toAlice)).isEqualTo(Tcp.End.RESET);
                        late.getOutputStream().write(Xor.hello(origin.destination(), "alice"));
                        assertThat(Tcp.end(late)).isEqualTo(Tcp.End.RESET);
                        assertThat(rig.engine().conversations()).isOne();
                        toBob.getOutputStream().write(7);
                        assertThat(bob.getInputStream().readNBytes(3)).hasSize(3);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void flowsOfAUserWhoseSecretHasChangedEndAndASecretThatStaysKeepsThem(Driver driver)
            throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("xor", new Xor.In(Set.of("alice"), "one"))
                                .outbound(Ways.direct("direct"))
                                .start();
                Socket alice = rig.connect("xor");
                Socket late = rig.connect("xor")) {
            alice.getOutputStream().write(Xor.hello(origin.destination(), "alice"));
            try (Socket server = origin.accept()) {
                assertThat(alice.getInputStream().readNBytes(3)).hasSize(3);
                awaitConversations(rig, 2);
                rig.inbound("xor", new Xor.In(Set.of("alice", "bob"), "one")).reload();
                server.getOutputStream().write(7);
                assertThat(alice.getInputStream().readNBytes(3)).hasSize(3);

                rig.inbound("xor", new Xor.In(Set.of("alice", "bob"), "two")).reload();
                assertThat(Tcp.end(alice)).isEqualTo(Tcp.End.RESET);
                assertThat(Tcp.end(server)).isEqualTo(Tcp.End.RESET);
                late.getOutputStream().write(Xor.hello(origin.destination(), "alice"));
                assertThat(Tcp.end(late)).isEqualTo(Tcp.End.RESET);
            }
        }
    }

    private static void awaitConversations(Rig rig, int count) {
        Eventually.await(Rig.PATIENCE, () -> rig.engine().conversations() == count);
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void streamsOfAnInboundThatIsGoneGoOn(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("in", Forward.to(origin.destination()))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            Endpoint at = rig.at("in");
            try (Socket client = rig.connect("in");
                    Socket server = origin.accept()) {
                rig.without("in").without("direct").reload();
                Eventually.await(Rig.PATIENCE, () -> Tcp.isRefused(at));
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
                server.getOutputStream().write(2);
                assertThat(client.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void anAddressThatIsTakenLeavesTheOldPlanWhole(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Acceptor taken = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("in", Forward.to(origin.destination()))
                                .inbound("gone", Forward.to(origin.destination()))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            long before = Rig.descriptors();
            Endpoint gone = rig.at("gone");
            rig.inbound("in", Forward.to(new Destination(IpAddress.LOOPBACK_V4, 9)));
            rig.inbound("free", Forward.to(origin.destination()));
            rig.without("gone");
            // In the way of the one that leaves, which has to close first.
            rig.inbound(fixed("renamed", Forward.to(origin.destination()), gone, 77));
            Endpoint busy = new Endpoint(IpAddress.LOOPBACK_V4, taken.port());
            rig.inbound(fixed("busy", Forward.to(origin.destination()), busy, 0));

            assertThatThrownBy(rig::reload)
                    .isInstanceOfSatisfying(
                            SystemFault.class,
                            fault -> assertThat(fault.errno()).isEqualTo(Errno.EADDRINUSE))
                    .hasMessageContaining(busy.toString());

            assertThat(rig.engine().boundTo("free")).isEmpty();
            assertThat(rig.engine().boundTo("busy")).isEmpty();
            assertThat(rig.engine().boundTo("renamed")).isEmpty();
            assertThat(rig.at("gone")).isEqualTo(gone);
            Eventually.await(Rig.PATIENCE, () -> Rig.descriptors() == before);
            for (String tag : List.of("in", "gone")) {
                try (Socket client = rig.connect(tag);
                        Socket server = origin.accept()) {
                    client.getOutputStream().write(1);
                    assertThat(server.getInputStream().read()).isOne();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void anInboundMayTakeOverTheAddressOfAnother(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("old", Forward.to(origin.destination()))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            Endpoint at = rig.at("old");
            rig.without("old")
                    .inbound(fixed("new", Forward.to(origin.destination()), at, 0))
                    .reload();
            assertThat(rig.at("new")).isEqualTo(at);

            // Other options for the same address need another socket.
            rig.inbound(fixed("new", Forward.to(origin.destination()), at, 77)).reload();
            assertThat(rig.at("new")).isEqualTo(at);

            // The same with the port alone in common.
            Endpoint any = new Endpoint(IpAddress.ANY_V4, at.port());
            rig.inbound(fixed("new", Forward.to(origin.destination()), any, 77)).reload();
            assertThat(rig.at("new")).isEqualTo(any);
            try (Socket client = new Socket("127.0.0.1", at.port());
                    Socket server = origin.accept()) {
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void anInboundMayAlsoTakeDatagramsAtItsAddress(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp client = new Udp();
                Acceptor streams = new Acceptor();
                Rig rig = Rig.on(driver).outbound(Ways.direct("direct"))) {
            Endpoint at = new Endpoint(IpAddress.LOOPBACK_V4, Ports.both());
            rig.inbound(fixed("in", forwarding("tcp", streams.port()), at, 0)).start();
            rig.inbound(fixed("in", forwarding("udp", origin.port()), at, 0)).reload();
            client.send(at, "x");
            Udp.Got got = origin.receive();

            // Another target for later flows; this one goes on with its socket.
            rig.inbound(fixed("in", forwarding("udp", 9), at, 0)).reload();
            origin.send(got.from(), "y");
            assertThat(client.receive().text()).isEqualTo("y");

            rig.inbound(fixed("in", forwarding("tcp", streams.port()), at, 0)).reload();
            try (Socket stream = rig.connect("in");
                    Socket server = streams.accept()) {
                stream.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
            }
            assertThat(rig.counters().datagramFlowsClosed).isOne();
        }
    }

    private static sluice.protocol.spi.Inbound forwarding(String network, int port) {
        return Ways.inbound(
                "direct",
                Map.of("network", network, "override_address", "127.0.0.1", "override_port", port));
    }

    /// An address that comes up later is tried again, also when a reload came between.
    @Test
    void anAddressThatIsNotThereYetIsTriedAgain() throws Exception {
        Map<IpAddress, Boolean> absent = new ConcurrentHashMap<>();
        IpAddress later = IpAddress.parseOrNull("127.0.0.9");
        absent.put(later, true);
        try (Acceptor origin = new Acceptor();
                Rig rig = Rig.on(Driver.LINUX).outbound(Ways.direct("direct"))) {
            Endpoint here = new Endpoint(IpAddress.LOOPBACK_V4, Ports.tcp());
            Endpoint there = new Endpoint(later, Ports.tcp());
            InboundPlan plan = Rig.inboundPlan("in", Forward.to(origin.destination()), here);
            rig.inbound(
                            new InboundPlan(
                                    plan.tag(),
                                    List.of(here, there),
                                    plan.listen(),
                                    null,
                                    plan.protocol(),
                                    plan.identity(),
                                    plan.handshakeNanos(),
                                    plan.datagramIdleNanos()))
                    .shell(inner ->
                            new DriverShell(inner) {
                                @Override
                                public int listen(Endpoint at, ListenOptions options) {
                                    return absent.containsKey(at.address())
                                            ? -Errno.EADDRNOTAVAIL
                                            : super.listen(at, options);
                                }
                            })
                    .start();
            assertThat(rig.engine().boundTo("in")).containsExactly(here);
            assertThat(rig.engine().retryLate()).isTrue();
            rig.reload();
            assertThat(rig.engine().boundTo("in")).containsExactly(here);
            assertThat(rig.engine().retryLate()).isTrue();

            absent.clear();
            assertThat(rig.engine().retryLate()).isFalse();
            assertThat(rig.engine().boundTo("in")).containsExactly(here, there);
            rig.reload();
            assertThat(rig.engine().boundTo("in")).containsExactly(here, there);
            try (Socket client = new Socket("127.0.0.9", there.port());
                    Socket server = origin.accept()) {
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aHundredReloadsLeaveNothingBehind(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("in", Forward.to(origin.destination()))
                                .inbound("datagrams", new Labelled.In())
                                .outbound(Ways.direct("direct"))
                                .start()) {
            try (Socket client = rig.connect("in");
                    Socket server = origin.accept()) {
                rig.reload();
                long descriptors = Rig.descriptors();
                long threads = Cpu.loops();
                Work<Long> download =
                        Work.of(() -> {
                            long sent = 0;
                            for (int i = 0; i < 300; i++) {
                                server.getOutputStream().write(i);
                                sent++;
                                Thread.sleep(2);
                            }
                            server.shutdownOutput();
                            return sent;
                        });
                for (int i = 0; i < 100; i++) {
                    rig.inbound("in", Forward.to(origin.destination()));
                    if (i % 2 == 0) {
                        rig.inbound("more", Forward.to(origin.destination()));
                        rig.inbound("datagrams", new Labelled.In());
                    } else {
                        rig.without("more");
                    }
                    rig.reload();
                }
                // A selector closes what it watched in its own time.
                Eventually.await(Rig.PATIENCE, () -> Rig.descriptors() == descriptors);
                assertThat(Cpu.loops()).isEqualTo(threads);
                for (int i = 0; i < 300; i++) {
                    assertThat(client.getInputStream().read()).isEqualTo(i & 0xff);
                }
                assertThat(client.getInputStream().read()).isEqualTo(-1);
                assertThat(download.result()).isEqualTo(300);
            }
        }
    }

    /// The plan is looked at more than once while a flow opens; a reload between two looks must not
    /// matter.
    @Test
    void aFlowFollowsOnePlanWhileItOpens() throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig = Rig.on(Driver.LINUX).outbound(Ways.direct("first"))) {
            rig.names().with("slow.test", "127.0.0.1").hold();
            Forward forward =
                    Forward.to(
                            new Destination(
                                    new sluice.base.net.DomainName("slow.test"), origin.port()));
            rig.rules(Ways.resolveAll()).inbound("in", forward).start();
            try (Socket client = rig.connect("in")) {
                Eventually.await(Rig.PATIENCE, () -> !rig.names().asked().isEmpty());
                rig.without("first").outbound(Ways.direct("second")).rules().reload();
                rig.names().release();
                try (Socket server = origin.accept()) {
                    client.getOutputStream().write(1);
                    assertThat(server.getInputStream().read()).isOne();
                }
            }
        }
    }

    /// Listens exactly there.
    ///
    /// @param backlog 0 for the default; another value makes options that differ
    private static InboundPlan fixed(
            String tag, sluice.protocol.spi.Inbound protocol, Endpoint at, int backlog) {
        InboundPlan plan = Rig.inboundPlan(tag, protocol, at);
        ListenOptions plain = ListenOptions.DEFAULT;
        ListenOptions other = Ways.withBacklog(plain, backlog == 0 ? plain.backlog() : backlog);
        return new InboundPlan(
                tag,
                plan.at(),
                other,
                null,
                protocol,
                protocol,
                plan.handshakeNanos(),
                plan.datagramIdleNanos());
    }
}
