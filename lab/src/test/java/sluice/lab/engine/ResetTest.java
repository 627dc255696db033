package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A reset is passed on as a reset, so that nobody takes a part for the whole.
final class ResetTest {

    private static final int BYTES = 10_000;

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void theServerSeesTheClientsReset(Driver driver, Lane.Mode mode) throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            Socket client = lane.connect();
            try (Socket server = origin.accept()) {
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
                Tcp.reset(client);
                assertThat(Tcp.end(server)).isEqualTo(Tcp.End.RESET);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void theClientSeesTheServersReset(Driver driver, Lane.Mode mode) throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect()) {
                Socket server = origin.accept();
                server.getOutputStream().write(1);
                assertThat(client.getInputStream().read()).isOne();
                Tcp.reset(server);
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void whatTheServerSentBeforeItsResetArrives(Driver driver, Lane.Mode mode) throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            try (Socket client = lane.connect()) {
                Socket server = origin.accept();
                client.getOutputStream().write(7);
                assertThat(server.getInputStream().read()).isEqualTo(7);
                Pattern.send(server.getOutputStream(), 1, BYTES);
                Tcp.reset(server);
                InputStream in = client.getInputStream();
                assertThat(Pattern.receive(in, 1, 0, BYTES)).isEqualTo(BYTES);
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void whatTheClientSentBeforeItsResetArrives(Driver driver, Lane.Mode mode) throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            Socket client = lane.connect();
            try (Socket server = origin.accept()) {
                client.getOutputStream().write(7);
                assertThat(server.getInputStream().read()).isEqualTo(7);
                Pattern.send(client.getOutputStream(), 2, BYTES);
                Tcp.reset(client);
                InputStream in = server.getInputStream();
                assertThat(Pattern.receive(in, 2, 0, BYTES)).isEqualTo(BYTES);
                assertThat(Tcp.end(server)).isEqualTo(Tcp.End.RESET);
            }
        }
    }

    /// A server that has seen enough answers and closes without reading on, which its system turns
    /// into a reset. The answer must not be lost because the proxy was just writing.
    @ParameterizedTest
    @MethodSource("sluice.lab.engine.Lane#all")
    void anAnswerToAnUnfinishedUploadArrives(Driver driver, Lane.Mode mode) throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(driver, mode, origin.destination())) {
            for (int round = 0; round < 20; round++) {
                try (Socket client = lane.connect()) {
                    Socket server = origin.accept();
                    Work<Boolean> uploading = Work.of(() -> uploadUntilBroken(client));
                    byte[] some = new byte[50_000];
                    server.getInputStream().readNBytes(some, 0, some.length);
                    Pattern.send(server.getOutputStream(), round, BYTES);
                    server.close();
                    InputStream in = client.getInputStream();
                    assertThat(Pattern.receive(in, round, 0, BYTES)).isEqualTo(BYTES);
                    assertThat(uploading.result()).isTrue();
                }
            }
        }
    }

    private static boolean uploadUntilBroken(Socket client) throws Exception {
        byte[] chunk = new byte[20_000];
        try {
            OutputStream out = client.getOutputStream();
            while (true) {
                out.write(chunk);
            }
        } catch (SocketException broken) {
            return true;
        }
    }
}
