package sluice.base.config;

/// Where a value or a key stands in what the operator wrote.
///
/// @param file as the operator named it; `-` for standard input
/// @param line from 1; 0 where a value was not written in a file
/// @param column from 1, in characters; 0 with line 0
public record Place(String file, int line, int column) {

    /// A value that no file holds, such as a default.
    public static Place of(String origin) {
        return new Place(origin, 0, 0);
    }

    /// `file:line:column`, or the origin alone.
    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line + ":" + column;
    }
}
