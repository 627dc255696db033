package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.engine.plan.OutboundPlan;
import sluice.policy.route.Decision;
import sluice.policy.route.RuleAction;
import sluice.testkit.Eventually;

/// From what a client asks for to a target that is connected, or a reason why not.
final class OpeningTest {

    private final Map<IpAddress, Integer> deadEnds = new ConcurrentHashMap<>();
    private final AtomicInteger attempts = new AtomicInteger();

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aRequestThatEndsBeforeItsTargetIsThereArrivesWhole(Driver driver) throws Exception {
        for (boolean stays : List.of(false, true)) {
            try (Acceptor origin = new Acceptor()) {
                Forward forward = Forward.to(named("slow.test", origin.port()));
                try (Rig rig =
                        Rig.on(driver)
                                .inbound("in", stays ? forward.staying() : forward)
                                .outbound(Ways.direct("direct"))) {
                    rig.names().with("slow.test", "127.0.0.1").hold();
                    rig.start();
                    try (Socket client = rig.connect("in")) {
                        Pattern.send(client.getOutputStream(), 1, 100_000);
                        client.shutdownOutput();
                        Thread.sleep(200);
                        rig.names().release();
                        try (Socket server = origin.accept()) {
                            assertThat(Pattern.receive(server.getInputStream(), 1))
                                    .isEqualTo(100_000);
                            Pattern.send(server.getOutputStream(), 2, 100_000);
                        }
                        assertThat(Pattern.receive(client.getInputStream(), 2)).isEqualTo(100_000);
                    }
                }
                assertThat(forward.outcomes()).containsExactly(OpenOutcome.OK);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aClosedPortIsToldAsRefused(Driver driver) throws Exception {
        int port;
        try (Acceptor gone = new Acceptor()) {
            port = gone.port();
        }
        Forward forward = Forward.to(new Destination(IpAddress.LOOPBACK_V4, port));
        try (Rig rig = rig(driver, forward).start()) {
            try (Socket client = rig.connect("in")) {
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
            rig.awaitIdle();
            assertThat(forward.outcomes()).containsExactly(OpenOutcome.REFUSED);
            assertThat(rig.counters().dialsFailed).isOne();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ENETUNREACH, NETWORK_UNREACHABLE",
        "EHOSTUNREACH, HOST_UNREACHABLE",
        "ECONNREFUSED, REFUSED",
        "ETIMEDOUT, TIMED_OUT",
        "EACCES, DENIED",
        "EPERM, DENIED",
        "EMFILE, FAILED",
        "EADDRNOTAVAIL, FAILED",
        "ECONNRESET, FAILED",
    })
    void whatTheSystemSaysReachesTheMachine(String errno, OpenOutcome outcome) throws Exception {
        deadEnds.put(address("127.0.0.77"), Errno.class.getField(errno).getInt(null));
        assertThat(outcomeOf(Host.parse("127.0.0.77"), 80, Ways.direct("direct")))
                .isEqualTo(outcome);
    }

    @Test
    void aNameWithoutAddressIsAnUnreachableHost() throws Exception {
        assertThat(outcomeOf(new DomainName("nowhere.test"), 80, Ways.direct("direct")))
                .isEqualTo(OpenOutcome.HOST_UNREACHABLE);
    }

    @Test
    void portZeroCannotBeDialled() throws Exception {
        assertThat(outcomeOf(IpAddress.LOOPBACK_V4, 0, Ways.direct("direct")))
                .isEqualTo(OpenOutcome.FAILED);
        assertThat(attempts).hasValue(0);
    }

    @Test
    void anOutboundThatBlocksDenies() throws Exception {
        assertThat(
                        outcomeOf(
                                IpAddress.LOOPBACK_V4,
                                80,
                                Ways.through("block", new Ways.Block(), null)))
                .isEqualTo(OpenOutcome.DENIED);
    }

    @Test
    void aRuleThatRejectsDenies() throws Exception {
        Forward forward = Forward.to(new Destination(IpAddress.LOOPBACK_V4, 80));
        try (Rig rig = rig(Driver.LINUX, forward)) {
            rig.rules(Ways.always(new RuleAction.Reject(Decision.Refuse.How.REJECT))).start();
            try (Socket client = rig.connect("in")) {
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
        }
        assertThat(forward.outcomes()).containsExactly(OpenOutcome.DENIED);
    }

    @Test
    void aRuleThatDropsTellsNobody() throws Exception {
        Forward forward = Forward.to(new Destination(IpAddress.LOOPBACK_V4, 80));
        try (Rig rig = rig(Driver.LINUX, forward)) {
            rig.rules(Ways.always(new RuleAction.Reject(Decision.Refuse.How.DROP))).start();
            try (Socket client = rig.connect("in")) {
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
        }
        assertThat(forward.outcomes()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void anAddressThatNeverAnswersTimesOut(Driver driver) throws Exception {
        deadEnds.put(address("127.0.0.77"), DeadEnds.SILENT);
        Forward forward = Forward.to(new Destination(address("127.0.0.77"), 80));
        try (Rig rig =
                Rig.on(driver)
                        .inbound("in", forward)
                        .outbound(Ways.direct("direct", withTimeout(Duration.ofMillis(400))))
                        .shell(inner -> new DeadEnds(inner, deadEnds, attempts))
                        .start()) {
            long before = System.nanoTime();
            try (Socket client = rig.connect("in")) {
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isBetween(Duration.ofMillis(400), Duration.ofSeconds(5));
        }
        assertThat(forward.outcomes()).containsExactly(OpenOutcome.TIMED_OUT);
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void theNextAddressIsTriedBesideOneThatDoesNotAnswer(Driver driver) throws Exception {
        deadEnds.put(address("127.0.0.77"), DeadEnds.SILENT);
        try (Acceptor origin = new Acceptor()) {
            Forward forward = Forward.to(named("two.test", origin.port()));
            try (Rig rig = rig(driver, forward)) {
                rig.names().with("two.test", "127.0.0.77", "127.0.0.1");
                rig.start();
                long before = System.nanoTime();
                try (Socket client = rig.connect("in");
                        Socket server = origin.accept()) {
                    assertThat(Duration.ofNanos(System.nanoTime() - before))
                            .isBetween(Duration.ofMillis(240), Duration.ofMillis(2_500));
                    client.getOutputStream().write(1);
                    assertThat(server.getInputStream().read()).isOne();
                }
            }
            assertThat(forward.outcomes()).containsExactly(OpenOutcome.OK);
            assertThat(attempts).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void theNextAddressIsTriedAtOnceAfterARefusal(Driver driver) throws Exception {
        deadEnds.put(address("127.0.0.77"), Errno.ECONNREFUSED);
        deadEnds.put(address("127.0.0.78"), Errno.ENETUNREACH);
        try (Acceptor origin = new Acceptor("::1", 0)) {
            Forward forward = Forward.to(named("three.test", origin.port()));
            try (Rig rig = rig(driver, forward)) {
                rig.names().with("three.test", "127.0.0.77", "127.0.0.78", "::1", "127.0.0.79");
                rig.start();
                try (Socket client = rig.connect("in");
                        Socket server = origin.accept()) {
                    server.getOutputStream().write(2);
                    assertThat(client.getInputStream().read()).isEqualTo(2);
                }
            }
            assertThat(attempts).hasValue(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void whenNoAddressAnswersTheLastErrorIsTold(Driver driver) throws Exception {
        deadEnds.put(address("127.0.0.77"), DeadEnds.SILENT);
        deadEnds.put(address("127.0.0.78"), Errno.ECONNREFUSED);
        Forward forward = Forward.to(named("none.test", 80));
        try (Rig rig =
                Rig.on(driver)
                        .inbound("in", forward)
                        .outbound(Ways.direct("direct", withTimeout(Duration.ofMillis(500))))
                        .shell(inner -> new DeadEnds(inner, deadEnds, attempts))) {
            rig.names().with("none.test", "127.0.0.77", "127.0.0.78");
            rig.start();
            try (Socket client = rig.connect("in")) {
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
        }
        assertThat(forward.outcomes()).containsExactly(OpenOutcome.TIMED_OUT);
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aClientThatGoesAwayEndsItsDial(Driver driver) throws Exception {
        deadEnds.put(address("127.0.0.77"), DeadEnds.SILENT);
        Forward forward = Forward.to(new Destination(address("127.0.0.77"), 80));
        try (Rig rig = rig(driver, forward).start()) {
            Socket client = rig.connect("in");
            Eventually.await(Rig.PATIENCE, () -> attempts.get() == 1);
            Tcp.reset(client);
            rig.awaitIdle();
        }
        assertThat(forward.outcomes()).isEmpty();
    }

    /// A proxy that takes the connection and then says nothing.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aProxyThatClosesInsteadOfAnsweringFailsTheDialAtOnce(Driver driver) throws Exception {
        try (Acceptor proxy = new Acceptor()) {
            Forward forward = Forward.to(new Destination(IpAddress.LOOPBACK_V4, 80));
            try (Rig rig =
                    Rig.on(driver)
                            .inbound("in", forward)
                            .outbound(
                                    Ways.through(
                                            "proxy",
                                            new Through.Out(proxy.destination(), Closer::new),
                                            null))
                            .start()) {
                long before = System.nanoTime();
                try (Socket client = rig.connect("in")) {
                    proxy.accept().close();
                    assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
                }
                assertThat(Duration.ofNanos(System.nanoTime() - before))
                        .isLessThan(Duration.ofSeconds(5));
            }
            assertThat(forward.outcomes()).containsExactly(OpenOutcome.FAILED);
        }
    }

    /// Closes in order when its server has.
    private static final class Closer extends Through {
        @Override
        public void onEnd(long nowNanos, Effects out) {
            out.close();
        }
    }

    /// The answer of a proxy and the first bytes of the target may come in one piece.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void theClientHearsOfItsTargetBeforeTheTargetsFirstBytes(Driver driver) throws Exception {
        try (Acceptor proxy = new Acceptor()) {
            StreamOrder order = new StreamOrder();
            try (Rig rig =
                    Rig.on(driver)
                            .inbound("in", new Through.In(order::server))
                            .outbound(
                                    Ways.through(
                                            "proxy",
                                            new Through.Out(proxy.destination(), order::client),
                                            null))
                            .start()) {
                try (Socket client = rig.connect("in");
                        Socket server = proxy.accept()) {
                    server.getOutputStream().write("R banner".getBytes(StandardCharsets.US_ASCII));
                    server.shutdownOutput();
                    assertThat(
                                    new String(
                                            client.getInputStream().readAllBytes(),
                                            StandardCharsets.US_ASCII))
                            .isEqualTo("O banner");
                }
            }
        }
    }

    /// The machines of one test: `R` from the proxy means ready, `O` to the client means open.
    private static final class StreamOrder {

        StreamMachine server() {
            return new Through() {
                @Override
                public void onStart(long nowNanos, Effects out) {
                    out.open(new Destination(IpAddress.LOOPBACK_V4, 80), null);
                }

                @Override
                public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
                    send(out, 'O');
                }
            };
        }

        StreamMachine client() {
            return new Through() {
                private boolean isReady;

                @Override
                public void onBytes(Buf in, long nowNanos, Effects out) {
                    if (!isReady) {
                        isReady = true;
                        in.consume(1);
                        out.ready();
                    }
                    super.onBytes(in, nowNanos, out);
                }
            };
        }
    }

    /// Some machines deliver what they have understood and leave the rest to those behind them.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void whatAMachineLeavesComesBehindWhatItDelivered(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor()) {
            try (Rig rig =
                    Rig.on(driver)
                            .inbound("in", new Through.In(() -> new HalfEager(origin.port())))
                            .outbound(Ways.direct("direct"))) {
                rig.names().with("slow.test", "127.0.0.1").hold();
                rig.start();
                try (Socket client = rig.connect("in")) {
                    Pattern.send(client.getOutputStream(), 5, 50_000);
                    Eventually.await(Rig.PATIENCE, () -> rig.counters().upBytes == 1_000);
                    rig.names().release();
                    try (Socket server = origin.accept()) {
                        Pattern.send(client.getOutputStream(), 6, 10);
                        client.shutdownOutput();
                        InputStream in = server.getInputStream();
                        assertThat(Pattern.receive(in, 5, 0, 50_000)).isEqualTo(50_000);
                        assertThat(Pattern.receive(in, 6)).isEqualTo(10);
                    }
                }
            }
        }
    }

    /// Delivers its first 1,000 bytes before the target is there, and retires afterwards.
    private static final class HalfEager extends Through {
        private final int port;
        private boolean hasDelivered;

        HalfEager(int port) {
            this.port = port;
        }

        @Override
        public void onStart(long nowNanos, Effects out) {
            out.open(named("slow.test", port), null);
        }

        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {
            if (!hasDelivered && in.length() >= 1_000) {
                hasDelivered = true;
                deliver(in, 1_000, out);
            }
        }

        @Override
        public void onEnd(long nowNanos, Effects out) {}

        @Override
        public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
            out.becomeTransparent();
        }
    }

    /// A client that changes its mind: the answer about the first target comes when nobody asks any
    /// more.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aLateAnswerAboutAnEarlierTargetIsIgnored(Driver driver) throws Exception {
        try (Acceptor first = new Acceptor();
                Acceptor second = new Acceptor()) {
            List<Destination> targets =
                    List.of(named("first.test", first.port()), named("second.test", second.port()));
            try (Rig rig =
                    Rig.on(driver)
                            .inbound("in", new Through.In(() -> new Fickle(targets)))
                            .outbound(Ways.direct("direct"))
                            .rules(
                                    Ways.always(
                                            new RuleAction.Resolve(
                                                    sluice.policy.dns.Family.ANY)))) {
                rig.names().with("first.test", "127.0.0.1").with("second.test", "127.0.0.1").hold();
                rig.start();
                try (Socket client = rig.connect("in")) {
                    Eventually.await(Rig.PATIENCE, () -> rig.names().asked().size() == 1);
                    client.getOutputStream().write('!');
                    Eventually.await(Rig.PATIENCE, () -> rig.names().asked().size() == 2);
                    rig.names().release("first.test");
                    rig.names().release("second.test");
                    try (Socket server = second.accept()) {
                        client.getOutputStream().write('x');
                        assertThat(server.getInputStream().read()).isEqualTo('x');
                        assertThat(first.isAskedWithin(200)).isFalse();
                    }
                }
            }
        }
    }

    /// Opens its first target at once, and the second one when it is told.
    private static final class Fickle extends Through {
        private final List<Destination> targets;
        private boolean hasChanged;

        Fickle(List<Destination> targets) {
            this.targets = targets;
        }

        @Override
        public void onStart(long nowNanos, Effects out) {
            out.open(targets.getFirst(), null);
        }

        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {
            if (!hasChanged) {
                hasChanged = true;
                in.consume(1);
                out.detach();
                out.open(targets.getLast(), null);
            }
            super.onBytes(in, nowNanos, out);
        }
    }

    /// One client after the other through one stream, as HTTP does it.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aStreamMayHaveOneTargetAfterTheOther(Driver driver) throws Exception {
        try (Acceptor first = new Acceptor();
                Acceptor second = new Acceptor()) {
            List<Destination> targets = List.of(first.destination(), second.destination());
            try (Rig rig =
                    Rig.on(driver)
                            .inbound("in", new Through.In(() -> new Fickle(targets)))
                            .outbound(Ways.direct("direct"))
                            .start()) {
                try (Socket client = rig.connect("in");
                        Socket one = first.accept()) {
                    one.getOutputStream().write(1);
                    assertThat(client.getInputStream().read()).isOne();
                    client.getOutputStream()
                            .write("!to the second".getBytes(StandardCharsets.US_ASCII));
                    try (Socket two = second.accept()) {
                        byte[] got = new DataInputStream(two.getInputStream()).readNBytes(13);
                        assertThat(new String(got, StandardCharsets.US_ASCII))
                                .isEqualTo("to the second");
                        assertThat(Tcp.end(one)).isEqualTo(Tcp.End.FIN);
                        two.getOutputStream().write(2);
                        assertThat(client.getInputStream().read()).isEqualTo(2);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aPrefaceGoesAheadOfTheProtocol(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor()) {
            try (Rig rig = Rig.on(driver).outbound(Ways.direct("direct"))) {
                var plan = Rig.inboundPlan("in", new Xor.In(Set.of("alice")));
                rig.inbound(
                                new sluice.engine.plan.InboundPlan(
                                        plan.tag(),
                                        plan.at(),
                                        plan.listen(),
                                        _ -> new Swallow(5),
                                        plan.protocol(),
                                        plan.identity(),
                                        plan.handshakeNanos(),
                                        plan.datagramIdleNanos()))
                        .start();
                try (Socket client =
                        new Socket(InetAddress.getLoopbackAddress(), rig.at("in").port())) {
                    byte[] hello = Xor.hello(origin.destination(), "alice");
                    client.getOutputStream().write("12345".getBytes(StandardCharsets.US_ASCII));
                    for (byte each : hello) {
                        client.getOutputStream().write(each);
                    }
                    try (Socket server = origin.accept()) {
                        assertThat(client.getInputStream().readNBytes(3)).hasSize(3);
                        server.getOutputStream().write(1);
                        assertThat(client.getInputStream().readNBytes(3)).hasSize(3);
                    }
                    assertThat(Tcp.end(client)).isEqualTo(Tcp.End.FIN);
                }
            }
        }
    }

    /// Reads that many bytes and retires.
    private static final class Swallow extends Through {
        private final int bytes;

        Swallow(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {
            if (in.length() >= bytes) {
                in.consume(bytes);
                out.becomeTransparent();
            }
        }
    }

    private Rig rig(Driver driver, Forward forward) {
        return Rig.on(driver)
                .inbound("in", forward)
                .outbound(Ways.direct("direct"))
                .shell(inner -> new DeadEnds(inner, deadEnds, attempts));
    }

    private OpenOutcome outcomeOf(Host host, int port, OutboundPlan way) throws Exception {
        Forward forward = Forward.to(new Destination(host, port));
        try (Rig rig =
                Rig.on(Driver.LINUX)
                        .inbound("in", forward)
                        .outbound(way)
                        .shell(inner -> new DeadEnds(inner, deadEnds, attempts))
                        .start()) {
            try (Socket client = rig.connect("in")) {
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
        }
        assertThat(forward.outcomes()).hasSize(1);
        return forward.outcomes().getFirst();
    }

    private static DialOptions withTimeout(Duration timeout) {
        DialOptions plain = DialOptions.DEFAULT;
        return new DialOptions(
                plain.bindInterface(),
                plain.bindV4(),
                plain.bindV6(),
                plain.routingMark(),
                plain.reuseAddress(),
                timeout.toNanos(),
                plain.fastOpen(),
                plain.multipath(),
                plain.udpFragment(),
                plain.keepAliveIdleSeconds(),
                plain.keepAliveIntervalSeconds());
    }

    private static Destination named(String name, int port) {
        return new Destination(new DomainName(name), port);
    }

    private static IpAddress address(String text) {
        return IpAddress.parseOrNull(text);
    }
}
