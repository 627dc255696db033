package sluice.lab.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// Sends back what it gets, to thousands of connections with one thread. A connection that waits
/// holds no buffer.
///
/// Arguments: port, or 0 for any. Prints `ready PORT`. Runs until it is ended.
public final class EchoServer implements AutoCloseable {

    private static final int BLOCK = 128 * 1024;

    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    private final Door door;

    EchoServer(int port) throws IOException {
        door = new Door(port, Echo::new);
    }

    /// Starts it.
    public static void main(String[] arguments) throws IOException {
        try (EchoServer server = new EchoServer(Integer.parseInt(arguments[0]))) {
            Say.ready(server.port());
            server.run();
        }
    }

    int port() {
        return door.port();
    }

    void run() throws IOException {
        door.run();
    }

    @Override
    public void close() {
        door.close();
    }

    /// One connection.
    private final class Echo implements Guest {

        /// What could not be sent back yet.
        private @Nullable ByteBuffer rest;

        @Override
        public boolean turn(SelectionKey key, SocketChannel channel) throws IOException {
            ByteBuffer waiting = rest;
            if (waiting != null) {
                channel.write(waiting);
                if (waiting.hasRemaining()) {
                    return true;
                }
                rest = null;
                key.interestOps(SelectionKey.OP_READ);
                return true;
            }
            block.clear();
            if (channel.read(block) < 0) {
                return false;
            }
            block.flip();
            channel.write(block);
            if (block.hasRemaining()) {
                rest = ByteBuffer.allocate(block.remaining()).put(block).flip();
                key.interestOps(SelectionKey.OP_WRITE);
            }
            return true;
        }

        @Override
        public void lost(String reason) {
            // The other side knows best why it ended, and reports it.
        }
    }
}
