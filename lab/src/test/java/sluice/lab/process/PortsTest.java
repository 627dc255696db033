package sluice.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PortsTest {

    @TempDir private Path folder;

    @Test
    void givesNoPortTwice() throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            assertThat(ports.add(Ports.free())).isTrue();
        }
    }

    @Test
    void seesWhoListensAndWhoIsConnectedWithoutConnecting() throws IOException {
        int port = Ports.free();
        assertThat(Ports.listens(port)).isFalse();
        InetAddress local = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(port, 5, local)) {
            assertThat(Ports.listens(port)).isTrue();
            assertThat(Ports.established(port)).isZero();
            try (Socket one = new Socket(local, port);
                    Socket accepted = server.accept()) {
                assertThat(one.isConnected() && accepted.isConnected()).isTrue();
                assertThat(Ports.established(port)).isEqualTo(1);
            }
        }
    }

    @Test
    void doesNotTakeAnotherProcessForTheChild() throws IOException {
        LocalChild child = LocalChild.start(List.of("sleep", "60"), folder, Map.of());
        int port = Ports.free();
        InetAddress local = InetAddress.getLoopbackAddress();
        try (ServerSocket _ = new ServerSocket(port, 5, local);
                DatagramSocket _ = new DatagramSocket(port, local)) {
            assertThatThrownBy(() -> Ports.awaitListening(child, port, Duration.ofMillis(200)))
                    .hasMessage("port " + port + " belongs to another process");
            assertThatThrownBy(() -> Ports.awaitDatagrams(child, port, Duration.ofMillis(200)))
                    .hasMessage("port " + port + " belongs to another process");
        } finally {
            child.stop();
        }
    }

    @Test
    void givesUpAtOnceWhenTheChildEnds() throws IOException {
        LocalChild child =
                LocalChild.start(
                        List.of("sh", "-c", "echo port is taken; exit 3"), folder, Map.of());
        assertThatThrownBy(() -> Ports.awaitListening(child, Ports.free(), Duration.ofMinutes(1)))
                .hasMessage("ended with 3: port is taken");
        child.stop();
    }
}
