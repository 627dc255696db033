package sluice.linux;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.SocketCalls;
import sluice.linux.pipe.PipePool;

/// Asks the running kernel what it can do. Every answer comes from trying, or from `/proc/sys`;
/// nothing is derived from a version number.
final class Features {

    private static final int SYSCTL_BYTES = 128;

    private final SocketCalls calls;
    private final PipePool pipes;
    private final Map<String, String> found = new LinkedHashMap<>();

    private Features(Arena arena) {
        CallState state = new CallState(arena);
        calls = new SocketCalls(state, arena);
        pipes = new PipePool(state, calls, arena);
    }

    /// Feature name to `yes`, `no` or a value, in the order to print.
    static Map<String, String> probe() {
        try (Arena arena = Arena.ofConfined()) {
            Features features = new Features(arena);
            features.probeAll();
            return features.found;
        }
    }

    private void probeAll() {
        found.put("kernel", System.getProperty("os.version", "unknown"));
        found.put("machine", System.getProperty("os.arch", "unknown"));
        probePipe();
        option("udp-gso", Abi.SOCK_DGRAM, 0, Abi.SOL_UDP, Abi.UDP_SEGMENT, 1400);
        option("udp-gro", Abi.SOCK_DGRAM, 0, Abi.SOL_UDP, Abi.UDP_GRO, 1);
        option("mptcp", Abi.SOCK_STREAM, Abi.IPPROTO_MPTCP, Abi.SOL_SOCKET, Abi.SO_REUSEADDR, 1);
        String fastOpen = sysctl("net/ipv4/tcp_fastopen");
        found.put("tcp-fast-open-client", bit(fastOpen, 1));
        found.put("tcp-fast-open-server", bit(fastOpen, 2));
        option("routing-mark", Abi.SOCK_STREAM, 0, Abi.SOL_SOCKET, Abi.SO_MARK, 1);
        option("transparent", Abi.SOCK_STREAM, 0, Abi.SOL_IP, Abi.IP_TRANSPARENT, 1);
        option(
                "receive-buffer-force",
                Abi.SOCK_DGRAM,
                0,
                Abi.SOL_SOCKET,
                Abi.SO_RCVBUFFORCE,
                1 << 20);
        int v6 = calls.socket(Abi.AF_INET6, Abi.SOCK_STREAM, 0);
        String off = sysctl("net/ipv6/conf/all/disable_ipv6");
        answer("ipv6", v6 >= 0 && !"1".equals(off));
        close(v6);
        value("accept-queue-max", "net/core/somaxconn");
        value("receive-buffer-max-bytes", "net/core/rmem_max");
    }

    private void probePipe() {
        int pipe = pipes.take();
        answer("splice", pipe >= 0);
        if (pipe >= 0) {
            found.put("pipe-bytes", Integer.toString(pipes.capacityBytes(pipe)));
            pipes.drop(pipe);
        }
        value("pipe-bytes-max", "fs/pipe-max-size");
    }

    private void option(String name, int type, int protocol, int level, int option, int value) {
        int fd = calls.socket(Abi.AF_INET, type, protocol);
        answer(name, fd >= 0 && calls.setsockopt(fd, level, option, value) >= 0);
        close(fd);
    }

    private void answer(String name, boolean yes) {
        found.put(name, yes ? "yes" : "no");
    }

    private void value(String name, String path) {
        String value = sysctl(path);
        found.put(name, value == null ? "unknown" : value);
    }

    private void close(int fd) {
        if (fd >= 0) {
            int _ = calls.close(fd);
        }
    }

    private static String bit(@Nullable String value, int mask) {
        try {
            return value != null && (Integer.parseInt(value) & mask) != 0 ? "yes" : "no";
        } catch (NumberFormatException _) {
            return "no";
        }
    }

    /// Reads at once: the kernel gives the number to the first read alone, and a later one gets
    /// nothing.
    private static @Nullable String sysctl(String path) {
        byte[] text = new byte[SYSCTL_BYTES];
        try (InputStream in = Files.newInputStream(Path.of("/proc/sys", path))) {
            int bytes = in.read(text);
            return new String(text, 0, Math.max(0, bytes), StandardCharsets.US_ASCII).strip();
        } catch (IOException _) {
            return null;
        }
    }
}
