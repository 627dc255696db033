package sluice.linux.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.DatagramCalls;
import sluice.linux.ffi.SocketCalls;

/// What happens where the kernel does not cut runs. A socket that sends without checksums
/// (SO_NO_CHECK) is such a place: it refuses UDP_SEGMENT as devices without checksum offload do.
@Timeout(60)
final class DatagramFallbackTest {
    private static final int SO_NO_CHECK = 11;

    private final Arena arena = Arena.ofConfined();
    private final CallState state = new CallState(arena);
    private final SocketCalls calls = new SocketCalls(state, arena);
    private final DatagramSockets sockets = new DatagramSockets(state, calls, arena);

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void aRunThatIsRefusedGoesOneByOneAndTheSocketIsRemembered() throws Exception {
        try (DatagramSocket plain = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            plain.setSoTimeout(5_000);
            int socket = dial(plain);
            int fd = SocketNumber.fd(socket);
            assertThat(calls.setsockopt(fd, Abi.SOL_SOCKET, SO_NO_CHECK, 1)).isZero();
            for (int round = 0; round < 3; round++) {
                byte[] bytes = new byte[20 * 500 + 3];
                new Random(round).nextBytes(bytes);
                queue(socket, null, bytes);
                sockets.flush();

                assertArrives(plain, bytes);
            }
            assertThat(sockets.lost()).isZero();
            sockets.close(socket);
        }
    }

    @Test
    void aRunWithAChosenSourceFallsBackAsWell() throws Exception {
        try (DatagramSocket plain = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            plain.setSoTimeout(5_000);
            int socket = dial(plain);
            int fd = SocketNumber.fd(socket);
            assertThat(calls.setsockopt(fd, Abi.SOL_SOCKET, SO_NO_CHECK, 1)).isZero();
            byte[] bytes = new byte[7 * 500];
            new Random(9).nextBytes(bytes);
            queue(socket, IpAddress.LOOPBACK_V4, bytes);
            sockets.flush();

            assertArrives(plain, bytes);
            assertThat(sockets.lost()).isZero();
            sockets.close(socket);
        }
    }

    @Test
    void aSourceThatIsNotOursLosesTheRunAndCountsEveryDatagram() throws Exception {
        try (DatagramSocket plain = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            int socket = dial(plain);
            queue(socket, IpAddress.v4(0x01020304), new byte[5 * 500]);
            sockets.flush();

            assertThat(sockets.lost()).isEqualTo(5);
            sockets.close(socket);
        }
    }

    @Test
    void whatWasRefusedIsNotTriedAgainUntilTheSocketIsClosed() throws Exception {
        DatagramSender sender = new DatagramSender(new DatagramCalls(state), arena);
        try (DatagramSocket plain = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            int socket = dial(plain);
            int fd = SocketNumber.fd(socket);
            assertThat(calls.setsockopt(fd, Abi.SOL_SOCKET, SO_NO_CHECK, 1)).isZero();
            sender.queue(socket, null, null, new byte[500], 0, 500);
            sender.queue(socket, null, null, new byte[500], 0, 500);
            assertThat(sender.isRefused(fd, 500)).isFalse();
            sender.flush();

            assertThat(sender.isRefused(fd, 500)).isTrue();
            assertThat(sender.isRefused(fd, 501)).isTrue();
            assertThat(sender.isRefused(fd + 1, 500)).isFalse();
            sender.forget(socket);
            assertThat(sender.isRefused(fd, 500)).isFalse();
            sockets.close(socket);
        }
    }

    private int dial(DatagramSocket to) {
        Endpoint target = new Endpoint(IpAddress.LOOPBACK_V4, to.getLocalPort());
        int socket = sockets.open(target, target.address(), DialOptions.DEFAULT);
        assertThat(socket).isNotNegative();
        return socket;
    }

    private void queue(int socket, IpAddress from, byte[] bytes) {
        for (int at = 0; at < bytes.length; at += 500) {
            sockets.queue(socket, null, from, bytes, at, Math.min(500, bytes.length - at));
        }
    }

    private static void assertArrives(DatagramSocket plain, byte[] bytes) throws Exception {
        for (int at = 0; at < bytes.length; at += 500) {
            DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
            plain.receive(packet);
            byte[] expected = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 500));
            assertThat(Arrays.copyOf(packet.getData(), packet.getLength())).isEqualTo(expected);
        }
    }
}
