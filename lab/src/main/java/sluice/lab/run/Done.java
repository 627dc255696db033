package sluice.lab.run;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import sluice.lab.bed.Case;
import sluice.lab.log.RunRecord;

/// What a log holds already, so that a run goes on where another ended.
final class Done {

    /// Equal ones are the same job. What is not supported is not repeated in any round.
    private record Key(
            String bed,
            String settings,
            List<String> labels,
            String engine,
            String sha256,
            int round) {}

    private final String settings;
    private final Set<Key> keys = new HashSet<>();

    Done(String settings, List<RunRecord> records) {
        this.settings = settings;
        records.forEach(this::add);
    }

    void add(RunRecord each) {
        boolean once = each.outcome() == RunRecord.Outcome.UNSUPPORTED;
        keys.add(
                new Key(
                        each.bed(),
                        each.settings(),
                        labels(each.each()),
                        each.engine(),
                        each.sha256(),
                        once ? 0 : each.round()));
    }

    boolean has(Job job) {
        return keys.contains(key(job, job.round())) || keys.contains(key(job, 0));
    }

    private Key key(Job job, int round) {
        return new Key(
                job.bed().name(),
                settings,
                labels(job.each()),
                job.engine().name(),
                job.engine().sha256(),
                round);
    }

    private static List<String> labels(Case each) {
        return each.labels().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .sorted()
                .toList();
    }
}
