package sluice.lab.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sends bytes to a [Sink] as fast as they are taken, in blocks of 128 KiB, and waits until it
/// acknowledges all of them.
///
/// Arguments: port, connections, bytes per connection, and bytes per connection that are sent
/// before and do not count (0 for none). Prints one line when it ends: `seconds` from the first
/// byte to the last acknowledgement, `bytes` that were acknowledged, `failures`; exit code 1 when
/// there are any.
public final class Pour {

    private static final int BLOCK = 128 * 1024;

    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    private final List<Stream> streams = new ArrayList<>();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

    Pour(int port, int connections) {
        for (int i = 1; i <= connections; i++) {
            streams.add(new Stream(i, port));
        }
    }

    /// Starts it.
    public static void main(String[] arguments) throws InterruptedException {
        Pour pour = new Pour(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        Map<String, @Nullable Object> result =
                pour.run(Long.parseLong(arguments[2]), Long.parseLong(arguments[3]));
        Say.result(result);
        System.exit(pour.failures.isEmpty() ? 0 : 1);
    }

    Map<String, @Nullable Object> run(long bytes, long before) throws InterruptedException {
        all(Stream::open);
        if (before > 0) {
            all(stream -> stream.send(before));
        }
        long begin = System.nanoTime();
        if (failures.isEmpty()) {
            all(stream -> stream.acknowledged = stream.send(bytes));
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        all(Stream::close);
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("seconds", seconds);
        result.put("bytes", streams.stream().mapToLong(stream -> stream.acknowledged).sum());
        result.put("connections", streams.size());
        result.put("failures", List.copyOf(failures));
        return result;
    }

    /// One step of every stream, each on a thread of its own: a blocking write of a whole block
    /// costs less than anything that has to wait for readiness first.
    private void all(Step step) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Stream stream : streams) {
            threads.add(
                    Thread.ofPlatform()
                            .name("stream-" + stream.number)
                            .start(() -> {
                                try {
                                    step.take(stream);
                                } catch (IOException broken) {
                                    failures.add(
                                            "connection "
                                                    + stream.number
                                                    + ": "
                                                    + Say.reason(broken));
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @FunctionalInterface
    private interface Step {
        void take(Stream stream) throws IOException;
    }

    /// One connection.
    private final class Stream {

        private final int number;
        private final int port;
        private @Nullable SocketChannel channel;
        private long acknowledged;

        Stream(int number, int port) {
            this.number = number;
            this.port = port;
        }

        /// Greets with a few bytes: engines are there that fail when the first payload of a
        /// connection fills a buffer, and the first block is no place to find that out.
        void open() throws IOException {
            SocketChannel open =
                    SocketChannel.open(
                            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            channel = open;
            Sink.ask(open);
        }

        /// @return how many bytes were acknowledged, which is all
        long send(long bytes) throws IOException {
            SocketChannel open = channel;
            if (open == null) {
                throw new IOException("is not open");
            }
            ByteBuffer words = ByteBuffer.allocate(Long.BYTES).putLong(bytes).flip();
            writeAll(open, words);
            long sent = 0;
            ByteBuffer mine = block.duplicate();
            try {
                while (sent < bytes) {
                    mine.clear().limit((int) Math.min(BLOCK, bytes - sent));
                    sent += writeAll(open, mine);
                }
            } catch (IOException broken) {
                throw new IOException(
                        "after " + sent + " bytes were sent: " + Say.reason(broken), broken);
            }
            long got = acknowledgement(open, bytes);
            if (got != bytes) {
                throw new IOException(got + " of " + bytes + " bytes arrived");
            }
            return got;
        }

        private long acknowledgement(SocketChannel open, long bytes) throws IOException {
            ByteBuffer words = ByteBuffer.allocate(Long.BYTES);
            while (words.hasRemaining()) {
                if (open.read(words) < 0) {
                    throw new EOFException(
                            "ended before its " + bytes + " bytes were acknowledged");
                }
            }
            return words.flip().getLong();
        }

        private static int writeAll(SocketChannel open, ByteBuffer bytes) throws IOException {
            int count = bytes.remaining();
            while (bytes.hasRemaining()) {
                open.write(bytes);
            }
            return count;
        }

        void close() throws IOException {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
