package sluice.lab.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A process on this machine, in a session of its own where `setsid` is there. Linux: its readings
/// are those of all its descendants and of whoever is left in its session.
public final class LocalChild implements Child {

    /// How long processes get to end by themselves. Chosen: no engine here needs a second.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration STEP = Duration.ofMillis(10);
    private static final Optional<Path> SETSID = Programs.onPath("setsid");

    private final Process process;
    private final String mark;
    private final Printed printed = new Printed();
    private final List<Thread> readers;
    private double cpuSecondsMost;
    private long peakKibMost;
    private @Nullable Integer code;

    private LocalChild(Process process, String mark) {
        this.process = process;
        this.mark = mark;
        this.readers =
                List.of(
                        printed.follow(process.getInputStream(), true),
                        printed.follow(process.getErrorStream(), false));
    }

    /// Starts a command.
    ///
    /// @param command the program, absolute or on PATH, and its arguments
    /// @param folder where it runs
    /// @param environment variables beside those of the lab
    /// @throws IOException when there is no such program
    public static LocalChild start(
            List<String> command, Path folder, Map<String, String> environment) throws IOException {
        List<String> words = new ArrayList<>();
        String program = command.getFirst();
        if (!program.contains("/") && Programs.onPath(program).isEmpty()) {
            throw new IOException("there is no program " + program + " on PATH");
        }
        SETSID.ifPresent(path -> words.add(path.toString()));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
        String mark = Leftovers.nextMark();
        builder.environment().putAll(environment);
        builder.environment().put(Leftovers.VARIABLE, mark);
        builder.redirectInput(new File("/dev/null"));
        return new LocalChild(builder.start(), mark);
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public boolean alive() {
        return process.isAlive();
    }

    /// Time of children that ended counts, as long as their parent waited for them.
    @Override
    public synchronized double cpuSeconds() {
        long ticks = 0;
        for (Proc.Stat each : Proc.tree(pid())) {
            ticks += each.ticks();
        }
        cpuSecondsMost = Math.max(cpuSecondsMost, ticks / Proc.TICKS_PER_SECOND);
        return cpuSecondsMost;
    }

    @Override
    public long residentKib() {
        return sum("VmRSS");
    }

    /// The sum of each process's own peak.
    @Override
    public synchronized long peakKib() {
        peakKibMost = Math.max(peakKibMost, sum("VmHWM"));
        return peakKibMost;
    }

    private long sum(String key) {
        long kib = 0;
        for (Proc.Stat each : Proc.tree(pid())) {
            kib += Proc.status(each.pid(), key);
        }
        return kib;
    }

    @Override
    public synchronized void resetPeak() {
        Proc.tree(pid()).forEach(each -> Proc.clearPeak(each.pid()));
        peakKibMost = 0;
    }

    /// Threads that ended no longer count.
    @Override
    public long contextSwitches() {
        long switches = 0;
        for (Proc.Stat each : Proc.tree(pid())) {
            switches += Proc.contextSwitches(each.pid());
        }
        return switches;
    }

    @Override
    public String lastWords() {
        return printed.lastWords();
    }

    @Override
    public String output() {
        return printed.output();
    }

    @Override
    public @Nullable Integer await(Duration most) throws InterruptedException {
        if (!process.waitFor(most.toNanos(), TimeUnit.NANOSECONDS)) {
            return null;
        }
        // What it printed last may still be in the pipe. A descendant may hold the pipe open.
        for (Thread reader : readers) {
            reader.join(Duration.ofSeconds(1));
        }
        return process.exitValue();
    }

    @Override
    public synchronized int stop() {
        if (code != null) {
            return code;
        }
        boolean interrupted = Thread.interrupted();
        long end = System.nanoTime() + PATIENCE.toNanos();
        Map<Long, ProcessHandle> left = left();
        // One that was started in between gets its TERM in a later turn.
        Map<Long, ProcessHandle> told = new LinkedHashMap<>();
        while (!left.isEmpty() && System.nanoTime() < end) {
            left.forEach((pid, handle) -> {
                if (told.put(pid, handle) == null) {
                    handle.destroy();
                }
            });
            interrupted |= pause();
            left = left();
        }
        end = System.nanoTime() + PATIENCE.toNanos();
        while (!left.isEmpty() && System.nanoTime() < end) {
            left.values().forEach(ProcessHandle::destroyForcibly);
            interrupted |= pause();
            left = left();
        }
        int ended = exitCode();
        code = ended;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return ended;
    }

    private int exitCode() {
        try {
            return process.waitFor(1, TimeUnit.SECONDS) ? process.exitValue() : 128 + 9;
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
            return 128 + 9;
        }
    }

    /// Whether anything of it still runs.
    boolean anyLeft() {
        return !left().isEmpty();
    }

    private Map<Long, ProcessHandle> left() {
        Map<Long, ProcessHandle> left = new LinkedHashMap<>();
        List<Proc.Stat> found = new ArrayList<>(Proc.tree(pid()));
        found.addAll(Proc.marked(Leftovers.VARIABLE, mark));
        for (Proc.Stat each : found) {
            if (each.runs()) {
                ProcessHandle.of(each.pid()).ifPresent(handle -> left.put(each.pid(), handle));
            }
        }
        if (process.isAlive()) {
            left.put(pid(), process.toHandle());
        }
        return left;
    }

    private static boolean pause() {
        try {
            Thread.sleep(STEP);
            return false;
        } catch (InterruptedException later) {
            return true;
        }
    }
}
