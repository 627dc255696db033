package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.engine.Engine;
import sluice.testkit.Eventually;

/// A reader that is slow makes its sender slow, and costs neither memory nor time.
final class BackPressureTest {

    private static final long MEGABYTE = 1 << 20;

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void readersThatStallStopTheirSenders(Driver driver, Lane.Mode mode) throws Exception {
        AtomicBoolean isEnough = new AtomicBoolean();
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                Work<Long> up = sendingUntil(isEnough, client, 1);
                Work<Long> down = sendingUntil(isEnough, server, 2);
                awaitStandstill(lane.rig().engine());
                Thread.sleep(100);
                Duration before = Cpu.ofLoops();
                Thread.sleep(300);
                assertThat(Cpu.ofLoops().minus(before)).isLessThan(Duration.ofMillis(30));
                assertThat(up.isGoingOn()).isTrue();
                assertThat(down.isGoingOn()).isTrue();
                assertThat(lane.rig().engine().budget().usedBytes()).isLessThan(3 * MEGABYTE);

                Work<Long> arriving = Work.of(() -> Pattern.receive(server.getInputStream(), 1));
                isEnough.set(true);
                assertThat(Pattern.receive(client.getInputStream(), 2)).isEqualTo(down.result());
                assertThat(arriving.result()).isEqualTo(up.result());
            }
        }
    }

    /// Both senders are stopped by the other's side when both ends go away: nobody reads, nobody
    /// can write. Where a proxy stands between, each of the two sees one end go, and waits for
    /// silence.
    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void aFlowThatIsStalledBothWaysEndsWithItsSockets(Driver driver, Lane.Mode mode)
            throws Exception {
        AtomicBoolean isEnough = new AtomicBoolean();
        boolean isProxied = mode == Lane.Mode.XOR || mode == Lane.Mode.CHAIN;
        Duration silence = isProxied ? Duration.ofMillis(500) : Duration.ofMinutes(5);
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.impatient(driver, mode, origin.destination(), silence)) {
            Socket client = lane.connect();
            Socket server = origin.accept();
            sendingUntil(isEnough, client, 1);
            sendingUntil(isEnough, server, 2);
            awaitStandstill(lane.rig().engine());
            isEnough.set(true);
            Tcp.reset(client);
            Tcp.reset(server);
            lane.rig().awaitIdle();
        }
    }

    /// A client that is gone is noticed although its target does not take what it sent.
    @ParameterizedTest
    @EnumSource(
            value = Lane.Mode.class,
            names = {"SPLICE", "COPY", "XOR"})
    void aClientThatIsGoneDoesNotKeepAStalledTargetForLong(Lane.Mode mode) throws Exception {
        AtomicBoolean isEnough = new AtomicBoolean();
        try (Acceptor origin = new Acceptor();
                Lane lane =
                        Lane.open(
                                Driver.LINUX,
                                mode,
                                origin.destination(),
                                rig -> rig.halfClosed(Duration.ofMillis(500)))) {
            Socket client = lane.connect();
            try (Socket server = origin.accept()) {
                sendingUntil(isEnough, client, 1);
                awaitStandstill(lane.rig().engine());
                isEnough.set(true);
                Tcp.reset(client);
                lane.rig().awaitIdle();
                assertThat(server.isClosed()).isFalse();
            }
        }
    }

    /// Sends as long as the test does not say that it is enough, and returns how many bytes that
    /// were.
    private static Work<Long> sendingUntil(AtomicBoolean isEnough, Socket from, long seed) {
        return Work.of(() -> {
            byte[] chunk = new byte[100_000];
            long sent = 0;
            while (!isEnough.get()) {
                Pattern.fill(seed, sent, chunk, chunk.length);
                from.getOutputStream().write(chunk);
                sent += chunk.length;
            }
            from.shutdownOutput();
            return sent;
        });
    }

    private static Work<Boolean> sending(Socket from, long seed, long bytes) {
        return Work.of(() -> {
            Pattern.send(from.getOutputStream(), seed, bytes);
            from.shutdownOutput();
            return true;
        });
    }

    /// Two hundred clients that do not read share four megabytes. Another one, which reads, is
    /// served meanwhile; and when all read again, all get everything.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void whenMemoryIsSpentFlowsSlowDownAndNoneDies(Driver driver) throws Exception {
        int flows = 200;
        long bytes = 400_000;
        Stalls.Valve valve = new Stalls.Valve();
        valve.freeFrom(flows);
        try (Acceptor origin = new Acceptor();
                Lane lane =
                        Lane.open(
                                driver,
                                Lane.Mode.LAYERED,
                                origin.destination(),
                                rig -> rig.loops(1).buffers(4 * MEGABYTE).shell(valve::shell))) {
            Engine engine = lane.rig().engine();
            List<Socket> sockets = new ArrayList<>();
            List<Work<Boolean>> sending = new ArrayList<>();
            for (int i = 0; i < flows; i++) {
                Socket client = lane.connect();
                Socket server = origin.accept();
                sockets.add(client);
                sockets.add(server);
                sending.add(sending(server, i, bytes));
            }
            awaitStandstill(engine);
            assertThat(engine.conversations()).isEqualTo(flows);
            assertThat(engine.budget().peakBytes()).isLessThanOrEqualTo(4 * MEGABYTE);
            Duration before = Cpu.ofLoops();
            Thread.sleep(500);
            assertThat(Cpu.ofLoops().minus(before)).isLessThan(Duration.ofMillis(100));

            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                Work<Boolean> healthy = sending(server, -1, bytes);
                assertThat(Pattern.receive(client.getInputStream(), -1)).isEqualTo(bytes);
                healthy.result();
            }

            valve.open();
            for (int i = 0; i < flows; i++) {
                assertThat(Pattern.receive(sockets.get(2 * i).getInputStream(), i))
                        .isEqualTo(bytes);
                sending.get(i).result();
            }
            assertThat(engine.budget().peakBytes()).isLessThanOrEqualTo(4 * MEGABYTE);
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /// Until no byte has moved for a while.
    private static void awaitStandstill(Engine engine) {
        long[] last = {-1, 0};
        Eventually.await(
                Rig.PATIENCE,
                () -> "the flow to stall",
                () -> {
                    var counters = engine.counters();
                    long moved = counters.upBytes + counters.downBytes;
                    last[1] = moved == last[0] ? last[1] + 1 : 0;
                    last[0] = moved;
                    return moved > 0 && last[1] >= 15;
                });
    }
}
