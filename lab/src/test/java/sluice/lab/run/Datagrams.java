package sluice.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A SOCKS5 UDP association of a test: a control connection and a socket. Waits 3 s for an answer.
public final class Datagrams implements AutoCloseable {
    private static final int WAIT_MILLIS = 3_000;

    private final Link control;
    private final DatagramSocket socket;
    private final InetSocketAddress relay;

    private Datagrams(Link control, DatagramSocket socket, InetSocketAddress relay) {
        this.control = control;
        this.socket = socket;
        this.relay = relay;
    }

    /// What came back.
    ///
    /// @param from the port it says to come from
    /// @param host the IPv4 address it says to come from
    /// @param payload the bytes
    public record Answer(String host, int from, byte[] payload) {}

    /// Associates through a proxy on loopback, with zeros as the announced address.
    public static Datagrams through(int proxyPort) {
        return through(Link.to(proxyPort), "01 00000000 0000", null, "");
    }

    /// Associates over an open connection.
    ///
    /// @param announced ATYP, address and port that the request names, in hex
    /// @param user who logs in, or null
    public static Datagrams through(
            Link control, String announced, @Nullable String user, String password) {
        Dial.greet(control, user, password);
        control.sendHex("05 03 00" + announced);
        byte[] head = control.read(4);
        if (head[1] != 0) {
            throw new AssertionError("SOCKS5 reply " + head[1]);
        }
        byte[] address = control.read(Dial.addressBytes(control, head[3]));
        byte[] port = control.read(2);
        try {
            InetAddress bound = InetAddress.getByAddress(address);
            return new Datagrams(
                    control,
                    open(),
                    new InetSocketAddress(
                            bound.isAnyLocalAddress() ? control.socket().getInetAddress() : bound,
                            (port[0] & 0xff) << 8 | port[1] & 0xff));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Where packets go.
    public InetSocketAddress relay() {
        return relay;
    }

    /// The control connection.
    public Link control() {
        return control;
    }

    /// The socket.
    public DatagramSocket socket() {
        return socket;
    }

    /// Sends one datagram to a port of loopback.
    public void send(int port, byte[] payload) {
        sendFrom(socket, port, payload);
    }

    /// Sends from another socket, as a stranger would.
    public void sendFrom(DatagramSocket other, int port, byte[] payload) {
        ByteBuffer packet = ByteBuffer.allocate(10 + payload.length);
        packet.put(new byte[] {0, 0, 0, 1, 127, 0, 0, 1}).putShort((short) port).put(payload);
        sendRaw(other, packet.array());
    }

    /// Sends bytes as they are to the relay.
    public void sendRaw(DatagramSocket from, byte[] packet) {
        try {
            from.send(new DatagramPacket(packet, packet.length, relay));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The next answer, or null when none comes in time.
    public @Nullable Answer receive() {
        return receive(WAIT_MILLIS);
    }

    /// The next answer, or null when none comes in time.
    public @Nullable Answer receive(int waitMillis) {
        byte[] bytes = new byte[65_535];
        DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
        try {
            socket.setSoTimeout(waitMillis);
            socket.receive(packet);
        } catch (SocketTimeoutException lost) {
            return null;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        if (bytes[2] != 0 || bytes[3] != 1) {
            throw new AssertionError("not an IPv4 answer: " + bytes[2] + " " + bytes[3]);
        }
        String host =
                (bytes[4] & 0xff)
                        + "."
                        + (bytes[5] & 0xff)
                        + "."
                        + (bytes[6] & 0xff)
                        + "."
                        + (bytes[7] & 0xff);
        return new Answer(
                host,
                (bytes[8] & 0xff) << 8 | bytes[9] & 0xff,
                Arrays.copyOfRange(bytes, 10, packet.getLength()));
    }

    /// Sends to an echo server and tells whether the same bytes came back from there; other answers
    /// are passed over. A lost datagram is sent again, twice.
    public boolean echoes(int port, int bytes) {
        byte[] payload = Bytes.of(bytes, bytes + port);
        for (int attempt = 0; attempt < 3; attempt++) {
            send(port, payload);
            for (Answer answer = receive(1_000); answer != null; answer = receive(1_000)) {
                if (answer.from() == port && Arrays.equals(answer.payload(), payload)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public void close() {
        socket.close();
        control.close();
    }

    /// A socket of loopback with room for bursts.
    public static DatagramSocket open() {
        try {
            DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            socket.setReceiveBufferSize(1 << 20);
            return socket;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
