package sluice.lab.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Round trips of 64 bytes over one connection to an [EchoServer], one after the other.
///
/// Arguments: port, how many, most seconds. Prints one line when it ends: `count` of round trips
/// without the first tenth, which is dropped; `p50`, `p90`, `p99`, `p99.9` of them in microseconds;
/// `failure` (empty when there is none); exit code 1 when there is one.
public final class Pinger {

    private static final int BYTES = 64;

    /// An answer that takes longer will not come.
    private static final int TIMEOUT_MILLIS = 10_000;

    private Pinger() {}

    /// Starts it.
    public static void main(String[] arguments) {
        Map<String, @Nullable Object> result =
                run(
                        Integer.parseInt(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        Double.parseDouble(arguments[2]));
        Say.result(result);
        System.exit("".equals(result.get("failure")) ? 0 : 1);
    }

    static Map<String, @Nullable Object> run(int port, int most, double seconds) {
        long[] nanos = new long[most];
        int count = 0;
        String failure = "";
        long end = System.nanoTime() + (long) (seconds * 1e9);
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port),
                    TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            byte[] bytes = new byte[BYTES];
            while (count < most && System.nanoTime() < end) {
                long begin = System.nanoTime();
                out.write(bytes);
                if (in.readNBytes(bytes, 0, BYTES) < BYTES) {
                    throw new EOFException("it was closed");
                }
                nanos[count++] = System.nanoTime() - begin;
            }
        } catch (IOException broken) {
            failure = "round trip " + (count + 1) + ": " + Say.reason(broken);
        }
        return result(Arrays.copyOf(nanos, count), failure);
    }

    static Map<String, @Nullable Object> result(long[] nanos, String failure) {
        long[] kept = Arrays.copyOfRange(nanos, nanos.length / 10, nanos.length);
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("count", kept.length);
        if (kept.length > 0) {
            Percentiles percentiles = new Percentiles(kept);
            result.put("p50", percentiles.at(500) / 1e3);
            result.put("p90", percentiles.at(900) / 1e3);
            result.put("p99", percentiles.at(990) / 1e3);
            result.put("p99.9", percentiles.at(999) / 1e3);
        }
        result.put("failure", kept.length == 0 && failure.isEmpty() ? "no round trip" : failure);
        return result;
    }
}
