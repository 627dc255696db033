package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.engine.loop.LoopCounters;

/// Bytes arrive whole and in order.
final class RelayTest {

    private static final long MEGABYTE = 1 << 20;

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void movesBytesUp(Driver driver, Lane.Mode mode) throws Exception {
        long bytes = size(mode);
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                Work<?> sending = sending(client, 1, bytes);
                assertThat(Pattern.receive(server.getInputStream(), 1)).isEqualTo(bytes);
                sending.result();
                server.shutdownOutput();
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
            checkCounters(driver, mode, lane, bytes, 0);
        }
    }

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void movesBytesDown(Driver driver, Lane.Mode mode) throws Exception {
        long bytes = size(mode);
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                Work<?> sending = sending(server, 2, bytes);
                assertThat(Pattern.receive(client.getInputStream(), 2)).isEqualTo(bytes);
                sending.result();
                client.shutdownOutput();
                assertThat(server.getInputStream().read()).isEqualTo(-1);
            }
            checkCounters(driver, mode, lane, 0, bytes);
        }
    }

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void movesBytesBothWaysAtOnce(Driver driver, Lane.Mode mode) throws Exception {
        long bytes = size(mode);
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                Work<?> up = sending(client, 3, bytes);
                Work<?> down = sending(server, 4, bytes);
                Work<Long> arriving = Work.of(() -> Pattern.receive(server.getInputStream(), 3));
                assertThat(Pattern.receive(client.getInputStream(), 4)).isEqualTo(bytes);
                assertThat(arriving.result()).isEqualTo(bytes);
                up.result();
                down.result();
            }
            checkCounters(driver, mode, lane, bytes, bytes);
        }
    }

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void movesBytesOfManyFlowsAtOnce(Driver driver, Lane.Mode mode) throws Exception {
        int flows = 16;
        long bytes = 2 * MEGABYTE + 17;
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            List<Socket> sockets = new ArrayList<>();
            List<Work<Long>> works = new ArrayList<>();
            for (int i = 0; i < flows; i++) {
                Socket client = lane.connect();
                Socket server = origin.accept();
                sockets.addAll(List.of(client, server));
                long seed = 100L + i;
                works.add(sending(client, seed, bytes));
                works.add(sending(server, -seed, bytes));
                works.add(Work.of(() -> Pattern.receive(client.getInputStream(), -seed)));
                works.add(Work.of(() -> Pattern.receive(server.getInputStream(), seed)));
            }
            for (Work<Long> work : works) {
                assertThat(work.result()).isEqualTo(bytes);
            }
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /// Sends and half-closes.
    private static Work<Long> sending(Socket from, long seed, long bytes) {
        return Work.of(() -> {
            Pattern.send(from.getOutputStream(), seed, bytes);
            from.shutdownOutput();
            return bytes;
        });
    }

    private static long size(Lane.Mode mode) {
        return switch (mode) {
            case SPLICE, COPY -> 50 * MEGABYTE + 1;
            case LAYERED, XOR, CHAIN -> 20 * MEGABYTE + 1;
        };
    }

    private static void checkCounters(
            Driver driver, Lane.Mode mode, Lane lane, long up, long down) {
        lane.rig().awaitIdle();
        LoopCounters counters = lane.rig().counters();
        assertThat(counters.upBytes).isEqualTo(up);
        assertThat(counters.downBytes).isEqualTo(down);
        if (driver == Driver.LINUX && mode == Lane.Mode.SPLICE) {
            assertThat(counters.splicedBytes).isGreaterThan((up + down) / 2);
        } else {
            assertThat(counters.splicedBytes).isZero();
        }
    }
}
