package sluice.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A UDP server inside the test that notes where each datagram came from.
public final class UdpOrigin implements AutoCloseable {

    /// One datagram as it arrived.
    ///
    /// @param from the socket address it came from
    /// @param payload the bytes
    public record Seen(InetSocketAddress from, byte[] payload) {}

    /// What it does with a datagram.
    @FunctionalInterface
    public interface Conduct {

        /// Handles one.
        void receive(DatagramSocket socket, Seen seen) throws IOException;
    }

    private final DatagramSocket socket;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    private UdpOrigin(DatagramSocket socket) {
        this.socket = socket;
    }

    /// Serves on a free port of 127.0.0.1.
    public static UdpOrigin of(Conduct conduct) {
        return of("127.0.0.1", conduct);
    }

    /// Serves on a free port of that address.
    public static UdpOrigin of(String address, Conduct conduct) {
        try {
            DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName(address));
            socket.setReceiveBufferSize(4 << 20);
            UdpOrigin origin = new UdpOrigin(socket);
            Thread.ofVirtual().start(() -> origin.serve(conduct));
            return origin;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Sends back what it gets.
    public static UdpOrigin echo() {
        return of(UdpOrigin::reply);
    }

    /// Sends back what it gets, on that address.
    public static UdpOrigin echo(String address) {
        return of(address, UdpOrigin::reply);
    }

    /// Notes what it gets and says nothing.
    public static UdpOrigin silent() {
        return of((_, _) -> {});
    }

    /// Its port.
    public int port() {
        return socket.getLocalPort();
    }

    /// The socket, to send from.
    public DatagramSocket socket() {
        return socket;
    }

    /// What arrived so far.
    public List<Seen> seen() {
        return List.copyOf(seen);
    }

    /// The different addresses that datagrams came from.
    public List<InetSocketAddress> sources() {
        return seen.stream().map(Seen::from).distinct().toList();
    }

    @Override
    public void close() {
        socket.close();
    }

    private static void reply(DatagramSocket socket, Seen seen) throws IOException {
        socket.send(new DatagramPacket(seen.payload(), seen.payload().length, seen.from()));
    }

    private void serve(Conduct conduct) {
        byte[] bytes = new byte[65_535];
        while (!socket.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                socket.receive(packet);
                Seen one =
                        new Seen(
                                (InetSocketAddress) packet.getSocketAddress(),
                                Arrays.copyOf(bytes, packet.getLength()));
                seen.add(one);
                conduct.receive(socket, one);
            } catch (IOException closed) {
                if (socket.isClosed()) {
                    return;
                }
            }
        }
    }
}
