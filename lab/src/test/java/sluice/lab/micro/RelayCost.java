package sluice.lab.micro;

import sluice.base.net.Endpoint;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.linux.LinuxSystem;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.PipeCalls;

import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;

/// What one direction of a relay costs the relaying thread, in processor seconds per GiB: copied
/// through heap arrays of several sizes, and spliced through pipes of several sizes. A second
/// thread sends and receives.
///
/// Arguments: bytes per write of the sender (262,144 unless given).
public final class RelayCost {

    private static final long BYTES = 2L << 30;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private RelayCost() {}

    /// Prints one line per way and size.
    public static void main(String[] arguments) throws InterruptedException {
        int write = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1 << 18;
        for (int round = 0; round < 2; round++) {
            for (int size : new int[] {1 << 14, 1 << 16, 1 << 17, 262_128}) {
                run("copy", size, write);
            }
            for (int size : new int[] {1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20}) {
                run("splice", size, write);
            }
        }
    }

    private static void run(String way, int size, int write) throws InterruptedException {
        try (LoopDriver driver = new LinuxSystem().openLoop()) {
            int[] in = pair(driver);
            int[] out = pair(driver);
            long bytes = write < 4096 ? BYTES / 64 : BYTES;
            Thread ends = Thread.ofPlatform().start(() -> feed(in[0], out[1], write, bytes));
            long start = System.nanoTime();
            long cpu = THREADS.getCurrentThreadCpuTime();
            long calls =
                    way.equals("copy")
                            ? copy(driver, in[1], out[0], size)
                            : splice(driver, in[1], out[0], size);
            cpu = THREADS.getCurrentThreadCpuTime() - cpu;
            double seconds = (System.nanoTime() - start) / 1e9;
            ends.join();
            double gib = bytes / (double) (1L << 30);
            System.out.printf(
                    Locale.ROOT,
                    "%-6s %,9d bytes, writes of %,d: %.3f CPU s/GiB, %.2f GiB/s, %,.0f calls/GiB%n",
                    way,
                    size,
                    write,
                    cpu / 1e9 / gib,
                    gib / seconds,
                    calls / gib);
            for (int socket : new int[] {in[0], in[1], out[0], out[1]}) {
                driver.close(socket);
            }
        }
    }

    private static void feed(int source, int target, int write, long bytes) {
        try (LoopDriver driver = new LinuxSystem().openLoop()) {
            driver.watch(source, 1);
            driver.watch(target, 2);
            byte[] block = new byte[write];
            byte[] sink = new byte[1 << 20];
            long sent = 0;
            long received = 0;
            while (received < bytes) {
                int result = 0;
                if (sent < bytes) {
                    int length = (int) Math.min(write, bytes - sent);
                    result = driver.send(source, block, 0, length, false);
                    sent += Math.max(0, result);
                }
                int got = driver.receive(target, sink, 0, sink.length);
                received += Math.max(0, got);
                if (got < 0 && result <= 0) {
                    driver.await(-1);
                }
            }
            driver.shutdownOutput(source);
        }
    }

    private static long copy(LoopDriver driver, int source, int target, int size) {
        byte[] buffer = new byte[size];
        long calls = 0;
        while (true) {
            int got = driver.receive(source, buffer, 0, size);
            calls++;
            if (got == 0) {
                return calls;
            }
            if (got < 0) {
                driver.await(-1);
                calls++;
                continue;
            }
            int sent = 0;
            while (sent < got) {
                int result = driver.send(target, buffer, sent, got - sent, false);
                calls++;
                if (result < 0) {
                    driver.await(-1);
                    calls++;
                } else {
                    sent += result;
                }
            }
        }
    }

    private static long splice(LoopDriver driver, int source, int target, int size) {
        try (Arena arena = Arena.ofConfined()) {
            PipeCalls calls = new PipeCalls(new CallState(arena), arena);
            calls.pipe();
            int from = calls.readEnd();
            int to = calls.writeEnd();
            calls.fcntl(from, Abi.F_SETPIPE_SZ, size);
            long count = 0;
            while (true) {
                long got = calls.splice(source, to, 1 << 20, Abi.SPLICE_F_NONBLOCK);
                count++;
                if (got == 0) {
                    return count;
                }
                if (got < 0) {
                    check(got);
                    driver.await(-1);
                    count++;
                    continue;
                }
                while (got > 0) {
                    long result = calls.splice(from, target, got, Abi.SPLICE_F_NONBLOCK);
                    count++;
                    if (result < 0) {
                        check(result);
                        driver.await(-1);
                        count++;
                    } else {
                        got -= result;
                    }
                }
            }
        }
    }

    private static void check(long result) {
        if (result != -Errno.EAGAIN) {
            throw new AssertionError(Errno.describe((int) -result));
        }
    }

    private static int[] pair(LoopDriver driver) {
        Endpoint any = Endpoint.parseOrNull("127.0.0.1:0");
        int listener = driver.listen(any, ListenOptions.DEFAULT);
        int dialled = driver.connect(driver.localOf(listener), DialOptions.DEFAULT);
        int accepted = driver.accept(listener, 0);
        while (accepted < 0) {
            accepted = driver.accept(listener, 0);
        }
        driver.watch(dialled, dialled);
        driver.watch(accepted, accepted);
        driver.close(listener);
        return new int[] {dialled, accepted};
    }
}
