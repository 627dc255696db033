package sluice.lab.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;
import sluice.engine.plan.InboundPlan;
import sluice.policy.limit.Admission;
import sluice.policy.limit.LimitOptions;
import sluice.protocol.ProtocolCatalog;
import sluice.protocol.spi.Inbound;
import sluice.testkit.Eventually;

/// Taking connections: as many as allowed, as fast as possible, and not at any price.
final class ListenTest {

    private static final int NONE = LimitOptions.NONE;

    /// Fails accepts while the test says so.
    private static final class Shortage extends DriverShell {
        private final AtomicInteger errno;
        private final AtomicInteger refused;

        Shortage(LoopDriver inner, AtomicInteger errno, AtomicInteger refused) {
            super(inner);
            this.errno = errno;
            this.refused = refused;
        }

        @Override
        public int accept(int listener) {
            int error = errno.get();
            if (error == 0) {
                return super.accept(listener);
            }
            refused.incrementAndGet();
            return -error;
        }
    }

    /// ENETDOWN stands for errors that nobody thought of.
    @ParameterizedTest
    @CsvSource({"LINUX, 24", "PORTABLE, 24", "LINUX, 105", "LINUX, 100"})
    void aShortageOfFilesIsWaitedOut(Driver driver, int error) throws Exception {
        AtomicInteger errno = new AtomicInteger(error);
        AtomicInteger refused = new AtomicInteger();
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("in", Forward.to(origin.destination()))
                                .outbound(Ways.direct("direct"))
                                .shell(inner -> new Shortage(inner, errno, refused))
                                .start()) {
            Socket client = rig.connect("in");
            Eventually.await(Rig.PATIENCE, () -> refused.get() > 0);
            Duration before = Cpu.ofLoops();
            Thread.sleep(1_000);
            assertThat(Cpu.ofLoops().minus(before)).isLessThan(Duration.ofMillis(100));
            assertThat(rig.counters().acceptsFailed).isBetween(3L, 15L);

            errno.set(0);
            try (Socket server = origin.accept()) {
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
            }
            client.close();
        }
    }

    /// A connection that is gone before it is taken costs nobody else anything.
    @Test
    void aConnectionThatWasAbortedIsPassedOver() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(Driver.LINUX)
                                .inbound("in", Forward.to(origin.destination()))
                                .outbound(Ways.direct("direct"))
                                .shell(inner ->
                                        new DriverShell(inner) {
                                            @Override
                                            public int accept(int listener) {
                                                return turn.getAndIncrement() % 3 < 2
                                                        ? -Errno.ECONNABORTED
                                                        : super.accept(listener);
                                            }
                                        })
                                .start()) {
            try (Socket client = rig.connect("in");
                    Socket server = origin.accept()) {
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
            }
            assertThat(rig.counters().acceptsFailed).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void connectionsBeyondALimitAreReset(Driver driver) throws Exception {
        LimitOptions[] limits = {
            new LimitOptions(3, NONE, NONE, NONE), new LimitOptions(NONE, 3, NONE, NONE)
        };
        for (LimitOptions each : limits) {
            try (Acceptor origin = new Acceptor();
                    Rig rig =
                            Rig.on(driver)
                                    .inbound("in", Forward.to(origin.destination()))
                                    .outbound(Ways.direct("direct"))
                                    .limits(each)
                                    .start()) {
                List<Socket> sockets = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    sockets.add(rig.connect("in"));
                    sockets.add(origin.accept());
                }
                try (Socket beyond = rig.connect("in")) {
                    assertThat(Tcp.end(beyond)).isEqualTo(Tcp.End.RESET);
                }
                assertThat(rig.counters().refusedByLimit).isOne();
                sockets.removeFirst().close();
                sockets.removeFirst().close();
                Eventually.await(Rig.PATIENCE, () -> rig.engine().conversations() == 2);
                sockets.add(rig.connect("in"));
                sockets.add(origin.accept());
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void unfinishedHandshakesHaveALimitOfTheirOwn(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("in", new Xor.In(Set.of("alice")))
                                .outbound(Ways.direct("direct"))
                                .limits(new LimitOptions(NONE, NONE, NONE, 1))
                                .start()) {
            try (Socket first = rig.connect("in")) {
                Eventually.await(Rig.PATIENCE, () -> rig.engine().conversations() == 1);
                try (Socket beyond = rig.connect("in")) {
                    assertThat(Tcp.end(beyond)).isEqualTo(Tcp.End.RESET);
                }
                first.getOutputStream().write(Xor.hello(origin.destination(), "alice"));
                try (Socket _ = origin.accept();
                        Socket second = rig.connect("in")) {
                    Eventually.await(Rig.PATIENCE, () -> rig.engine().conversations() == 2);
                    assertThat(Tcp.isSilent(second, 100)).isTrue();
                }
            }
        }
    }

    /// The front's own address counts for nobody but the front.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void behindAFrontClientsAreCountedByTheirOwnAddresses(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound(behindFront(Forward.to(origin.destination())))
                                .outbound(Ways.direct("direct"))
                                .limits(new LimitOptions(NONE, 1, NONE, NONE))
                                .start()) {
            Admission admission = rig.engine().admission();
            try (Socket alice = rig.connect("in");
                    Socket bob = rig.connect("in");
                    Socket again = rig.connect("in")) {
                Eventually.await(Rig.PATIENCE, () -> rig.engine().conversations() == 3);
                assertThat(admission.addresses()).isZero();
                introduce(alice, "192.0.2.1");
                try (Socket _ = origin.accept()) {
                    introduce(bob, "192.0.2.2");
                    try (Socket _ = origin.accept()) {
                        assertThat(admission.addresses()).isEqualTo(2);
                        introduce(again, "192.0.2.1");
                        assertThat(Tcp.end(again)).isEqualTo(Tcp.End.RESET);
                        assertThat(rig.counters().refusedByLimit).isOne();
                        Eventually.await(Rig.PATIENCE, () -> admission.connections() == 2);
                        assertThat(admission.connectionsOf(IpAddress.parseOrNull("192.0.2.1")))
                                .isOne();
                        assertThat(admission.connectionsOf(IpAddress.LOOPBACK_V4)).isZero();
                    }
                }
            }
            rig.awaitIdle();
            assertThat(admission.addresses()).isZero();
            try (Socket front = rig.connect("in")) {
                front.getOutputStream().write("PROXY UNKNOWN\r\nx".getBytes(US_ASCII));
                try (Socket _ = origin.accept()) {
                    assertThat(admission.connectionsOf(IpAddress.LOOPBACK_V4)).isOne();
                }
            }
        }
    }

    private static void introduce(Socket socket, String address) throws IOException {
        String line = "PROXY TCP4 " + address + " 192.0.2.9 1 2\r\nx";
        socket.getOutputStream().write(line.getBytes(US_ASCII));
    }

    private static InboundPlan behindFront(Inbound protocol) {
        InboundPlan plan = Rig.inboundPlan("in", protocol);
        return new InboundPlan(
                plan.tag(),
                plan.at(),
                plan.listen(),
                _ -> ProtocolCatalog.proxyProtocol(true),
                plan.protocol(),
                plan.identity(),
                plan.handshakeNanos(),
                plan.datagramIdleNanos());
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void otherLimitsHoldFromTheNextConnectionOn(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("in", Forward.to(origin.destination()))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            try (Socket first = rig.connect("in");
                    Socket server = origin.accept()) {
                rig.engine().admission().follow(new LimitOptions(NONE, 1, NONE, NONE));
                try (Socket beyond = rig.connect("in")) {
                    assertThat(Tcp.end(beyond)).isEqualTo(Tcp.End.RESET);
                }
                first.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
                rig.engine().admission().follow(LimitOptions.UNLIMITED);
                try (Socket _ = rig.connect("in");
                        Socket next = origin.accept()) {
                    assertThat(next.isConnected()).isTrue();
                }
            }
        }
    }

    /// One deadline for the whole handshake, however its bytes trickle.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aClientThatDoesNotFinishItsHandshakeIsLetGo(Driver driver) throws Exception {
        InboundPlan plan = Rig.inboundPlan("in", new Xor.In(Set.of("alice")));
        try (Rig rig =
                Rig.on(driver)
                        .inbound(
                                Rig.withTimes(plan, Duration.ofMillis(600), Duration.ofSeconds(60)))
                        .outbound(Ways.direct("direct"))
                        .start()) {
            long before = System.nanoTime();
            try (Socket silent = rig.connect("in");
                    Socket slow = rig.connect("in")) {
                Work<Boolean> trickle =
                        Work.of(() -> {
                            slow.getOutputStream().write(0);
                            slow.getOutputStream().write(200);
                            while (rig.engine().conversations() > 0) {
                                Thread.sleep(50);
                                slow.getOutputStream().write(1);
                            }
                            return true;
                        });
                Tcp.end(silent);
                assertThat(Duration.ofNanos(System.nanoTime() - before))
                        .isBetween(Duration.ofMillis(500), Duration.ofSeconds(5));
                Tcp.end(slow);
                Eventually.await(Rig.PATIENCE, () -> !trickle.isGoingOn());
            }
            rig.awaitIdle();
            assertThat(rig.counters().peerFaults).isEqualTo(2);
        }
    }

    /// What a stranger sends is swallowed until the handshake's time is over, so that the time
    /// tells nothing.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aStrangerIsListenedToForTheTimeOfAHandshake(Driver driver) throws Exception {
        InboundPlan plan = Rig.inboundPlan("in", new Xor.In(Set.of("alice")));
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound(
                                        Rig.withTimes(
                                                plan,
                                                Duration.ofMillis(800),
                                                Duration.ofSeconds(60)))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            try (Socket stranger = rig.connect("in")) {
                long before = System.nanoTime();
                stranger.getOutputStream().write(Xor.hello(origin.destination(), "mallory"));
                Eventually.await(Rig.PATIENCE, () -> rig.counters().peerFaults == 1);
                rig.awaitIdle();
                stranger.getOutputStream().write(new byte[500_000]);
                assertThat(Tcp.end(stranger)).isNotNull();
                assertThat(Duration.ofNanos(System.nanoTime() - before))
                        .isBetween(Duration.ofMillis(700), Duration.ofSeconds(5));
            }
        }
    }

    /// The closing side says something and then FIN; that must not be lost to a reset, whatever
    /// still comes in.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void theLastWordsOfAServerArrive(Driver driver) throws Exception {
        try (Rig rig =
                Rig.on(driver)
                        .inbound("in", new Through.In(LastWords::new))
                        .outbound(Ways.direct("direct"))
                        .start()) {
            for (int i = 0; i < 20; i++) {
                try (Socket client = rig.connect("in")) {
                    client.getOutputStream().write(new byte[40_000]);
                    byte[] got = client.getInputStream().readAllBytes();
                    assertThat(got).hasSize(LastWords.BYTES);
                }
            }
        }
    }

    /// Answers anything with a page and closes, as a server does that refuses.
    private static final class LastWords extends Through {
        static final int BYTES = 200_000;

        @Override
        public void onBytes(
                sluice.base.buf.Buf in, long nowNanos, sluice.base.machine.Effects out) {
            in.consume(1);
            sluice.base.buf.Buf page = out.acquire(BYTES);
            page.extend(BYTES);
            out.send(page);
            out.close();
        }
    }

    /// A page for a client that reads slowly takes longer than the moment that a closing leg waits
    /// for its FIN.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aSlowClientGetsTheLastWordsToo(Driver driver) throws Exception {
        Stalls.Valve valve = new Stalls.Valve();
        try (Rig rig =
                Rig.on(driver)
                        .inbound("in", new Through.In(LastWords::new))
                        .outbound(Ways.direct("direct"))
                        .shell(valve::shell)
                        .start()) {
            try (Socket client = rig.connect("in")) {
                client.getOutputStream().write(1);
                rig.awaitIdle();
                Thread.sleep(1_500);
                valve.open();
                assertThat(client.getInputStream().readAllBytes()).hasSize(LastWords.BYTES);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aStormOfConnectionsIsTaken(Driver driver) throws Exception {
        int clients = 1_000;
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(driver)
                                .inbound("in", Forward.to(origin.destination()))
                                .outbound(Ways.direct("direct"))
                                .start()) {
            Work<Integer> echoing =
                    Work.of(() -> {
                        for (int i = 0; i < clients; i++) {
                            try (Socket server = origin.accept()) {
                                server.getOutputStream().write(server.getInputStream().read());
                            }
                        }
                        return clients;
                    });
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                Socket client = rig.connect("in");
                client.getOutputStream().write(i);
                sockets.add(client);
            }
            for (int i = 0; i < clients; i++) {
                assertThat(sockets.get(i).getInputStream().read()).isEqualTo(i & 0xff);
                sockets.get(i).close();
            }
            assertThat(echoing.result()).isEqualTo(clients);
        }
    }
}
