package sluice.lab.judge;

import java.util.List;

/// What one engine got in one case: figures by round, or why there are none.
public sealed interface Reading {

    /// It was measured.
    ///
    /// @param values one figure per round, in the order of the rounds; at least one
    record Figures(List<Double> values) implements Reading {
        public Figures {
            values = List.copyOf(values);
        }
    }

    /// It has no such protocol.
    record Unsupported() implements Reading {}

    /// It could not finish, in any round.
    ///
    /// @param reason why, in a line
    record Failed(String reason) implements Reading {}

    /// It was not measured: not installed, or the run was ended before.
    record Absent() implements Reading {}
}
