package sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/// Free ports on loopback, for foreign programs that cannot choose one themselves. A port is given
/// out once per process. Code of ours binds port 0 and tells what it got.
public final class Ports {
    private static final int TRIES = 200;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /// A port no TCP socket listens on.
    public static int tcp() {
        return give(true, false);
    }

    /// A port no UDP socket is bound to.
    public static int udp() {
        return give(false, true);
    }

    /// One number that is free for TCP and for UDP.
    public static int both() {
        return give(true, true);
    }

    private static synchronized int give(boolean tcp, boolean udp) {
        for (int i = 0; i < TRIES; i++) {
            int port = tcp ? freeTcp() : freeUdp();
            if ((!tcp || !udp || isFreeForUdp(port)) && GIVEN.add(port)) {
                return port;
            }
        }
        throw new AssertionError("no free port after " + TRIES + " tries");
    }

    private static int freeTcp() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static int freeUdp() {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean isFreeForUdp(int port) {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (var _ = new DatagramSocket(address)) {
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
