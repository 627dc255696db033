package sluice.lab.process;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// Ports of 127.0.0.1: free ones, and who listens. Nothing here connects, since a connection would
/// be the first client of whoever listens.
public final class Ports {

    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 32_000;
    private static final Duration STEP = Duration.ofMillis(10);

    private static final String ESTABLISHED = "01";
    private static final String LISTEN = "0A";
    private static final String UNCONNECTED = "07";

    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /// A port that is free for TCP and UDP, and that was not given before. It lies below those that
    /// Linux gives to outgoing connections, so that no client takes it in between.
    ///
    /// @throws IOException when none was found
    public static synchronized int free() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (!GIVEN.contains(port) && isFree(port)) {
                if (GIVEN.size() > (HIGHEST - LOWEST) / 2) {
                    GIVEN.clear();
                }
                GIVEN.add(port);
                return port;
            }
        }
        throw new IOException("found no free port from " + LOWEST + " to " + HIGHEST);
    }

    private static boolean isFree(int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (ServerSocket tcp = new ServerSocket();
                DatagramSocket udp = new DatagramSocket(null)) {
            tcp.setReuseAddress(false);
            tcp.bind(address);
            udp.bind(address);
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /// Waits until a process or a descendant listens on a TCP port.
    ///
    /// @throws IOException when it ended or does not listen in time; the message says why
    public static void awaitListening(Child child, int port, Duration most)
            throws IOException, InterruptedException {
        await(child, port, most, List.of("tcp", "tcp6"), LISTEN);
    }

    /// The same for a UDP port.
    public static void awaitDatagrams(Child child, int port, Duration most)
            throws IOException, InterruptedException {
        await(child, port, most, List.of("udp", "udp6"), UNCONNECTED);
    }

    private static void await(
            Child child, int port, Duration most, List<String> tables, String state)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        Set<Long> inodes = Set.of();
        while (System.nanoTime() < end) {
            boolean alive = child.alive();
            inodes = inodes(port, tables, state);
            if (!inodes.isEmpty() && hasOneOf(child, inodes)) {
                return;
            }
            if (!alive) {
                Integer code = child.await(Duration.ZERO);
                throw new IOException("ended with " + code + saying(child));
            }
            Thread.sleep(STEP);
        }
        throw new IOException(
                inodes.isEmpty()
                        ? "does not listen on "
                                + port
                                + " after "
                                + most.toMillis()
                                + " ms"
                                + saying(child)
                        : "port " + port + " belongs to another process" + saying(child));
    }

    private static String saying(Child child) {
        String words = child.lastWords();
        return words.isEmpty() ? "" : ": " + words;
    }

    private static boolean hasOneOf(Child child, Set<Long> inodes) {
        for (Proc.Stat each : Proc.tree(child.pid())) {
            Set<Long> sockets = Proc.sockets(each.pid());
            // Where it cannot be seen, a listener on a port nobody else was given is the child.
            if (sockets == null || sockets.stream().anyMatch(inodes::contains)) {
                return true;
            }
        }
        return false;
    }

    /// Whether anyone listens on a TCP port.
    public static boolean listens(int port) {
        return !inodes(port, List.of("tcp", "tcp6"), LISTEN).isEmpty();
    }

    /// How many TCP connections to a port are established, seen from its listener's side.
    public static int established(int port) {
        return rows(port, List.of("tcp", "tcp6"), ESTABLISHED).size();
    }

    private static Set<Long> inodes(int port, List<String> tables, String state) {
        Set<Long> inodes = new HashSet<>();
        for (String[] row : rows(port, tables, state)) {
            inodes.add(Long.parseLong(row[9]));
        }
        return inodes;
    }

    /// Rows of `/proc/net/tcp` and its like: number, local, remote, state, …, inode at index 9.
    private static List<String[]> rows(int port, List<String> tables, String state) {
        String end = ":" + String.format("%04X", port);
        return tables.stream()
                .flatMap(table -> Proc.text(Path.of("/proc/net", table)).lines().skip(1))
                .map(line -> line.trim().split("\\s+"))
                .filter(row -> row.length > 9 && row[1].endsWith(end) && row[3].equals(state))
                .toList();
    }
}
