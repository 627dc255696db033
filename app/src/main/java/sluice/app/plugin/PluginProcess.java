package sluice.app.plugin;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Shown;

/// One plugin that runs until it is told to stop: started, its output logged, started again when it
/// ends, later each time. It ends with this process, however that ends: the kernel sends it a
/// signal when the thread that started it is gone, which is why that is a thread of the platform.
final class PluginProcess {

    private static final System.Logger LOG = System.getLogger("sluice.plugin");

    /// Between an end and the next start; doubled each time that the plugin ends early.
    private static final long FIRST_PAUSE_MILLIS = 1000;

    /// No longer than this: the network that it needs may be back any minute.
    private static final long LONGEST_PAUSE_MILLIS = 60_000;

    /// Who ran that long has not failed to start.
    private static final long STABLE_NANOS = 60_000_000_000L;

    /// From SIGTERM to SIGKILL.
    private static final long GRACE_MILLIS = 1000;

    /// Sets the signal, then becomes the plugin; part of every Linux system that has util-linux.
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private final String name;
    private final List<String> command;
    private final Map<String, String> variables;
    private final Thread watcher;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable Process process;

    /// @param name for the log: the inbound's or outbound's tag
    /// @param program runs without arguments (SIP003)
    /// @param variables `SS_REMOTE_HOST` and its kin
    PluginProcess(String name, String program, Map<String, String> variables) {
        this.name = name;
        this.command =
                Files.isExecutable(SETPRIV)
                        ? List.of(SETPRIV.toString(), "--pdeathsig", "KILL", program)
                        : List.of(program);
        this.variables = Map.copyOf(variables);
        this.watcher = Thread.ofPlatform().daemon().name("plugin " + name).unstarted(this::watch);
    }

    /// Starts it.
    void start() {
        watcher.start();
    }

    /// Whether it runs at this moment.
    boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /// Ends it and everything it started: asks, waits a second, then makes it.
    void stop() {
        stopping.countDown();
        Process running = process;
        if (running == null) {
            return;
        }
        List<ProcessHandle> all = new ArrayList<>(running.descendants().toList());
        all.add(running.toHandle());
        all.forEach(ProcessHandle::destroy);
        try {
            if (running.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                all.remove(running.toHandle());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }

    private void watch() {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (!isStopping()) {
            long since = System.nanoTime();
            String end = runOnce();
            if (isStopping()) {
                return;
            }
            if (System.nanoTime() - since > STABLE_NANOS) {
                pauseMillis = FIRST_PAUSE_MILLIS;
            }
            LOG.log(
                    Level.WARNING,
                    name + ": " + end + "; starts again in " + pauseMillis / 1000 + " s");
            try {
                if (stopping.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException _) {
                return;
            }
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, pauseMillis * 2);
        }
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /// Runs it to its end, and says how it ended. The thread must not leave earlier, since the
    /// plugin would not survive that.
    private String runOnce() {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(variables);
        builder.redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        try {
            Process running = builder.start();
            process = running;
            if (isStopping()) {
                running.destroyForcibly();
            }
            LOG.log(Level.INFO, name + ": runs as process " + running.pid());
            Thread.ofVirtual().name("plugin output " + name).start(() -> copyOutput(running));
            return "ended with code " + running.waitFor();
        } catch (IOException fault) {
            return "cannot be started: " + Shown.plain(String.valueOf(fault.getMessage()));
        } catch (InterruptedException _) {
            return "is no longer watched";
        }
    }

    private void copyOutput(Process running) {
        try (BufferedReader output = running.inputReader(StandardCharsets.UTF_8)) {
            CutLines lines = new CutLines(output);
            String line = lines.nextOrNull();
            while (line != null) {
                LOG.log(Level.INFO, name + ": " + line);
                line = lines.nextOrNull();
            }
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, name + ": its output ends: " + fault.getMessage());
        }
    }
}
