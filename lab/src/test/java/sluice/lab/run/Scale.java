package sluice.lab.run;

/// How much a test does: little in an ordinary run, the full count with `-Dfield.full=true`.
public final class Scale {
    private static final boolean FULL = Boolean.getBoolean("field.full");

    private Scale() {}

    /// One of two counts.
    public static int of(int ordinary, int full) {
        return FULL ? full : ordinary;
    }
}
