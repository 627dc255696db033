package sluice.lab.process;

import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;

/// A program that uses a known amount of processor time, then a known amount of memory for a
/// moment, then nothing.
final class Burner {

    static final double SECONDS = 0.4;
    static final int MIB = 64;

    private Burner() {}

    public static void main(String[] arguments) throws InterruptedException {
        var threads = ManagementFactory.getThreadMXBean();
        long number = 1;
        while (threads.getCurrentThreadCpuTime() < SECONDS * 1e9) {
            number = number * 31 + 7;
        }
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate((long) MIB << 20).fill((byte) number);
        }
        System.out.println("burnt");
        Thread.sleep(60_000);
    }
}
