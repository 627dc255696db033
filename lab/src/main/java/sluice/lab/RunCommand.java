package sluice.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Settings;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.log.RunLog;
import sluice.lab.process.Leftovers;
import sluice.lab.run.Clarity;
import sluice.lab.run.Plan;
import sluice.lab.run.Progress;
import sluice.lab.run.Runner;

/// `sluice lab run`.
final class RunCommand {

    static final String HELP =
            """
            sluice lab run BED… [options]
            sluice lab run --quick [BED…] [options]

            Measures Sluice beside the engines that are installed, and appends a line per
            measurement to a log. What the log already holds is not measured again, so that
            the same command goes on where it was interrupted. Without a bed it lists them
            and says how long each takes.

            Beds:
              engine    engines as clients: throughput, processor time, memory
              node      engines as servers of many connections
              ladder    one connection through every wrapping, rung by rung
              latency   round trips, at rest and under load
              rate      new connections
              wake      what an idle engine costs
              ceiling   the bed itself, with no engine between
              gateway   is coming

            Options:
              --quick           a first impression in about two minutes: short, once, few cases
              --peers DIR       looks for engines in DIR before PATH
              --engines A,B     only these engines
              --protocols A,B   only these protocols
              --seconds N       measured time of a throughput figure (10)
              --rounds N        how often each case is repeated (3)
              --until-clear     repeats further what the noise leaves undecided
              --most-rounds N   where --until-clear gives up (10)
              --log FILE        where the lines go (./sluice-lab.jsonl)

            Example:
              sluice lab run engine --engines sluice,sing-box --protocols forward,ss-aes128
            """;

    private static final Set<String> FLAGS = Set.of("--quick", "--until-clear");
    private static final Set<String> VALUED =
            Set.of(
                    "--peers",
                    "--engines",
                    "--protocols",
                    "--seconds",
                    "--rounds",
                    "--most-rounds",
                    "--log");

    /// Named in the help, not there.
    private static final String COMING = "gateway";

    private static final String SUBJECT = "sluice";
    private static final String REFERENCE = "sing-box";

    /// How long the machine is watched before each job; shorter where a job is short.
    private static final Duration WATCHED = Duration.ofSeconds(1);

    private static final Duration WATCHED_QUICK = Duration.ofMillis(200);

    private final List<Bed> beds;
    private final Clarity clarity;
    private final PrintStream err;

    /// @param beds all there are
    RunCommand(List<Bed> beds, Clarity clarity, PrintStream err) {
        this.beds = beds;
        this.clarity = clarity;
        this.err = err;
    }

    /// Finds engines in a folder, or null for PATH alone, then on PATH.
    @FunctionalInterface
    interface Finder {
        Found find(@Nullable Path folder) throws InterruptedException;
    }

    /// @return the exit code
    int run(List<String> line, Finder finder, String version)
            throws IOException, InterruptedException {
        Words words = Words.parse(line, FLAGS, VALUED);
        Settings settings = settings(words);
        List<Bed> chosen = chosen(words);
        int most = words.number("--most-rounds", 10, 1, 1_000);
        String peers = words.value("--peers");
        Found found = finder.find(peers == null ? null : Path.of(peers));
        found.unusable().forEach((name, why) -> err.println(name + " is left out: " + why));
        List<Installed> engines = engines(words, found);
        if (chosen.isEmpty()) {
            list(settings, engines);
            return Main.DONE;
        }
        chosen = possible(chosen);
        if (engines.isEmpty()) {
            err.println("sluice lab: no engine was found; sluice lab peers says how to get them");
            return Main.FAILED;
        }
        if (engines.stream().allMatch(each -> each.name().equals(SUBJECT))) {
            err.println("no other engine was found; sluice lab peers says how to get them");
        }
        Plan plan = Plan.of(chosen, engines, settings);
        if (plan.jobs().isEmpty()) {
            err.println("sluice lab: nothing of this can be measured here");
            return Main.FAILED;
        }
        Path log = Path.of(Optional.ofNullable(words.value("--log")).orElse(Main.LOG));
        Runner.UntilClear until =
                words.has("--until-clear")
                        ? new Runner.UntilClear(clarity, SUBJECT, most)
                        : new Runner.UntilClear((_, _) -> true, SUBJECT, 0);
        return new Session(err)
                .run(plan, chosen, engines, until, workshop(found, settings, log, version));
    }

    private Session.Workshop workshop(Found found, Settings settings, Path log, String version) {
        int left = Leftovers.end();
        if (left > 0) {
            err.println("ended " + left + " processes that an interrupted run had left");
        }
        return new Session.Workshop(
                version,
                settings,
                new RunLog(log),
                found.certificates(),
                reference(found),
                settings.quick() ? WATCHED_QUICK : WATCHED);
    }

    private Settings settings(Words words) {
        Settings preset = words.has("--quick") ? Settings.QUICK : Settings.FULL;
        Set<Protocol> protocols = new LinkedHashSet<>();
        List<String> ids = new ArrayList<>();
        for (Protocol each : Protocol.values()) {
            ids.add(each.id());
        }
        for (String id : words.list("--protocols")) {
            protocols.add(
                    Protocol.of(id)
                            .orElseThrow(() ->
                                    new WrongWords(
                                            "there is no protocol "
                                                    + id
                                                    + Words.orNearest(id, ids))));
        }
        return new Settings(
                preset.profile(),
                words.number("--seconds", preset.seconds(), 1, 3_600),
                preset.omit(),
                words.number("--rounds", preset.rounds(), 1, 1_000),
                protocols);
    }

    private List<Bed> chosen(Words words) {
        if (words.plain().isEmpty()) {
            return words.has("--quick") ? beds : List.of();
        }
        List<String> names = beds.stream().map(Bed::name).toList();
        Set<Bed> chosen = new LinkedHashSet<>();
        for (String name : words.plain()) {
            if (name.equals(COMING)) {
                throw new WrongWords("the bed " + name + " is not there yet");
            }
            chosen.add(
                    beds.stream()
                            .filter(bed -> bed.name().equals(name))
                            .findFirst()
                            .orElseThrow(() ->
                                    new WrongWords(
                                            "there is no bed "
                                                    + name
                                                    + Words.orNearest(name, names))));
        }
        return List.copyOf(chosen);
    }

    private static List<Installed> engines(Words words, Found found) throws IOException {
        if (!words.has("--engines")) {
            return found.installed();
        }
        List<String> known = found.known().stream().map(Engine::name).toList();
        List<Installed> engines = new ArrayList<>();
        for (String name : words.list("--engines")) {
            if (!known.contains(name)) {
                throw new WrongWords("there is no engine " + name + Words.orNearest(name, known));
            }
            Engine engine = found.known().get(known.indexOf(name));
            engines.add(
                    installed(found, name)
                            .orElseThrow(() ->
                                    new IOException(
                                            name + " is not installed; " + engine.howToGet())));
        }
        return engines;
    }

    private static Optional<Installed> installed(Found found, String name) {
        return found.installed().stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /// The same for all engines, also where it is not among those that are asked for.
    private static Installed reference(Found found) {
        return installed(found, REFERENCE)
                .or(() -> installed(found, SUBJECT))
                .orElse(found.installed().getFirst());
    }

    private List<Bed> possible(List<Bed> chosen) {
        List<Bed> possible = new ArrayList<>();
        for (Bed bed : chosen) {
            bed.missing()
                    .ifPresentOrElse(
                            what -> err.println(bed.name() + " is left out: " + what),
                            () -> possible.add(bed));
        }
        return possible;
    }

    private void list(Settings settings, List<Installed> engines) {
        err.println(
                "Say which beds to run, or --quick for a first impression. With the "
                        + engines.size()
                        + " engines found, and "
                        + settings.rounds()
                        + " rounds:");
        for (Bed bed : beds) {
            Plan plan = Plan.of(List.of(bed), engines, settings);
            String time =
                    bed.missing()
                            .orElseGet(() ->
                                    Progress.text(plan.estimate())
                                            + ", "
                                            + plan.measured()
                                            + " measurements");
            err.println("  " + String.format("%-9s", bed.name()) + " " + time);
        }
        err.println("  " + String.format("%-9s", COMING) + " is coming");
    }
}
