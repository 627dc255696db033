package sluice.lab.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Sends bytes over one connection to an [EchoServer] and takes them back, both at full speed, with
/// a bounded number on their way.
///
/// Arguments: port, bytes. Prints one line when it ends: `seconds`, `bytes` that came back,
/// `failure` (empty when all did); exit code 1 when there is one.
public final class EchoPump {

    /// A prime: where bytes are lost or repeated, what follows does not match its position.
    private static final int PERIOD = 251;

    /// Whole periods, so that every block begins with the same byte; nearly 128 KiB.
    private static final int BLOCK = PERIOD * 522;

    /// Blocks on their way, about 1 MiB: enough to keep four processes busy.
    private static final int WINDOW = 8;

    private final SocketChannel channel;
    private final long bytes;
    private final Semaphore window = new Semaphore(WINDOW);
    private volatile String failure = "";

    private EchoPump(SocketChannel channel, long bytes) {
        this.channel = channel;
        this.bytes = bytes;
    }

    /// Starts it.
    public static void main(String[] arguments) throws InterruptedException {
        Map<String, @Nullable Object> result =
                run(Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]));
        Say.result(result);
        System.exit("".equals(result.get("failure")) ? 0 : 1);
    }

    static Map<String, @Nullable Object> run(int port, long bytes) throws InterruptedException {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        long begin = System.nanoTime();
        try (SocketChannel channel =
                SocketChannel.open(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port))) {
            EchoPump pump = new EchoPump(channel, bytes);
            Thread sender = Thread.ofPlatform().name("sender").start(pump::send);
            long back = pump.receive();
            if (back < bytes) {
                sender.interrupt();
            }
            sender.join();
            result.put("bytes", back);
            result.put("failure", pump.failure);
        } catch (IOException refused) {
            result.put("bytes", 0L);
            result.put("failure", Say.reason(refused));
        }
        result.put("seconds", (System.nanoTime() - begin) / 1e9);
        return result;
    }

    private void send() {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            block.put((byte) (i % PERIOD));
        }
        try {
            for (long sent = 0; sent < bytes; ) {
                window.acquire();
                block.clear().limit((int) Math.min(BLOCK, bytes - sent));
                while (block.hasRemaining()) {
                    sent += channel.write(block);
                }
            }
        } catch (IOException broken) {
            fail("sending failed: " + Say.reason(broken));
        } catch (InterruptedException _) {
            // The receiver has said why.
        }
    }

    /// @return how many bytes came back and were those expected
    private long receive() {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        long back = 0;
        try {
            while (back < bytes) {
                block.clear();
                int count = channel.read(block);
                if (count < 0) {
                    throw new EOFException("it was closed");
                }
                if (block.get(0) != (byte) (back % PERIOD)
                        || block.get(count - 1) != (byte) ((back + count - 1) % PERIOD)) {
                    throw new IOException("other bytes came back than were sent");
                }
                window.release((int) ((back + count) / BLOCK - back / BLOCK));
                back += count;
            }
        } catch (IOException broken) {
            fail("after " + back + " of " + bytes + " bytes: " + Say.reason(broken));
        }
        return back;
    }

    private synchronized void fail(String reason) {
        if (failure.isEmpty()) {
            failure = reason;
        }
    }
}
