package sluice.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The same questions for every chain of proxies: do bytes arrive whole both ways, does the end
/// arrive, do datagrams come back.
public final class Traffic {
    private static final int STREAM_BYTES = 3_000_000;
    private static final int[] DATAGRAM_BYTES = {1, 100, 1_300};

    private Traffic() {}

    /// Behind the port is an echo server: bytes come back whole, and behind them the end. Our side
    /// ends when all is back, since several programs cut the way back when one side has ended.
    public static void assertEchoes(int port) {
        try (Link link = Link.to(port)) {
            assertEchoes(link);
        }
    }

    /// As [#assertEchoes(int)], over an open tunnel.
    public static void assertEchoes(Link link) {
        assertEchoes(link, STREAM_BYTES);
    }

    /// As [#assertEchoes(int)], over an open tunnel, with so many bytes.
    public static void assertEchoes(Link link, int bytes) {
        byte[] sent = Bytes.of(bytes, bytes);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread writer =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                link.send(sent);
                            } catch (UncheckedIOException broken) {
                                failure.set(broken);
                            }
                        });
        byte[] got;
        try {
            got = link.read(bytes);
            writer.join();
            assertThat(link.finish().readEnding(10_000).end()).isNotEqualTo(Link.End.OPEN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        } catch (UncheckedIOException broken) {
            throw new AssertionError("reading the echo", broken);
        }
        assertThat(failure.get()).as("writing").isNull();
        assertThat(Arrays.equals(got, sent)).as("the same bytes").isTrue();
    }

    /// Behind the port is a UDP echo server: datagrams of several sizes come back. None is larger
    /// than a packet, since several programs drop those.
    public static void assertDatagramsEcho(int port) {
        assertDatagramsEcho(port, DATAGRAM_BYTES);
    }

    /// As [#assertDatagramsEcho(int)], with these sizes.
    public static void assertDatagramsEcho(int port, int... sizes) {
        try (DatagramSocket socket = Datagrams.open()) {
            for (int bytes : sizes) {
                assertThat(echoes(socket, port, Bytes.of(bytes, bytes)))
                        .as("a datagram of %d bytes comes back", bytes)
                        .isTrue();
            }
        }
    }

    /// Whether a datagram comes back; a lost one is sent again, twice.
    public static boolean echoes(DatagramSocket socket, int port, byte[] payload) {
        byte[] bytes = new byte[65_535];
        try {
            socket.setSoTimeout(1_500);
            for (int attempt = 0; attempt < 3; attempt++) {
                socket.send(
                        new DatagramPacket(
                                payload, payload.length, InetAddress.getLoopbackAddress(), port));
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                try {
                    socket.receive(packet);
                    return Arrays.equals(payload, Arrays.copyOf(bytes, packet.getLength()));
                } catch (SocketTimeoutException lost) {
                    // Sent again.
                }
            }
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
