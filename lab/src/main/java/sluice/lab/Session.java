package sluice.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Settings;
import sluice.lab.engine.Certificate;
import sluice.lab.engine.Installed;
import sluice.lab.log.RunLog;
import sluice.lab.process.Folders;
import sluice.lab.run.Plan;
import sluice.lab.run.Progress;
import sluice.lab.run.Runner;

/// A run from its first line on the screen to its last, also when the user ends it.
final class Session {

    /// What a run works with beside its plan.
    record Workshop(
            String version,
            Settings settings,
            RunLog log,
            Found.Certificates certificates,
            Installed reference,
            Duration watched) {}

    private final PrintStream err;
    private final AtomicBoolean over = new AtomicBoolean();

    Session(PrintStream err) {
        this.err = err;
    }

    /// @return the exit code
    int run(
            Plan plan,
            List<Bed> beds,
            List<Installed> engines,
            Runner.UntilClear until,
            Workshop workshop)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("sluice-lab-");
        try {
            Certificate made = workshop.certificates().make(folder);
            Runner runner =
                    new Runner(
                            new Runner.Setup(
                                    workshop.version(),
                                    workshop.settings(),
                                    workshop.log(),
                                    folder,
                                    made.certificate(),
                                    made.key(),
                                    workshop.reference(),
                                    Runner.Setup.SLACK,
                                    workshop.watched()),
                            err,
                            Progress.isTerminal());
            err.println(
                    plan.measured()
                            + " measurements, about "
                            + Progress.text(plan.estimate())
                            + "; the reference is "
                            + workshop.reference().name()
                            + " "
                            + workshop.reference().version());
            Thread hook = new Thread(() -> interrupted(runner, folder), "end");
            Runtime.getRuntime().addShutdownHook(hook);
            boolean whole = runner.run(plan) && runner.runUntilClear(beds, engines, until);
            if (!whole) {
                // The hook says the rest and ends the process.
                Thread.sleep(Duration.ofMinutes(1));
                return Main.INTERRUPTED;
            }
            over.set(true);
            err.println(runner.summary() + "; sluice lab report makes a page of it");
            return runner.allFailed() ? Main.FAILED : Main.DONE;
        } catch (Runner.LogFault fault) {
            err.println("sluice lab: the log cannot be written: " + fault.getMessage());
            err.println("  mend: free its disk or give another --log, then start it again;");
            err.println("  what the log holds is not measured again");
            return Main.FAILED;
        } finally {
            over.set(true);
            Folders.remove(folder);
        }
    }

    /// Runs when the process ends, by Ctrl-C or TERM, while a run is under way.
    private void interrupted(Runner runner, Path folder) {
        if (over.get()) {
            return;
        }
        runner.stop();
        Folders.remove(folder);
        err.println();
        err.println(
                "interrupted after " + runner.counted() + "; the same command goes on from here");
        err.flush();
        Runtime.getRuntime().halt(Main.INTERRUPTED);
    }
}
