package sluice.lab.engine;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// What the threads of loops use.
final class Cpu {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Cpu() {}

    /// Processor time of all loops that run.
    static Duration ofLoops() {
        long nanos = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (isLoop(thread)) {
                nanos += Math.max(0, THREADS.getThreadCpuTime(thread.threadId()));
            }
        }
        return Duration.ofNanos(nanos);
    }

    /// Bytes that all loops that run have allocated.
    static long allocatedByLoops() {
        long bytes = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (isLoop(thread)) {
                bytes += Math.max(0, THREADS.getThreadAllocatedBytes(thread.threadId()));
            }
        }
        return bytes;
    }

    /// How many loops run.
    static long loops() {
        return Thread.getAllStackTraces().keySet().stream().filter(Cpu::isLoop).count();
    }

    private static boolean isLoop(Thread thread) {
        return thread.getName().matches("loop-\\d+");
    }
}
