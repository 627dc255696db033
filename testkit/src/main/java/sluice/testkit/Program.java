package sluice.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A foreign program that runs for the length of a test. Its output is kept, its time is limited,
/// and [#close] kills it together with everything it started: it runs in a process group of its
/// own.
public final class Program implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<String> command;
    private final Process process;
    private final Duration limit;
    private final boolean ownGroup;
    private final Capture out;
    private final Capture err;

    private Program(List<String> command, Process process, Duration limit, boolean ownGroup) {
        this.command = command;
        this.process = process;
        this.limit = limit;
        this.ownGroup = ownGroup;
        out = new Capture(process.getInputStream(), command.getFirst() + " out");
        err = new Capture(process.getErrorStream(), command.getFirst() + " err");
    }

    /// A program and its arguments, not started yet.
    public static Builder of(Object program, Object... arguments) {
        return new Builder(program, arguments);
    }

    /// Starts a program, waits for its end and returns what it said.
    public static Result run(Object program, Object... arguments) {
        return of(program, arguments).run();
    }

    /// What a program needs besides its arguments.
    public static final class Builder {
        private final List<String> command = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private boolean inheritsEnvironment = true;
        private @Nullable Path directory;
        private Duration limit = LIMIT;

        private Builder(Object program, Object... arguments) {
            command.add(program.toString());
            for (Object argument : arguments) {
                command.add(argument.toString());
            }
        }

        /// More arguments.
        public Builder with(Object... arguments) {
            for (Object argument : arguments) {
                command.add(argument.toString());
            }
            return this;
        }

        /// Sets a variable.
        public Builder variable(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /// Lets the program see only the variables set here.
        public Builder emptyEnvironment() {
            inheritsEnvironment = false;
            return this;
        }

        /// The working directory.
        public Builder in(Path directory) {
            this.directory = directory;
            return this;
        }

        /// How long the program may run; a minute unless said otherwise.
        public Builder limit(Duration limit) {
            this.limit = limit;
            return this;
        }

        /// Starts it.
        public Program start() {
            boolean ownGroup = Peers.find("setsid").isPresent();
            List<String> full = new ArrayList<>();
            if (ownGroup) {
                full.add(Peers.find("setsid").orElseThrow().toString());
            }
            full.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(full);
            if (directory != null) {
                builder.directory(directory.toFile());
            }
            if (!inheritsEnvironment) {
                builder.environment().clear();
            }
            builder.environment().putAll(environment);
            try {
                return new Program(List.copyOf(command), builder.start(), limit, ownGroup);
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot start " + command, failure);
            }
        }

        /// Starts it, waits for its end and returns what it said.
        public Result run() {
            try (Program program = start()) {
                program.closeInput();
                return program.result();
            }
        }
    }

    /// How a program ended and what it said.
    ///
    /// @param exit its exit code
    /// @param out all of its standard output
    /// @param err all of its standard error
    public record Result(int exit, String out, String err) {}

    /// The process id, for signals.
    public long pid() {
        return process.pid();
    }

    /// Whether it runs.
    public boolean isAlive() {
        return process.isAlive();
    }

    /// What it has said on standard output so far.
    public String out() {
        return out.text();
    }

    /// What it has said on standard error so far.
    public String err() {
        return err.text();
    }

    /// Waits until it has said `text` on either stream; fails when it ends before or takes longer
    /// than `limit`.
    public void awaitOutput(Duration limit, String text) {
        Eventually.await(
                limit,
                () -> "\"" + text + "\" from " + this,
                () -> {
                    if (out().contains(text) || err().contains(text)) {
                        return true;
                    }
                    if (!process.isAlive() && out.isAtEnd() && err.isAtEnd()) {
                        throw new AssertionError("ended without \"" + text + "\": " + this);
                    }
                    return false;
                });
    }

    /// Writes to its standard input.
    public void type(String text) {
        try {
            OutputStream input = process.getOutputStream();
            input.write(text.getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Ends its standard input.
    public void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Sends a signal to the program alone, by name: `TERM`, `HUP`.
    public void signal(String name) {
        kill("-" + name, Long.toString(pid()));
    }

    /// Waits for its end; fails when that takes longer than its limit.
    public Result result() {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running after " + limit + ": " + this);
            }
            out.awaitEnd();
            err.awaitEnd();
            return new Result(process.exitValue(), out(), err());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + this, interrupted);
        }
    }

    /// Kills it and everything it started.
    @Override
    public void close() {
        List<ProcessHandle> descendants = process.descendants().toList();
        if (ownGroup) {
            kill("-KILL", "-" + pid());
        }
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return command + "\n--- out\n" + out() + "\n--- err\n" + err();
    }

    private static void kill(String signal, String target) {
        try {
            new ProcessBuilder("kill", signal, "--", target)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Reads one stream to its end on a thread of its own, so that the program never blocks on a
    /// full pipe.
    private static final class Capture {
        /// A daemon that keeps the pipe open may outlive the program; its output is not waited for.
        private static final Duration END_LIMIT = Duration.ofSeconds(2);

        private final StringBuilder text = new StringBuilder();
        private final Thread thread;

        Capture(InputStream in, String name) {
            thread = Thread.ofVirtual().name(name).start(() -> drain(in));
        }

        synchronized String text() {
            return text.toString();
        }

        boolean isAtEnd() {
            return !thread.isAlive();
        }

        void awaitEnd() throws InterruptedException {
            thread.join(END_LIMIT);
        }

        private void drain(InputStream in) {
            byte[] bytes = new byte[8192];
            try {
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    append(new String(bytes, 0, n, StandardCharsets.UTF_8));
                }
            } catch (IOException closed) {
                append("\n(stream closed: " + closed.getMessage() + ")\n");
            }
        }

        private synchronized void append(String more) {
            text.append(more);
        }
    }
}
