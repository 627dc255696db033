package sluice.lab.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Case;
import sluice.lab.bed.Settings;
import sluice.lab.engine.Installed;

/// What is to be run, in order. Of a bed, rounds come outermost, then cases, then engines: engines
/// alternate, and what changes on the machine within minutes meets all of them.
public record Plan(List<Job> jobs) {

    public Plan {
        jobs = List.copyOf(jobs);
    }

    /// All jobs of some beds. Cases that none of the engines has are left out.
    public static Plan of(List<Bed> beds, List<Installed> engines, Settings settings) {
        List<Job> jobs = new ArrayList<>();
        for (Bed bed : beds) {
            List<Case> cases = bed.cases(settings);
            for (int round = 1; round <= settings.rounds(); round++) {
                jobs.addAll(round(bed, cases, engines, settings, round));
            }
        }
        return new Plan(jobs);
    }

    /// One round of some cases of a bed. Each round begins with another engine, so that none always
    /// runs behind the same one. What an engine has not is noted once, in the first round.
    static List<Job> round(
            Bed bed, List<Case> cases, List<Installed> found, Settings settings, int round) {
        List<Installed> engines = bed.engines(found);
        List<Job> jobs = new ArrayList<>();
        for (Case each : cases) {
            if (engines.stream().noneMatch(engine -> bed.has(each, engine))) {
                continue;
            }
            for (int i = 0; i < engines.size(); i++) {
                Installed engine = engines.get((i + round - 1) % engines.size());
                boolean supported = bed.has(each, engine);
                if (supported || round == 1) {
                    Duration estimate = supported ? bed.estimate(each, settings) : Duration.ZERO;
                    jobs.add(new Job(bed, each, engine, round, supported, estimate));
                }
            }
        }
        return jobs;
    }

    /// How many jobs are more than a note.
    public long measured() {
        return jobs.stream().filter(Job::supported).count();
    }

    /// How long all of it takes.
    public Duration estimate() {
        return jobs.stream().map(Job::estimate).reduce(Duration.ZERO, Duration::plus);
    }
}
