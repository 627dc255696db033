package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Ready;

/// A datagram socket on a loop: reads in batches, sends through the driver's queue. Owned by the
/// loop.
final class DatagramSocket implements Ready, Loop.Resumable {

    /// Batches per turn, so that one busy socket leaves room for others.
    private static final int BATCHES_PER_TURN = 8;

    /// Takes what arrives.
    interface Receiver {

        /// A datagram. Takes `owned`.
        ///
        /// @param local the address it was sent to, where the driver knows
        void onReceived(DatagramSocket socket, Endpoint from, @Nullable IpAddress local, Buf owned);
    }

    private final Loop loop;
    private final Receiver receiver;
    private final int socket;
    private long token;
    private boolean open = true;
    private boolean resuming;

    private DatagramSocket(Loop loop, Receiver receiver, int socket) {
        this.loop = loop;
        this.receiver = receiver;
        this.socket = socket;
    }

    /// Watches a socket that was opened. Returns null, with the socket closed, when the poller
    /// refuses it or `socket` is an error.
    static @Nullable DatagramSocket watch(Loop loop, Receiver receiver, int socket) {
        if (socket < 0) {
            return null;
        }
        DatagramSocket watched = new DatagramSocket(loop, receiver, socket);
        long token = loop.register(socket, watched);
        if (token < 0) {
            loop.driver().close(socket);
            return null;
        }
        watched.token = token;
        return watched;
    }

    @Override
    public void onReady(int readiness, long nowNanos) {
        if ((readiness & (LoopDriver.READABLE | LoopDriver.FAILED)) != 0) {
            read();
        }
    }

    @Override
    public void onResume(long nowNanos) {
        resuming = false;
        read();
    }

    @Override
    public void onLoopEnd() {
        close();
    }

    private void read() {
        LoopDriver driver = loop.driver();
        boolean failsAlways = true;
        for (int batch = 0; batch < BATCHES_PER_TURN && open; batch++) {
            int count = driver.receiveDatagrams(socket);
            if (count == -Errno.EAGAIN) {
                return;
            }
            failsAlways &= count < 0;
            for (int i = 0; i < count && open; i++) {
                take(driver, i);
            }
        }
        // A socket that only fails is asked again when something arrives.
        if (open && !resuming && !failsAlways) {
            resuming = true;
            loop.resumeLater(this);
        }
    }

    private void take(LoopDriver driver, int index) {
        Buf buf = loop.buffers().acquire(Math.max(1, driver.datagramLength(index)));
        driver.copyDatagram(index, buf.array(), 0);
        buf.extend(driver.datagramLength(index));
        try {
            receiver.onReceived(this, driver.datagramPeer(index), driver.datagramLocal(index), buf);
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            loop.unexpected(failure);
        }
    }

    /// Sends the readable bytes. Borrows `payload`.
    void send(@Nullable Endpoint to, @Nullable IpAddress from, Buf payload) {
        if (open) {
            loop.driver()
                    .queueDatagram(
                            socket, to, from, payload.array(), payload.start(), payload.length());
        }
    }

    void close() {
        if (open) {
            open = false;
            loop.driver().flushDatagrams();
            loop.unregister(token);
            loop.driver().close(socket);
            if (resuming) {
                loop.forget(this);
            }
        }
    }

    @Nullable Endpoint local() {
        return loop.driver().localOf(socket);
    }
}
