package sluice.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A bad network between one UDP client and one server of loopback: it doubles, reorders and loses
/// what the client sends. The way back is good.
public final class Mangler implements AutoCloseable {
    private final DatagramSocket front;
    private final DatagramSocket back;
    private final InetSocketAddress server;
    private final List<byte[]> held = new ArrayList<>();
    private volatile @Nullable SocketAddress client;
    private volatile boolean doubles;
    private volatile boolean loses;
    private volatile int window;

    /// Good, until told otherwise.
    public Mangler(int serverPort) {
        try {
            front = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            back = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            front.setReceiveBufferSize(4 << 20);
            back.setReceiveBufferSize(4 << 20);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
        Thread.ofVirtual().start(this::up);
        Thread.ofVirtual().start(this::down);
    }

    /// Its port.
    public int port() {
        return front.getLocalPort();
    }

    /// Sends everything twice.
    public void doubles(boolean on) {
        doubles = on;
    }

    /// Loses everything.
    public void loses(boolean on) {
        loses = on;
    }

    /// Holds back that many datagrams and then sends them in another order; 0 sends at once.
    public void shuffles(int window) {
        this.window = window;
        if (window == 0) {
            flush();
        }
    }

    @Override
    public void close() {
        front.close();
        back.close();
    }

    private void up() {
        byte[] bytes = new byte[65_535];
        while (true) {
            try {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                front.receive(packet);
                client = packet.getSocketAddress();
                if (!loses) {
                    take(Arrays.copyOf(bytes, packet.getLength()));
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void take(byte[] datagram) {
        synchronized (held) {
            held.add(datagram);
            if (held.size() < window) {
                return;
            }
        }
        flush();
    }

    private void flush() {
        synchronized (held) {
            Collections.shuffle(held, new Random(held.size()));
            for (byte[] datagram : held) {
                send(datagram);
                if (doubles) {
                    send(datagram);
                }
            }
            held.clear();
        }
    }

    private void send(byte[] datagram) {
        try {
            back.send(new DatagramPacket(datagram, datagram.length, server));
        } catch (IOException refused) {
            // A server that is being restarted; the datagram is lost, as it may be.
        }
    }

    private void down() {
        byte[] bytes = new byte[65_535];
        while (!back.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                back.receive(packet);
                SocketAddress to = client;
                if (to != null) {
                    front.send(new DatagramPacket(bytes, packet.getLength(), to));
                }
            } catch (IOException closed) {
                // Closed, or the server is being restarted.
            }
        }
    }
}
