package sluice.lab.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import sluice.base.net.Destination;
import sluice.base.net.Host;

/// A target whose connections the test takes one by one.
final class Acceptor implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;

    private final ServerSocket server;

    /// Listens on a free port of 127.0.0.1.
    Acceptor() {
        this("127.0.0.1", 0);
    }

    /// @param port 0 for any
    Acceptor(String address, int port) {
        try {
            server = new ServerSocket();
            server.bind(new InetSocketAddress(InetAddress.ofLiteral(address), port), 1024);
            server.setSoTimeout(PATIENCE_MILLIS);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    Destination destination() {
        return new Destination(Host.parse(server.getInetAddress().getHostAddress()), port());
    }

    /// Takes the next connection. Its reads give up after a while.
    Socket accept() throws IOException {
        Socket socket = server.accept();
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /// Whether a connection comes within `millis`.
    boolean isAskedWithin(int millis) throws IOException {
        server.setSoTimeout(millis);
        try (Socket _ = server.accept()) {
            return true;
        } catch (java.net.SocketTimeoutException none) {
            return false;
        } finally {
            server.setSoTimeout(PATIENCE_MILLIS);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
