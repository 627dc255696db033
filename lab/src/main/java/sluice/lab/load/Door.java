package sluice.lab.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;

/// A listening port on 127.0.0.1 with all of its connections on one thread and one selector. When
/// the process runs out of files it says so and tries again later; the connections it has go on.
final class Door implements AutoCloseable {

    /// Waiting connections; the kernel cuts it to net.core.somaxconn.
    private static final int BACKLOG = 4096;

    /// How long it accepts nothing after a failure, in milliseconds: long enough to cost nothing,
    /// short enough for a client that waits.
    private static final int PAUSE_MILLIS = 200;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final SelectionKey accepting;
    private final Supplier<Guest> guests;
    private long accepted;
    private boolean complained;

    /// @param port 0 for any
    /// @param guests makes one for each connection
    Door(int port, Supplier<Guest> guests) throws IOException {
        this.guests = guests;
        selector = Selector.open();
        listener = ServerSocketChannel.open();
        listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        listener.configureBlocking(false);
        try {
            listener.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), BACKLOG);
        } catch (IOException taken) {
            close();
            throw new IOException("port " + port + ": " + taken.getMessage(), taken);
        }
        accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    int port() {
        return listener.socket().getLocalPort();
    }

    /// Serves until it is closed.
    void run() throws IOException {
        while (selector.isOpen()) {
            boolean paused = accepting.isValid() && accepting.interestOps() == 0;
            selector.select(this::turn, paused ? PAUSE_MILLIS : 0);
            if (paused && accepting.isValid()) {
                accepting.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
    }

    private void turn(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key == accepting) {
            accept();
        } else if (key.attachment() instanceof Guest guest
                && key.channel() instanceof SocketChannel channel) {
            serve(key, channel, guest);
        }
    }

    private static void serve(SelectionKey key, SocketChannel channel, Guest guest) {
        boolean goesOn;
        try {
            goesOn = guest.turn(key, channel);
        } catch (IOException broken) {
            guest.lost(Say.reason(broken));
            goesOn = false;
        }
        if (!goesOn) {
            quietly(channel);
        }
    }

    private void accept() {
        try {
            SocketChannel channel = listener.accept();
            while (channel != null) {
                accepted++;
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.register(selector, SelectionKey.OP_READ, guests.get());
                channel = listener.accept();
            }
        } catch (IOException full) {
            accepting.interestOps(0);
            if (!complained) {
                complained = true;
                Say.complaint("after " + accepted + " connections: " + Say.reason(full));
            }
        }
    }

    private static void quietly(AutoCloseable closed) {
        try {
            closed.close();
        } catch (Exception _) {
            // Nothing is left to do for it.
        }
    }

    @Override
    public void close() {
        if (selector.isOpen()) {
            selector.keys().forEach(key -> quietly(key.channel()));
        }
        quietly(listener);
        quietly(selector);
    }
}
