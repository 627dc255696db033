package sluice.app.probe;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import sluice.base.net.Endpoint;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;

/// A byte stream that its thread waits for, on a driver of its own.
public final class ProbeStream implements AutoCloseable {

    private final LoopDriver driver;
    private final int socket;
    private final long timeoutMillis;

    private ProbeStream(LoopDriver driver, int socket, long timeoutMillis) {
        this.driver = driver;
        this.socket = socket;
        this.timeoutMillis = timeoutMillis;
    }

    static ProbeStream open(OperatingSystem system, Endpoint to, long timeoutMillis)
            throws IOException {
        LoopDriver driver = system.openLoop();
        int socket = driver.connect(to, DialOptions.DEFAULT);
        if (socket < 0 || driver.watch(socket, 1) < 0) {
            driver.close();
            throw new IOException("cannot connect to " + to);
        }
        ProbeStream stream = new ProbeStream(driver, socket, timeoutMillis);
        stream.await();
        if (driver.takeError(socket) != 0) {
            stream.close();
            throw new IOException("cannot connect to " + to);
        }
        return stream;
    }

    /// Sends all of it.
    public void send(byte[] bytes) throws IOException {
        int at = 0;
        while (at < bytes.length) {
            int sent = driver.send(socket, bytes, at, bytes.length - at, false);
            if (sent == -Errno.EAGAIN) {
                await();
            } else if (sent < 0) {
                throw new IOException("the connection was closed (errno " + -sent + ")");
            } else {
                at += sent;
            }
        }
    }

    /// Receives what comes next. Returns the bytes, -1 at the end.
    public int receive(byte[] into) throws IOException {
        while (true) {
            int received = driver.receive(socket, into, 0, into.length);
            if (received == -Errno.EAGAIN) {
                await();
            } else if (received < 0) {
                throw new IOException("the connection was reset (errno " + -received + ")");
            } else {
                return received == 0 ? -1 : received;
            }
        }
    }

    /// Receives exactly `count` bytes.
    byte[] receiveAll(int count) throws IOException {
        byte[] all = new byte[count];
        int at = 0;
        while (at < count) {
            byte[] rest = new byte[count - at];
            int received = receive(rest);
            if (received < 0) {
                throw new EOFException("the connection ended early");
            }
            System.arraycopy(rest, 0, all, at, received);
            at += received;
        }
        return Arrays.copyOf(all, count);
    }

    private void await() throws IOException {
        if (driver.await(timeoutMillis * 1_000_000) == 0) {
            throw new IOException(
                    "nothing came for " + Fetch.millis(timeoutMillis * 1_000_000).strip());
        }
    }

    @Override
    public void close() {
        driver.close(socket);
        driver.close();
    }
}
