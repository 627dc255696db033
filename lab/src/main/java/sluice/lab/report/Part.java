package sluice.lab.report;

import java.util.List;
import java.util.Map;
import sluice.lab.bed.Case;
import sluice.lab.judge.Judge;
import sluice.lab.judge.Score;
import sluice.lab.judge.Table;
import sluice.lab.judge.Verdict;

/// One table of a report with its verdicts.
///
/// @param machine the letter of the machine
/// @param table the figures
/// @param known whether a bed told what the figures are and whether more of them is better
/// @param judged whether there are verdicts: the subject and somebody else were measured, and it is
///   known what is better
/// @param failedRounds how many rounds of an engine failed where others did not
record Part(
        String machine,
        Table table,
        boolean known,
        boolean judged,
        Map<Cell, Integer> failedRounds) {

    /// Where figures stand.
    record Cell(Case each, String engine) {}

    Part {
        failedRounds = Map.copyOf(failedRounds);
    }

    /// The verdict of each row; none when nothing is judged.
    List<Verdict> verdicts() {
        return judged ? Judge.verdicts(table) : List.of();
    }

    /// The verdicts, counted.
    Score score() {
        return Score.of(verdicts());
    }

    /// The verdicts of one kind.
    List<Finding> findings(Verdict.Kind kind) {
        return verdicts().stream()
                .filter(verdict -> verdict.kind() == kind)
                .map(verdict -> new Finding(this, verdict))
                .toList();
    }
}
