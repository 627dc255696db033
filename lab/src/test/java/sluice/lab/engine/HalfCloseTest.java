package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Each direction of a stream ends for itself.
final class HalfCloseTest {

    private static final int BYTES = 100_000;

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void anAnswerArrivesLongAfterTheClientEndedItsSide(Driver driver, Lane.Mode mode)
            throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                Pattern.send(client.getOutputStream(), 1, BYTES);
                client.shutdownOutput();
                assertThat(Pattern.receive(server.getInputStream(), 1)).isEqualTo(BYTES);
                Thread.sleep(400);
                Pattern.send(server.getOutputStream(), 2, BYTES);
                server.shutdownOutput();
                assertThat(Pattern.receive(client.getInputStream(), 2)).isEqualTo(BYTES);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void theClientGoesOnAfterTheServerEndedItsSide(Driver driver, Lane.Mode mode) throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                Pattern.send(server.getOutputStream(), 3, BYTES);
                server.shutdownOutput();
                assertThat(Pattern.receive(client.getInputStream(), 3)).isEqualTo(BYTES);
                Thread.sleep(300);
                Pattern.send(client.getOutputStream(), 4, BYTES);
                client.shutdownOutput();
                assertThat(Pattern.receive(server.getInputStream(), 4)).isEqualTo(BYTES);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void aFlowEndsAtOnceWhenBothSidesHave(Driver driver, Lane.Mode mode) throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
                client.shutdownOutput();
                server.shutdownOutput();
                assertThat(client.getInputStream().read()).isEqualTo(-1);
                assertThat(server.getInputStream().read()).isEqualTo(-1);
                lane.rig().awaitIdle();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"LINUX, SPLICE", "LINUX, XOR", "PORTABLE, COPY", "PORTABLE, CHAIN"})
    void aHalfClosedFlowEndsWhenItIsSilentForTooLong(Driver driver, Lane.Mode mode)
            throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane =
                        Lane.open(
                                driver,
                                mode,
                                origin.destination(),
                                rig -> rig.halfClosed(Duration.ofMillis(600)))) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                client.shutdownOutput();
                assertThat(server.getInputStream().read()).isEqualTo(-1);
                for (int i = 0; i < 6; i++) {
                    Thread.sleep(200);
                    server.getOutputStream().write(i);
                    assertThat(client.getInputStream().read()).isEqualTo(i);
                }
                assertThat(lane.rig().engine().conversations()).isOne();
                long before = System.nanoTime();
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
                assertThat(Duration.ofNanos(System.nanoTime() - before))
                        .isBetween(Duration.ofMillis(300), Duration.ofSeconds(10));
                lane.rig().awaitIdle();
            }
        }
    }
}
