package sluice.lab.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/// Receives what [Pour] sends and acknowledges how much arrived.
///
/// A connection carries, as often as its sender likes: 8 bytes with a length (big-endian), that
/// many bytes, and back 8 bytes with how many arrived. The length [#HOW_MUCH] carries nothing and
/// is answered with the total of all connections so far.
///
/// Arguments: port, or 0 for any. Prints `ready PORT`; where a connection ends too early, a line to
/// standard error. Runs until it is ended.
public final class Sink implements AutoCloseable {

    /// Asks for the total of all connections.
    static final long HOW_MUCH = -1;

    private static final int BLOCK = 128 * 1024;

    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    private final Door door;
    private long total;

    Sink(int port) throws IOException {
        door = new Door(port, Delivery::new);
    }

    /// Starts it.
    public static void main(String[] arguments) throws IOException {
        try (Sink sink = new Sink(Integer.parseInt(arguments[0]))) {
            Say.ready(sink.port());
            sink.run();
        }
    }

    /// Asks a running sink how many bytes it got so far, over all connections.
    ///
    /// @param port where it listens on 127.0.0.1
    public static long total(int port) throws IOException {
        try (SocketChannel channel =
                SocketChannel.open(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port))) {
            return ask(channel);
        }
    }

    /// The same, over a connection that may carry more.
    static long ask(SocketChannel channel) throws IOException {
        ByteBuffer words = ByteBuffer.allocate(Long.BYTES).putLong(HOW_MUCH).flip();
        channel.write(words);
        words.clear();
        while (words.hasRemaining()) {
            if (channel.read(words) < 0) {
                throw new EOFException("ended before the sink said how much it got");
            }
        }
        return words.flip().getLong();
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
    private final class Delivery implements Guest {

        private final ByteBuffer words = ByteBuffer.allocate(Long.BYTES);
        private long announced;
        private long got;

        @Override
        public boolean turn(SelectionKey key, SocketChannel channel) throws IOException {
            if (words.hasRemaining()) {
                return readLength(channel);
            }
            block.clear();
            block.limit((int) Math.min(BLOCK, announced - got));
            int count = channel.read(block);
            if (count < 0) {
                throw new EOFException("it ended");
            }
            got += count;
            total += count;
            if (got == announced) {
                answer(channel, got);
            }
            return true;
        }

        private boolean readLength(SocketChannel channel) throws IOException {
            if (channel.read(words) < 0) {
                if (words.position() > 0) {
                    throw new EOFException("it ended within a length");
                }
                return false;
            }
            if (words.hasRemaining()) {
                return true;
            }
            announced = words.getLong(0);
            got = 0;
            if (announced == HOW_MUCH) {
                answer(channel, total);
            } else if (announced <= 0) {
                throw new IOException("it announces " + announced + " bytes");
            }
            return true;
        }

        /// Eight bytes always fit: the sender waits for them before it asks again.
        private void answer(SocketChannel channel, long number) throws IOException {
            words.clear().putLong(number).flip();
            channel.write(words);
            words.clear();
        }

        @Override
        public void lost(String reason) {
            Say.complaint("a connection after " + got + " of " + announced + " bytes: " + reason);
        }
    }
}
