package sluice.lab.run;

import sluice.lab.judge.Table;

/// Says whether more rounds of a case could still change what is said of it.
@FunctionalInterface
public interface Clarity {

    /// Whether the figures of a row decide.
    ///
    /// @param table where the row is from
    boolean decided(Table table, Table.Row row);
}
