package sluice.lab.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;

/// A datagram socket of the test.
final class Udp implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 10_000;

    /// What came, and from where.
    record Got(SocketAddress from, byte[] bytes) {

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        int port() {
            return ((InetSocketAddress) from).getPort();
        }
    }

    private final DatagramSocket socket;

    Udp() {
        this("127.0.0.1");
    }

    Udp(String address) {
        try {
            socket = new DatagramSocket(0, InetAddress.ofLiteral(address));
            socket.setReceiveBufferSize(1 << 20);
            socket.setSoTimeout(PATIENCE_MILLIS);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    void send(Endpoint to, byte[] bytes) throws IOException {
        send(
                new InetSocketAddress(InetAddress.ofLiteral(to.address().toString()), to.port()),
                bytes);
    }

    void send(Endpoint to, String text) throws IOException {
        send(to, text.getBytes(StandardCharsets.UTF_8));
    }

    void send(SocketAddress to, byte[] bytes) throws IOException {
        socket.send(new DatagramPacket(bytes, bytes.length, to));
    }

    void send(SocketAddress to, String text) throws IOException {
        send(to, text.getBytes(StandardCharsets.UTF_8));
    }

    Got receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        socket.receive(packet);
        byte[] bytes = java.util.Arrays.copyOf(packet.getData(), packet.getLength());
        return new Got(packet.getSocketAddress(), bytes);
    }

    /// The next datagram, or null when none comes within `millis`.
    @Nullable Got receiveOrNull(int millis) throws IOException {
        socket.setSoTimeout(millis);
        try {
            return receive();
        } catch (SocketTimeoutException none) {
            return null;
        } finally {
            socket.setSoTimeout(PATIENCE_MILLIS);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
