package sluice.lab.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a user sees of a run: on a terminal one line that changes, else a plain line per job. What
/// went wrong stays on the screen. Thread-safe.
public final class Progress {

    private final PrintStream out;
    private final boolean live;
    private int jobs;
    private int done;
    private Duration left = Duration.ZERO;
    private Duration expected = Duration.ZERO;
    private Duration seen = Duration.ZERO;

    /// @param live whether a line can be written over
    Progress(PrintStream out, boolean live) {
        this.out = out;
        this.live = live;
    }

    /// Whether the standard error of this process is a terminal.
    public static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException unseen) {
            return false;
        }
    }

    /// More jobs are to be done.
    synchronized void more(List<Job> more) {
        jobs += more.size();
        left = more.stream().map(Job::estimate).reduce(left, Duration::plus);
    }

    synchronized void begin(Job job) {
        if (live) {
            out.print("\r\u001b[K" + (done + 1) + " of " + jobs + "  " + job + "  " + leftText());
            out.flush();
        }
    }

    /// @param took how long it did; zero for what was only noted
    /// @param said how it went, in a few words
    /// @param bad whether the user should read it
    synchronized void end(Job job, Duration took, String said, boolean bad) {
        done++;
        left = left.minus(job.estimate());
        if (job.supported() && !took.isZero()) {
            expected = expected.plus(job.estimate());
            seen = seen.plus(took);
        }
        if (live && !bad) {
            return;
        }
        say(done + " of " + jobs + "  " + job + ": " + said + (live ? "" : "  " + leftText()));
    }

    /// A line that stays.
    synchronized void say(String line) {
        out.println((live ? "\r\u001b[K" : "") + line);
        out.flush();
    }

    synchronized String counted() {
        return done + " of " + jobs;
    }

    /// Expected time to the end, by what was seen so far.
    synchronized Duration left() {
        double pace = expected.isZero() ? 1 : (double) seen.toMillis() / expected.toMillis();
        return Duration.ofMillis(Math.round(left.toMillis() * pace));
    }

    private String leftText() {
        return text(left()) + " left";
    }

    /// A length of time for people: `40 s`, `12 min`, `3 h 20 min`.
    public static String text(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 100) {
            return seconds + " s";
        }
        long minutes = (seconds + 30) / 60;
        return minutes < 120 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }
}
