package sluice.lab.load;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;

/// Opens connections to a port behind which there is an [EchoServer], and holds them idle.
///
/// Arguments: port. Prints `ready PORT`: there it takes commands, one a line, and answers each with
/// a line of JSON.
///
/// - `open N K`: opens N more connections; each sends K bytes and waits for them before it idles.
///   Answers `opened`, `failed`, `reasons` (text to how often); gives up when [#PATIENCE] failed.
/// - `check`: sends 64 bytes over each and waits for them. Answers `answered`, `failed`, `reasons`,
///   `unasked`.
///
/// It ends when the command connection ends.
public final class Holder implements AutoCloseable {

    /// So many failures tell enough; each may take as long as [#TIMEOUT_MILLIS].
    static final int PATIENCE = 20;

    /// Any answer over loopback comes sooner, or never.
    private static final int TIMEOUT_MILLIS = 10_000;

    /// What is sent before the answer is waited for: less than any engine buffers.
    private static final int PIECE = 16 * 1024;

    private static final int CHECK_BYTES = 64;

    private final InetSocketAddress target;

    /// Some engines wait 40 ms for an acknowledgement with each piece; in turns that would be
    /// minutes.
    private static final int AT_ONCE = 20;

    private final List<Socket> held = Collections.synchronizedList(new ArrayList<>());
    private final byte[] sent = new byte[PIECE];

    Holder(int port) {
        target = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
        for (int i = 0; i < PIECE; i++) {
            sent[i] = (byte) (i % 251);
        }
    }

    /// Starts it.
    public static void main(String[] arguments) throws IOException {
        try (Holder holder = new Holder(Integer.parseInt(arguments[0]));
                ServerSocket commands =
                        new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            Say.ready(commands.getLocalPort());
            holder.obey(commands);
        }
    }

    private void obey(ServerSocket commands) throws IOException {
        try (Socket master = commands.accept();
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        master.getInputStream(), StandardCharsets.UTF_8))) {
            OutputStream answers = master.getOutputStream();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                Map<String, @Nullable Object> answer =
                        words[0].equals("open")
                                ? open(Integer.parseInt(words[1]), Integer.parseInt(words[2]))
                                : check();
                answers.write((Json.write(answer) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    Map<String, @Nullable Object> open(int connections, int bytes) {
        Failures failures = new Failures();
        int before = held.size();
        Semaphore turns = new Semaphore(AT_ONCE);
        try (ExecutorService openers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections && failures.count() < PATIENCE; i++) {
                turns.acquireUninterruptibly();
                openers.execute(() -> {
                    try {
                        open(bytes, failures);
                    } finally {
                        turns.release();
                    }
                });
            }
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("opened", held.size() - before);
        failures.into(answer);
        return answer;
    }

    private void open(int bytes, Failures failures) {
        Socket socket = new Socket();
        try {
            socket.connect(target, TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            exchange(socket, bytes);
            held.add(socket);
        } catch (IOException broken) {
            failures.add(broken);
            quietly(socket);
        }
    }

    Map<String, @Nullable Object> check() {
        Failures failures = new Failures();
        int answered = 0;
        for (Socket socket : held) {
            if (failures.count() >= PATIENCE) {
                break;
            }
            try {
                exchange(socket, CHECK_BYTES);
                answered++;
            } catch (IOException broken) {
                failures.add(broken);
            }
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("answered", answered);
        failures.into(answer);
        answer.put("unasked", held.size() - answered - failures.count());
        return answer;
    }

    private void exchange(Socket socket, int bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream();
        byte[] got = new byte[Math.min(bytes, PIECE)];
        for (int left = bytes; left > 0; left -= PIECE) {
            int piece = Math.min(left, PIECE);
            out.write(sent, 0, piece);
            int back = in.readNBytes(got, 0, piece);
            if (back < piece) {
                throw new EOFException("it was closed");
            }
            if (!Arrays.equals(sent, 0, piece, got, 0, piece)) {
                throw new IOException("other bytes came back than were sent");
            }
        }
    }

    private static void quietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // It is of no use any more.
        }
    }

    @Override
    public void close() {
        held.forEach(Holder::quietly);
    }

    /// Reasons, and how often each.
    private static final class Failures {

        private final Map<String, Integer> reasons = new TreeMap<>();
        private int count;

        synchronized int count() {
            return count;
        }

        synchronized void add(IOException broken) {
            count++;
            reasons.merge(Say.reason(broken), 1, Integer::sum);
        }

        synchronized void into(Map<String, @Nullable Object> answer) {
            answer.put("failed", count);
            answer.put("reasons", reasons);
        }
    }
}
