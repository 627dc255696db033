package sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class PortsTest {
    @Test
    void givesPortsThatCanBeBound() throws IOException {
        int port = Ports.both();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (var tcp = new ServerSocket(port, 1, loopback);
                var udp = new DatagramSocket(port, loopback)) {
            assertThat(tcp.getLocalPort()).isEqualTo(udp.getLocalPort());
        }
    }

    @Test
    void givesNoPortTwice() {
        assertThat(new int[] {Ports.tcp(), Ports.tcp(), Ports.udp(), Ports.udp()})
                .doesNotHaveDuplicates();
    }
}
