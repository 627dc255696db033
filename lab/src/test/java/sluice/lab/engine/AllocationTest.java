package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Relaying makes no garbage: what a loop allocates does not grow with what passes.
final class AllocationTest {

    private static final long MEGABYTE = 1 << 20;
    private static final int ROUNDS = 6;
    private static final long BYTES_PER_ROUND = 256 * MEGABYTE;

    /// A view of an array at an odd place costs the driver about 50 bytes for a read or a write,
    /// and each moves 64 KiB at least when much is sent: more than two views per read would show,
    /// and any buffer. The quietest round counts, since compilers work beside.
    private static final long ALLOCATED_MAX = BYTES_PER_ROUND / (64 * 1024) * 2 * 56;

    @ParameterizedTest
    @EnumSource(
            value = Lane.Mode.class,
            names = {"SPLICE", "COPY", "LAYERED", "XOR"})
    void whatALoopAllocatesDoesNotGrowWithWhatItRelays(Lane.Mode mode) throws Exception {
        try (Acceptor origin = new Acceptor();
                Lane lane = Lane.open(Driver.LINUX, mode, origin.destination())) {
            try (Socket client = lane.connect();
                    Socket server = origin.accept()) {
                long quietest = Long.MAX_VALUE;
                for (int i = 0; i < ROUNDS && quietest >= ALLOCATED_MAX; i++) {
                    long before = Cpu.allocatedByLoops();
                    relay(server, client, BYTES_PER_ROUND);
                    quietest = Math.min(quietest, Cpu.allocatedByLoops() - before);
                }
                assertThat(quietest).isLessThan(ALLOCATED_MAX);
            }
        }
    }

    private static void relay(Socket from, Socket to, long bytes) throws Exception {
        Work<Boolean> sending =
                Work.of(() -> {
                    byte[] chunk = new byte[(int) MEGABYTE];
                    OutputStream out = from.getOutputStream();
                    for (long sent = 0; sent < bytes; sent += chunk.length) {
                        out.write(chunk);
                    }
                    return true;
                });
        byte[] chunk = new byte[(int) MEGABYTE];
        InputStream in = to.getInputStream();
        long left = bytes;
        while (left > 0) {
            left -= in.readNBytes(chunk, 0, (int) Math.min(chunk.length, left));
        }
        sending.result();
    }
}
