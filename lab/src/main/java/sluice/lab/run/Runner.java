package sluice.lab.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Case;
import sluice.lab.bed.Readings;
import sluice.lab.bed.Settings;
import sluice.lab.bed.UnsupportedCase;
import sluice.lab.engine.Installed;
import sluice.lab.log.RunLog;
import sluice.lab.log.RunRecord;
import sluice.lab.process.Machine;

/// Runs a plan, one job after the other, and writes a line of the log for each as soon as it ends.
/// What the log already holds is left out. One thread runs it; [#stop] may come from any other.
public final class Runner {

    /// What a run has beside its plan.
    ///
    /// @param lab version of the lab
    /// @param settings of the whole run
    /// @param log where the lines go
    /// @param folder for files of the engines
    /// @param certificate PEM, for `lab.test`
    /// @param key PEM
    /// @param reference the engine at the other end
    /// @param slack beside three times its estimate, how long a job may take before it counts as
    ///   hung
    /// @param watched how long the machine is looked at before each job
    public record Setup(
            String lab,
            Settings settings,
            RunLog log,
            Path folder,
            Path certificate,
            Path key,
            Installed reference,
            Duration slack,
            Duration watched) {

        /// What is given beside estimates. Chosen: a slow start on a busy machine is no hang.
        public static final Duration SLACK = Duration.ofSeconds(30);

        /// What the log says of how was measured. Figures beside different engines at the other end
        /// share no table, and one does not stand for the other when a run is resumed.
        String how() {
            return settings.text() + ", beside " + reference.name();
        }
    }

    /// Asks for more rounds until the figures decide.
    ///
    /// @param clarity what is decided
    /// @param subject the engine that is judged
    /// @param most rounds in all
    public record UntilClear(Clarity clarity, String subject, int most) {}

    /// The log cannot be written; measuring more would be in vain.
    public static final class LogFault extends IOException {
        LogFault(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private static final int HANG_FACTOR = 3;

    private final Setup setup;
    private final Progress progress;
    private final Map<String, @Nullable Object> machine = Machine.describe();
    private final List<RunRecord> records = new ArrayList<>();
    private final Done done;
    private int failures;
    private int busy;
    private int written;
    private int attempts;

    // Guarded by this, as is every append: whoever stops the run waits for the line being written.
    private boolean stopped;
    private @Nullable LocalBench bench;

    /// Reads the log.
    ///
    /// @param live whether the output can be written over
    /// @throws LogFault when the log cannot be used
    public Runner(Setup setup, PrintStream out, boolean live) throws LogFault {
        this.setup = setup;
        this.progress = new Progress(out, live);
        try {
            setup.log().check();
            RunLog.Content content = setup.log().read();
            content.complaints().forEach(each -> progress.say("skipped " + each));
            records.addAll(content.records());
        } catch (IOException unusable) {
            throw new LogFault(String.valueOf(unusable.getMessage()), unusable);
        }
        this.done = new Done(setup.how(), records);
    }

    /// Runs what is not done yet.
    ///
    /// @return whether it came to its end; false when it was [stopped][#stop]
    /// @throws LogFault when the log could not be written
    public boolean run(Plan plan) throws LogFault, InterruptedException {
        List<Job> open = plan.jobs().stream().filter(job -> !done.has(job)).toList();
        int skipped = plan.jobs().size() - open.size();
        if (skipped > 0) {
            progress.say(
                    skipped
                            + " of "
                            + plan.jobs().size()
                            + " are in "
                            + setup.log().file()
                            + " already");
        }
        return runAll(open);
    }

    /// Repeats the cases that are not decided, for engines that finished them, a round at a time.
    ///
    /// @return whether it came to its end
    /// @throws LogFault when the log could not be written
    public boolean runUntilClear(List<Bed> beds, List<Installed> engines, UntilClear until)
            throws LogFault, InterruptedException {
        for (Bed bed : beds) {
            for (int round = setup.settings().rounds() + 1; round <= until.most(); round++) {
                List<Case> unclear = unclear(bed, engines, until);
                if (unclear.isEmpty()) {
                    break;
                }
                progress.say(
                        bed.name()
                                + ": "
                                + unclear.size()
                                + " cases are not clear yet, round "
                                + round
                                + " of at most "
                                + until.most());
                List<Job> jobs =
                        Plan.round(bed, unclear, engines, setup.settings(), round).stream()
                                .filter(job -> job.supported() && finished(job) && !done.has(job))
                                .toList();
                if (!runAll(jobs)) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<Case> unclear(Bed bed, List<Installed> found, UntilClear until) {
        List<Installed> engines = bed.engines(found);
        Tables tables = new Tables(bed, setup.how(), until.subject(), engines, records);
        return bed.cases(setup.settings()).stream()
                .filter(each -> !tables.decided(each, until.clarity()))
                .toList();
    }

    private boolean finished(Job job) {
        return records.stream()
                .anyMatch(each ->
                        each.outcome() == RunRecord.Outcome.OK
                                && each.bed().equals(job.bed().name())
                                && each.settings().equals(setup.how())
                                && each.each().labels().equals(job.each().labels())
                                && each.engine().equals(job.engine().name())
                                && each.sha256().equals(job.engine().sha256()));
    }

    private boolean runAll(List<Job> jobs) throws LogFault, InterruptedException {
        progress.more(jobs);
        for (Job job : jobs) {
            synchronized (this) {
                if (stopped) {
                    return false;
                }
            }
            check();
            progress.begin(job);
            long begin = System.nanoTime();
            RunRecord line = job.supported() ? measure(job) : unsupported(job, "");
            if (line == null || !append(line)) {
                return false;
            }
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            progress.end(job, took, said(line), line.outcome() == RunRecord.Outcome.FAILED);
        }
        return true;
    }

    private void check() throws LogFault {
        try {
            setup.log().check();
        } catch (IOException unusable) {
            throw new LogFault(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private synchronized boolean append(RunRecord line) throws LogFault {
        if (stopped) {
            return false;
        }
        try {
            setup.log().append(line);
        } catch (IOException full) {
            throw new LogFault(String.valueOf(full.getMessage()), full);
        }
        records.add(line);
        done.add(line);
        written++;
        attempts += line.outcome() == RunRecord.Outcome.UNSUPPORTED ? 0 : 1;
        failures += line.outcome() == RunRecord.Outcome.FAILED ? 1 : 0;
        return true;
    }

    /// The line of a job, or null when the run was stopped.
    private @Nullable RunRecord measure(Job job) throws InterruptedException {
        Machine.Load load = Machine.load(setup.watched());
        if (load.busy()) {
            busy++;
            progress.say(
                    "the machine is busy with something else: "
                            + Math.round(100 * (load.busyShare() + load.stolenShare()))
                            + " % of its processor");
        }
        LocalBench own;
        try {
            own = openBench();
        } catch (IOException unwritable) {
            return failed(job, "no folder for its files: " + unwritable.getMessage(), null, load);
        }
        if (own == null) {
            return null;
        }
        AtomicReference<@Nullable Object> result = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().name("job").start(() -> result.set(attempt(job, own)));
        Duration most = job.estimate().multipliedBy(HANG_FACTOR).plus(setup.slack());
        boolean hung = !thread.join(most);
        own.close();
        if (hung) {
            thread.interrupt();
            thread.join(Duration.ofSeconds(5));
        }
        return switch (result.get()) {
            case Readings readings when !hung -> line(job, readings, own, load);
            case UnsupportedCase none when !hung -> unsupported(job, why(none));
            case Throwable fault when !hung -> failed(job, why(fault), own, load);
            case null, default ->
                    failed(job, "hung: not done after " + most.toSeconds() + " s", own, load);
        };
    }

    /// What a bed yields, or what it throws: a bed that fails in any way is a line of the log.
    private Object attempt(Job job, LocalBench own) {
        try {
            return job.bed().run(job.each(), job.engine(), setup.settings(), own);
        } catch (IOException | InterruptedException | RuntimeException | Error fault) {
            return fault;
        }
    }

    private synchronized @Nullable LocalBench openBench() throws IOException {
        if (stopped) {
            return null;
        }
        LocalBench own =
                new LocalBench(
                        setup.folder().resolve("job-" + System.nanoTime()),
                        setup.certificate(),
                        setup.key(),
                        setup.reference());
        bench = own;
        return own;
    }

    /// Ends the run: all processes end, the line being written is written, no other is. Returns
    /// when that is so.
    public void stop() {
        LocalBench open;
        synchronized (this) {
            stopped = true;
            open = bench;
        }
        if (open != null) {
            open.close();
        }
    }

    /// A line for the user at the end.
    public String summary() {
        return written
                + " lines written to "
                + setup.log().file()
                + (failures == 0 ? "" : ", " + failures + " of them failed")
                + (busy == 0 ? "" : "; the machine was busy before " + busy + " of them");
    }

    /// How far it came, `3 of 20`.
    public String counted() {
        return progress.counted();
    }

    /// Whether there were measurements, and none of them got a figure.
    public boolean allFailed() {
        return failures > 0 && failures == attempts;
    }

    private RunRecord line(Job job, Readings readings, LocalBench own, Machine.Load load) {
        for (Map.Entry<String, Double> value : readings.values().entrySet()) {
            if (!Double.isFinite(value.getValue())) {
                return failed(job, value.getKey() + " is " + value.getValue(), own, load);
            }
        }
        return line(job, RunRecord.Outcome.OK, "", readings, own, machine(load));
    }

    private RunRecord failed(Job job, String reason, @Nullable LocalBench own, Machine.Load load) {
        Readings none = new Readings(Map.of(), Map.of());
        return line(job, RunRecord.Outcome.FAILED, reason, none, own, machine(load));
    }

    private RunRecord unsupported(Job job, String reason) {
        String why = reason.isEmpty() ? job.engine().name() + " has none" : reason;
        Readings none = new Readings(Map.of(), Map.of());
        return line(job, RunRecord.Outcome.UNSUPPORTED, why, none, null, machine);
    }

    private RunRecord line(
            Job job,
            RunRecord.Outcome outcome,
            String reason,
            Readings readings,
            @Nullable LocalBench own,
            Map<String, @Nullable Object> where) {
        return new RunRecord(
                Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(),
                setup.lab(),
                job.bed().name(),
                setup.how(),
                job.each(),
                job.engine().name(),
                job.engine().version(),
                job.engine().sha256(),
                job.round(),
                outcome,
                reason,
                readings.values(),
                readings.raw(),
                own == null ? Map.of() : own.configs(),
                own == null ? "" : own.referenceUsed(),
                own == null ? Map.of() : own.exits(),
                where);
    }

    private Map<String, @Nullable Object> machine(Machine.Load load) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(machine);
        all.putAll(load.toJson());
        return all;
    }

    private static String why(Throwable fault) {
        String message = fault.getMessage();
        String text =
                fault instanceof IOException && message != null
                        ? message
                        : "the lab itself failed: " + fault;
        return text.replaceAll("\\s+", " ").trim();
    }

    private static String said(RunRecord line) {
        if (line.outcome() != RunRecord.Outcome.OK) {
            return (line.outcome() == RunRecord.Outcome.FAILED ? "failed: " : "not there: ")
                    + line.reason();
        }
        List<String> values = new ArrayList<>();
        line.values().forEach((name, value) -> values.add(name + " " + shown(value)));
        return String.join(", ", values);
    }

    private static String shown(double value) {
        return Math.abs(value) >= 100
                ? Long.toString(Math.round(value))
                : Double.toString(Math.round(value * 1_000) / 1_000.0);
    }
}
