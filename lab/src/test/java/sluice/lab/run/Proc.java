package sluice.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the kernel tells of processes and sockets under /proc. Looking there disturbs nobody, as a
/// connection to a port would.
public final class Proc {

    /// A state of a TCP socket as /proc/net/tcp writes it.
    public enum TcpState {
        /// Data flows.
        ESTABLISHED("01"),
        /// The peer has ended its side, ours has not.
        CLOSE_WAIT("08"),
        /// Waits for connections.
        LISTEN("0A");

        private final String code;

        TcpState(String code) {
            this.code = code;
        }
    }

    private static final int TICKS_PER_SECOND = 100;

    private Proc() {}

    /// Whether something listens on the TCP port, on any address.
    public static boolean isListening(int port) {
        return count(TcpState.LISTEN, port, false) > 0;
    }

    /// Whether a UDP socket is bound to the port, on any address.
    public static boolean isBound(int port) {
        return Stream.of("udp", "udp6")
                .flatMap(file -> table(file).stream())
                .anyMatch(fields -> portOf(fields[1]) == port);
    }

    /// How many TCP sockets in that state have the port as their own.
    public static int countLocal(TcpState state, int port) {
        return count(state, port, false);
    }

    /// How many TCP sockets in that state have the port as their peer's.
    public static int countRemote(TcpState state, int port) {
        return count(state, port, true);
    }

    /// How many descriptors the process has open.
    public static int descriptors(long pid) {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return (int) open.count();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// How many sockets the process has open.
    public static int sockets(long pid) {
        int count = 0;
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path link : open.toList()) {
                if (target(link).startsWith("socket:")) {
                    count++;
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return count;
    }

    /// Resident memory in KiB.
    public static long rssKib(long pid) {
        return status(pid, "VmRSS");
    }

    /// Threads.
    public static long threads(long pid) {
        return status(pid, "Threads");
    }

    /// CPU time used so far, in seconds.
    public static double cpuSeconds(long pid) {
        String stat = read(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12]))
                / (double) TICKS_PER_SECOND;
    }

    private static long status(long pid, String key) {
        return read(Path.of("/proc/" + pid + "/status"))
                .lines()
                .filter(line -> line.startsWith(key + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    private static int count(TcpState state, int port, boolean remote) {
        int count = 0;
        for (String file : List.of("tcp", "tcp6")) {
            for (String[] fields : table(file)) {
                if (fields[3].equals(state.code) && portOf(fields[remote ? 2 : 1]) == port) {
                    count++;
                }
            }
        }
        return count;
    }

    private static List<String[]> table(String file) {
        List<String[]> rows = new ArrayList<>();
        read(Path.of("/proc/net/" + file))
                .lines()
                .skip(1)
                .map(line -> line.strip().split(" +"))
                .filter(fields -> fields.length > 3)
                .forEach(rows::add);
        return rows;
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }

    /// A descriptor may be closed while the list is read.
    private static String target(Path link) throws IOException {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (NoSuchFileException closed) {
            return "";
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException absent) {
            return "";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
