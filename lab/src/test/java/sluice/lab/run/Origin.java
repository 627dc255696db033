package sluice.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A TCP server inside the test. Each connection has a virtual thread of its own.
public final class Origin implements AutoCloseable {

    /// What it does with a connection; the connection is closed behind it.
    @FunctionalInterface
    public interface Conduct {

        /// Serves one connection.
        void serve(Socket socket, InputStream in, OutputStream out) throws IOException;
    }

    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    private Origin(ServerSocket server) {
        this.server = server;
    }

    /// Serves on a free port of 127.0.0.1.
    public static Origin of(Conduct conduct) {
        return of("127.0.0.1", conduct);
    }

    /// Serves on a free port of that address.
    public static Origin of(String address, Conduct conduct) {
        try {
            ServerSocket server = new ServerSocket();
            server.bind(new InetSocketAddress(InetAddress.getByName(address), 0), 4_096);
            Origin origin = new Origin(server);
            Thread.ofVirtual().start(() -> origin.accept(conduct));
            return origin;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Sends back what it gets, and ends when the client has.
    public static Origin echo() {
        return of((_, in, out) -> in.transferTo(out));
    }

    /// Counts what it gets until the client ends its side, then says how much it was.
    public static Origin counting() {
        return of((_, in, out) -> {
            long bytes = in.transferTo(OutputStream.nullOutputStream());
            out.write(("got " + bytes).getBytes(StandardCharsets.UTF_8));
        });
    }

    /// Reads everything and says nothing.
    public static Origin silent() {
        return of((_, in, _) -> in.transferTo(OutputStream.nullOutputStream()));
    }

    /// Answers each HTTP request with its own port and the request's head, and keeps the
    /// connection.
    public static Origin http() {
        return of((socket, in, out) -> {
            for (String head = HttpText.readHead(in); head != null; head = HttpText.readHead(in)) {
                in.skipNBytes(HttpText.contentLength(head));
                out.write(HttpText.answer(200, "X-Port: " + socket.getLocalPort() + "\r\n", head));
            }
        });
    }

    /// Its port.
    public int port() {
        return server.getLocalPort();
    }

    /// How many connections it has had.
    public int accepted() {
        return accepted.get();
    }

    /// How many connections are open.
    public int open() {
        return open.size();
    }

    /// Ends all connections.
    public void dropAll() {
        open.forEach(Origin::close);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        dropAll();
    }

    private void accept(Conduct conduct) {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                accepted.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket, conduct));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket, Conduct conduct) {
        try {
            conduct.serve(socket, socket.getInputStream(), socket.getOutputStream());
        } catch (IOException ended) {
            // The client went away; the test looks at its own side.
        } finally {
            close(socket);
            open.remove(socket);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
