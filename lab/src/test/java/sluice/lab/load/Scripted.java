package sluice.lab.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// A server that does to each connection what a test says, and closes it.
final class Scripted implements AutoCloseable {

    @FunctionalInterface
    interface Script {
        /// @param number of the connection, from 1
        void play(int number, InputStream in, OutputStream out) throws IOException;
    }

    private final ServerSocket listener;

    Scripted(Script script) throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        Thread.ofVirtual().start(() -> accept(script));
    }

    private void accept(Script script) {
        for (int number = 1; !listener.isClosed(); number++) {
            try {
                Socket socket = listener.accept();
                int mine = number;
                Thread.ofVirtual().start(() -> play(script, mine, socket));
            } catch (IOException _) {
                return;
            }
        }
    }

    private static void play(Script script, int number, Socket socket) {
        try (socket) {
            script.play(number, socket.getInputStream(), socket.getOutputStream());
        } catch (IOException _) {
            // The other side is tested for what it makes of that.
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
