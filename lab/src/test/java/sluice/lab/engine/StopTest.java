package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.testkit.Eventually;

/// Stopping: listeners at once, flows in their time, everything in the end.
final class StopTest {

    @ParameterizedTest
    @EnumSource(Driver.class)
    void flowsMayFinishWhileNobodyElseComesIn(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig = rig(driver, origin).start()) {
            Endpoint at = rig.at("in");
            try (Socket client = rig.connect("in");
                    Socket server = origin.accept()) {
                Work<Duration> stopping = stopping(rig, Duration.ofSeconds(30));
                awaitRefusal(at);
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
                Pattern.send(server.getOutputStream(), 1, 300_000);
                server.shutdownOutput();
                assertThat(Pattern.receive(client.getInputStream(), 1)).isEqualTo(300_000);
                assertThat(stopping.isGoingOn()).isTrue();
                client.shutdownOutput();
                assertThat(stopping.result()).isLessThan(Duration.ofSeconds(10));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void whatIsLeftAfterTheDrainIsReset(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig = rig(driver, origin)) {
            rig.names().with("slow.test", "127.0.0.1").hold();
            rig.inbound("stuck", Forward.to(new Destination(new DomainName("slow.test"), 9)))
                    .inbound("labelled", new Labelled.In())
                    .start();
            List<Socket> clients = new ArrayList<>();
            List<Socket> servers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                clients.add(rig.connect("in"));
                servers.add(origin.accept());
            }
            clients.add(rig.connect("stuck"));
            try (Udp datagrams = new Udp()) {
                datagrams.send(
                        rig.at("labelled"), Labelled.packet(1, "127.0.0.1", 9, new byte[] {1}));
                Eventually.await(Rig.PATIENCE, () -> rig.engine().conversations() == 102);
            }
            assertThat(stopping(rig, Duration.ofMillis(500)).result())
                    .isBetween(Duration.ofMillis(450), Duration.ofSeconds(8));
            for (Socket client : clients) {
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
                client.close();
            }
            for (Socket server : servers) {
                assertThat(Tcp.end(server)).isEqualTo(Tcp.End.RESET);
                server.close();
            }
            assertThat(Cpu.loops()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void anEngineWithoutFlowsStopsAtOnceAndItsPortIsFree(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor()) {
            Endpoint at;
            try (Rig rig = rig(driver, origin).start()) {
                at = rig.at("in");
                try (Socket client = rig.connect("in");
                        Socket server = origin.accept()) {
                    client.getOutputStream().write(1);
                    assertThat(server.getInputStream().read()).isOne();
                }
                rig.awaitIdle();
                assertThat(stopping(rig, Duration.ofSeconds(30)).result())
                        .isLessThan(Duration.ofSeconds(5));
            }
            try (Rig rig = Rig.on(driver).outbound(Ways.direct("direct"))) {
                rig.inbound(Rig.inboundPlan("in", Forward.to(origin.destination()), at)).start();
                try (Socket client = rig.connect("in");
                        Socket server = origin.accept()) {
                    client.getOutputStream().write(1);
                    assertThat(server.getInputStream().read()).isOne();
                }
            }
        }
    }

    /// The last bytes of a flow that has ended are on their way while the process would like to go.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void theLastBytesOfAnEndedFlowLeaveBeforeTheStop(Driver driver) throws Exception {
        Stalls.Valve valve = new Stalls.Valve();
        try (Rig rig =
                Rig.on(driver)
                        .inbound("in", new Through.In(Farewell::new))
                        .outbound(Ways.direct("direct"))
                        .shell(valve::shell)
                        .start()) {
            try (Socket client = rig.connect("in")) {
                client.getOutputStream().write(1);
                rig.awaitIdle();
                Work<Duration> stopping = stopping(rig, Duration.ofSeconds(30));
                Thread.sleep(300);
                assertThat(stopping.isGoingOn()).isTrue();
                valve.open();
                assertThat(client.getInputStream().readAllBytes()).hasSize(1);
                client.shutdownOutput();
                assertThat(stopping.result()).isLessThan(Duration.ofSeconds(10));
            }
        }
    }

    /// Says one byte and closes.
    private static final class Farewell extends Through {
        @Override
        public void onBytes(
                sluice.base.buf.Buf in, long nowNanos, sluice.base.machine.Effects out) {
            in.consume(in.length());
            send(out, 'x');
            out.close();
        }
    }

    private static Rig rig(Driver driver, Acceptor origin) {
        return Rig.on(driver)
                .inbound("in", Forward.to(origin.destination()))
                .outbound(Ways.direct("direct"));
    }

    private static Work<Duration> stopping(Rig rig, Duration drain) {
        return Work.of(() -> {
            long before = System.nanoTime();
            rig.stop(drain);
            return Duration.ofNanos(System.nanoTime() - before);
        });
    }

    private static void awaitRefusal(Endpoint at) {
        Eventually.await(Rig.PATIENCE, () -> Tcp.isRefused(at));
    }
}
