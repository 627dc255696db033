package sluice.lab.micro;

import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import sluice.base.net.Endpoint;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.linux.LinuxSystem;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.PipeCalls;

/// What one direction of a relay costs the relaying thread, in processor seconds per GiB: copied
/// through heap arrays of several sizes, and spliced through pipes of several sizes. A second
/// thread sends and receives.
///
/// Arguments: bytes per write of the sender (262,144 unless given).
public final class RelayCost {

    private static final long BYTES = 4L << 30;
    private static final long STRETCH_BYTES = 64 << 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private RelayCost() {}

    /// Prints one line per way and size.
    public static void main(String[] arguments) throws InterruptedException {
        int write = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1 << 18;
        for (int size : new int[] {1 << 14, 1 << 16, 1 << 17, 262_128}) {
            run("copy", size, write);
        }
        for (int size : new int[] {1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20}) {
            run("splice", size, write);
        }
    }

    private static void run(String way, int size, int write) throws InterruptedException {
        try (LoopDriver driver = new LinuxSystem().openLoop()) {
            int[] in = pair(driver);
            int[] out = pair(driver);
            long bytes = write < 4096 ? BYTES / 4 : BYTES;
            Thread ends = Thread.ofPlatform().start(() -> feed(in[0], out[1], write, bytes));
            Meter meter = new Meter(STRETCH_BYTES);
            if (way.equals("copy")) {
                copy(driver, in[1], out[0], size, meter);
            } else {
                splice(driver, in[1], out[0], size, meter);
            }
            ends.join();
            System.out.printf(
                    Locale.ROOT,
                    "%-6s %,9d bytes, writes of %,d: %.3f CPU s/GiB, %,d calls/GiB%n",
                    way,
                    size,
                    write,
                    meter.bestSecondsPerGib,
                    meter.calls * (1L << 30) / bytes);
            for (int socket : new int[] {in[0], in[1], out[0], out[1]}) {
                driver.close(socket);
            }
        }
    }

    /// Processor time of the calling thread over stretches of so many bytes.
    private static final class Meter {
        private final long stretchBytes;
        private long bytes;
        private long startNanos = THREADS.getCurrentThreadCpuTime();
        private double bestSecondsPerGib = Double.MAX_VALUE;
        private long calls;

        Meter(long stretchBytes) {
            this.stretchBytes = stretchBytes;
        }

        void moved(long more) {
            bytes += more;
            if (bytes >= stretchBytes) {
                long nanos = THREADS.getCurrentThreadCpuTime();
                double perGib = (nanos - startNanos) / 1e9 * (1L << 30) / bytes;
                bestSecondsPerGib = Math.min(bestSecondsPerGib, perGib);
                startNanos = nanos;
                bytes = 0;
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

    private static void copy(LoopDriver driver, int source, int target, int size, Meter meter) {
        byte[] buffer = new byte[size];
        while (true) {
            int got = driver.receive(source, buffer, 0, size);
            meter.calls++;
            if (got == 0) {
                return;
            }
            if (got < 0) {
                driver.await(-1);
                meter.calls++;
                continue;
            }
            int sent = 0;
            while (sent < got) {
                int result = driver.send(target, buffer, sent, got - sent, false);
                meter.calls++;
                if (result < 0) {
                    driver.await(-1);
                    meter.calls++;
                } else {
                    sent += result;
                }
            }
            meter.moved(got);
        }
    }

    private static void splice(LoopDriver driver, int source, int target, int size, Meter meter) {
        try (Arena arena = Arena.ofConfined()) {
            PipeCalls calls = new PipeCalls(new CallState(arena), arena);
            calls.pipe();
            int from = calls.readEnd();
            int to = calls.writeEnd();
            calls.fcntl(from, Abi.F_SETPIPE_SZ, size);
            while (true) {
                long got = calls.splice(source, to, 1 << 20, Abi.SPLICE_F_NONBLOCK);
                meter.calls++;
                if (got == 0) {
                    return;
                }
                if (got < 0) {
                    check(got);
                    driver.await(-1);
                    meter.calls++;
                    continue;
                }
                long left = got;
                while (left > 0) {
                    long result = calls.splice(from, target, left, Abi.SPLICE_F_NONBLOCK);
                    meter.calls++;
                    if (result < 0) {
                        check(result);
                        driver.await(-1);
                        meter.calls++;
                    } else {
                        left -= result;
                    }
                }
                meter.moved(got);
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
        int accepted = driver.accept(listener);
        while (accepted < 0) {
            accepted = driver.accept(listener);
        }
        driver.watch(dialled, dialled);
        driver.watch(accepted, accepted);
        driver.close(listener);
        return new int[] {dialled, accepted};
    }
}
