package sluice.lab.report;

import sluice.lab.bed.Case;
import sluice.lab.judge.Table;
import sluice.lab.judge.Verdict;

/// A verdict that a reader should know of, and where it comes from.
///
/// @param part the part of the report it is in
/// @param verdict what was found
record Finding(Part part, Verdict verdict) {

    Table table() {
        return part.table();
    }

    Case each() {
        return verdict.row().each();
    }
}
