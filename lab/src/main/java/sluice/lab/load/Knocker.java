package sluice.lab.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Opens a connection to an [EchoServer], exchanges one byte, closes it, and begins again, with
/// several at a time.
///
/// Arguments: port, workers, seconds. Prints one line when it ends: `count` of connections that
/// went well, `failed` and `reasons` (text to how often), `seconds`; exit code 1 when none went
/// well.
public final class Knocker {

    /// An answer that takes longer will not come.
    private static final int TIMEOUT_MILLIS = 5_000;

    /// After a failure, so that an engine that is gone is not asked a million times.
    private static final int PAUSE_MILLIS = 20;

    private final InetSocketAddress target;
    private final Map<String, Integer> reasons = new TreeMap<>();
    private long count;
    private int failed;

    private Knocker(int port) {
        target = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    /// Starts it.
    public static void main(String[] arguments) throws InterruptedException {
        Map<String, @Nullable Object> result =
                run(
                        Integer.parseInt(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        Double.parseDouble(arguments[2]));
        Say.result(result);
        System.exit(Long.valueOf(0).equals(result.get("count")) ? 1 : 0);
    }

    static Map<String, @Nullable Object> run(int port, int workers, double seconds)
            throws InterruptedException {
        Knocker knocker = new Knocker(port);
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= workers; i++) {
            threads.add(Thread.ofPlatform().name("worker-" + i).start(() -> knocker.work(end)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return knocker.result((System.nanoTime() - begin) / 1e9);
    }

    private void work(long end) {
        long mine = 0;
        while (System.nanoTime() < end) {
            try (Socket socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.connect(target, TIMEOUT_MILLIS);
                socket.getOutputStream().write(1);
                if (socket.getInputStream().read() < 0) {
                    throw new EOFException("it was closed");
                }
                mine++;
            } catch (IOException broken) {
                fail(Say.reason(broken));
                pause();
            }
        }
        add(mine);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void fail(String reason) {
        failed++;
        reasons.merge(reason, 1, Integer::sum);
    }

    private synchronized void add(long mine) {
        count += mine;
    }

    private synchronized Map<String, @Nullable Object> result(double seconds) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("count", count);
        result.put("failed", failed);
        result.put("reasons", reasons);
        result.put("seconds", seconds);
        return result;
    }
}
