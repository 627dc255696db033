package sluice.lab.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import sluice.base.net.Endpoint;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;

/// A driver with a memory for readiness, so that tests read as conversations. Sockets are watched
/// under their own number.
final class TestLoop implements AutoCloseable {
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    final LoopDriver driver;
    private final Map<Long, Integer> ready = new HashMap<>();

    TestLoop(OperatingSystem system) {
        driver = system.openLoop();
    }

    /// Listens on a port the system chooses, and watches.
    int listen(String address) {
        int listener = driver.listen(endpoint(address + ":0"), ListenOptions.DEFAULT);
        assertThat(listener).as("listen on " + address).isNotNegative();
        watch(listener);
        return listener;
    }

    /// Connects to where `listener` listens, and watches.
    int connect(int listener) {
        return connect(local(listener), DialOptions.DEFAULT);
    }

    int connect(Endpoint to, DialOptions options) {
        int socket = driver.connect(to, options);
        assertThat(socket).as("connect to " + to).isNotNegative();
        watch(socket);
        return socket;
    }

    /// Waits for a connection, takes and watches it.
    int accept(int listener) {
        int accepted = driver.accept(listener);
        while (accepted == -Errno.EAGAIN) {
            awaitReady(listener, LoopDriver.READABLE);
            accepted = driver.accept(listener);
        }
        assertThat(accepted).as("accept").isNotNegative();
        watch(accepted);
        return accepted;
    }

    /// A connection: the dialling end, the accepting end.
    int[] pair() {
        int listener = listen("127.0.0.1");
        int dialled = connect(listener);
        int accepted = accept(listener);
        awaitReady(dialled, LoopDriver.WRITABLE);
        assertThat(driver.takeError(dialled)).isZero();
        driver.close(listener);
        return new int[] {dialled, accepted};
    }

    void watch(int socket) {
        ready.remove((long) socket);
        assertThat(driver.watch(socket, socket)).as("watch").isZero();
    }

    void unwatch(int socket) {
        assertThat(driver.unwatch(socket)).as("unwatch").isZero();
        ready.remove((long) socket);
    }

    Endpoint local(int socket) {
        Endpoint local = driver.localOf(socket);
        assertThat(local).as("the address of the socket").isNotNull();
        return local;
    }

    /// Waits until one of the readiness bits is reported, and forgets them.
    int awaitReady(int socket, int mask) {
        long start = System.nanoTime();
        while ((ready.getOrDefault((long) socket, 0) & mask) == 0) {
            assertThat(System.nanoTime() - start)
                    .as("waited for readiness " + mask)
                    .isLessThan(PATIENCE_NANOS);
            collect(100_000_000L);
        }
        return ready.remove((long) socket);
    }

    /// The bits reported for `socket` within the time, 0 for none.
    int readyWithin(int socket, long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos && !ready.containsKey((long) socket)) {
            collect(nanos / 4);
        }
        Integer bits = ready.remove((long) socket);
        return bits == null ? 0 : bits;
    }

    /// Takes what is reported into the memory.
    int collect(long timeoutNanos) {
        int count = driver.await(timeoutNanos);
        for (int i = 0; i < count; i++) {
            ready.merge(driver.token(i), driver.readiness(i), (a, b) -> a | b);
        }
        return count;
    }

    /// Sends all of it, waiting where it must.
    void sendAll(int socket, byte[] bytes) {
        int sent = 0;
        while (sent < bytes.length) {
            int result = driver.send(socket, bytes, sent, bytes.length - sent, false);
            if (result == -Errno.EAGAIN) {
                awaitReady(socket, LoopDriver.WRITABLE);
            } else {
                assertThat(result).as("send").isPositive();
                sent += result;
            }
        }
    }

    /// Receives until there are `count` bytes.
    byte[] receive(int socket, int count) {
        byte[] bytes = new byte[count];
        int got = 0;
        while (got < count) {
            int result = driver.receive(socket, bytes, got, count - got);
            if (result == -Errno.EAGAIN) {
                awaitReady(socket, LoopDriver.READABLE);
            } else {
                assertThat(result).as("receive").isPositive();
                got += result;
            }
        }
        return bytes;
    }

    /// Receives until the end.
    byte[] receiveToEnd(int socket) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[10_000];
        while (true) {
            int result = driver.receive(socket, buffer, 0, buffer.length);
            if (result == 0) {
                return all.toByteArray();
            }
            if (result == -Errno.EAGAIN) {
                awaitReady(socket, LoopDriver.READABLE);
            } else {
                assertThat(result).as("receive").isPositive();
                all.write(buffer, 0, result);
            }
        }
    }

    /// The first result of receive that is not "not ready".
    int receiveResult(int socket) {
        byte[] buffer = new byte[100];
        int result = driver.receive(socket, buffer, 0, buffer.length);
        while (result == -Errno.EAGAIN) {
            awaitReady(socket, LoopDriver.READABLE | LoopDriver.FAILED | LoopDriver.HUNG_UP);
            result = driver.receive(socket, buffer, 0, buffer.length);
        }
        return result;
    }

    static Endpoint endpoint(String text) {
        Endpoint endpoint = Endpoint.parseOrNull(text);
        assertThat(endpoint).as(text).isNotNull();
        return endpoint;
    }

    @Override
    public void close() {
        driver.close();
    }
}
