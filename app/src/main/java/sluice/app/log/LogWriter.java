package sluice.app.log;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Writes lines on a thread of its own. Whoever offers one never waits: lines that find the queue
/// full are lost and counted, and the count is written when there is room again. A line that comes
/// again and again is written once, with how often it came.
final class LogWriter {

    /// Chosen: what a busy process logs at debug while a disk takes a second, some megabytes at
    /// most.
    static final int MOST_WAITING = 8192;

    /// How long a repeated line waits for another one before its count is written.
    private static final long FOLD_NANOS = 5_000_000_000L;

    private final ConcurrentLinkedQueue<Line> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final Object startLock = new Object();
    private final Output lastResort;

    private volatile Output wanted;
    private volatile boolean reopening;
    private volatile boolean closing;
    private volatile @Nullable Thread thread;

    // Below: the writer's thread alone.
    private Output output;
    private @Nullable Line last;
    private int repeats;
    private long foldUntilNanos;
    private boolean failed;

    /// @param output where lines go
    /// @param lastResort where they go while `output` does not take them
    LogWriter(Output output, Output lastResort) {
        this.wanted = output;
        this.output = output;
        this.lastResort = lastResort;
    }

    /// Takes a line, or counts it as lost. Any thread; never waits.
    void offer(Line line) {
        if (waitingCount.incrementAndGet() > MOST_WAITING) {
            waitingCount.decrementAndGet();
            lost.incrementAndGet();
            return;
        }
        waiting.add(line);
        wake();
    }

    /// Writes to another place from the next line on.
    void writeTo(Output next) {
        wanted = next;
        wake();
    }

    /// Opens the file anew.
    void reopen() {
        reopening = true;
        wake();
    }

    /// Writes what is waiting and ends the thread; gives up after `millis`.
    void close(long millis) {
        closing = true;
        Thread writer = thread;
        if (writer == null) {
            return;
        }
        LockSupport.unpark(writer);
        try {
            writer.join(millis);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void wake() {
        Thread writer = thread;
        if (writer == null) {
            synchronized (startLock) {
                if (thread == null) {
                    Thread started = Thread.ofPlatform().daemon().name("log").unstarted(this::run);
                    thread = started;
                    started.start();
                }
                writer = thread;
            }
        }
        LockSupport.unpark(writer);
    }

    private void run() {
        while (true) {
            boolean ending = closing;
            follow();
            Line line = waiting.poll();
            if (line != null) {
                waitingCount.decrementAndGet();
                take(line);
            } else if (ending) {
                writeRepeats();
                writeLost();
                output.close();
                return;
            } else {
                writeLost();
                rest();
            }
        }
    }

    /// Changes to the output that is wanted.
    private void follow() {
        if (output != wanted) {
            writeRepeats();
            output.close();
            output = wanted;
        } else if (reopening) {
            reopening = false;
            writeRepeats();
            output.close();
        }
    }

    private void take(Line line) {
        // What the process does is told each time: an operator waits for "reloaded".
        if (line.saysTheSameAs(last) && !line.logger().equals("server")) {
            if (repeats++ == 0) {
                foldUntilNanos = System.nanoTime() + FOLD_NANOS;
            } else if (System.nanoTime() - foldUntilNanos > 0) {
                writeRepeats();
            }
            return;
        }
        writeRepeats();
        last = line;
        write(line, "");
    }

    private void writeRepeats() {
        if (repeats > 0 && last != null) {
            int count = repeats;
            repeats = 0;
            Line again =
                    last.epochMillis() == Line.NO_TIME
                            ? last
                            : new Line(
                                    System.currentTimeMillis(),
                                    last.level(),
                                    last.logger(),
                                    last.message(),
                                    null);
            write(again, " (repeated " + count + (count == 1 ? " time)" : " times)"));
        }
    }

    private void writeLost() {
        int count = lost.getAndSet(0);
        if (count > 0) {
            Line notice =
                    new Line(
                            last == null ? Line.NO_TIME : last.epochMillis(),
                            Level.WARNING,
                            "log",
                            count + " lines could not be written",
                            null);
            if (!write(notice, "")) {
                lost.addAndGet(count - 1);
            }
        }
    }

    /// A line that its output does not take goes to the last resort, and is lost where that does
    /// not take it either: a full disk must not stop what the process is for. The first failure is
    /// told, once until a line gets through again.
    private boolean write(Line line, String tail) {
        try {
            output.write(line.toText(tail));
            failed = false;
            return true;
        } catch (IOException | RuntimeException fault) {
            output.close();
            boolean isFirst = !failed;
            failed = true;
            String reason = isFirst ? output.why(fault) : "";
            if (output != lastResort && writeToLastResort(line, tail, isFirst, reason)) {
                return true;
            }
            lost.incrementAndGet();
            return false;
        }
    }

    private boolean writeToLastResort(Line line, String tail, boolean isFirst, String reason) {
        try {
            if (isFirst) {
                String notice =
                        "cannot write the log to "
                                + output.describe()
                                + ": "
                                + reason
                                + "; it goes to "
                                + lastResort.describe()
                                + " until that can be written";
                lastResort.write(
                        new Line(line.epochMillis(), Level.ERROR, "log", notice, null).toText(""));
            }
            lastResort.write(line.toText(tail));
            return true;
        } catch (IOException | RuntimeException _) {
            // There is no third place.
            return false;
        }
    }

    private void rest() {
        if (repeats > 0) {
            long left = foldUntilNanos - System.nanoTime();
            if (left <= 0) {
                writeRepeats();
            } else {
                LockSupport.parkNanos(this, left);
            }
        } else {
            LockSupport.park(this);
        }
    }
}
