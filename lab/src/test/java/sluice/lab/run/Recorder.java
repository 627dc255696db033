package sluice.lab.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A TCP forwarder that keeps what clients send, as an observer on the wire could.
public final class Recorder implements AutoCloseable {
    private final Origin front;
    private final List<ByteArrayOutputStream> ups = new CopyOnWriteArrayList<>();

    /// Forwards to a port of loopback.
    public Recorder(int targetPort) {
        front = Origin.of((socket, _, _) -> forward(socket, targetPort));
    }

    /// Its port.
    public int port() {
        return front.port();
    }

    /// What the clients sent so far, one entry a connection.
    public List<byte[]> sent() {
        return ups.stream().map(Recorder::copy).toList();
    }

    @Override
    public void close() {
        front.close();
    }

    private void forward(Socket client, int targetPort) throws IOException {
        ByteArrayOutputStream up = new ByteArrayOutputStream();
        ups.add(up);
        try (Socket server = new Socket("127.0.0.1", targetPort)) {
            Thread down =
                    Thread.ofVirtual()
                            .start(() -> pump(server, client, OutputStream.nullOutputStream()));
            pump(client, server, up);
            down.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(Socket from, Socket to, OutputStream copy) {
        byte[] bytes = new byte[65_536];
        try {
            InputStream in = from.getInputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                synchronized (copy) {
                    copy.write(bytes, 0, n);
                }
                to.getOutputStream().write(bytes, 0, n);
            }
            to.shutdownOutput();
        } catch (IOException ended) {
            // One side is gone; the other pump ends by itself.
        }
    }

    private static byte[] copy(ByteArrayOutputStream up) {
        synchronized (up) {
            return up.toByteArray();
        }
    }
}
