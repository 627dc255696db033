package sluice.lab.engine;

import java.util.List;

/// What the lab knows of one engine: what it is called, what it can do, how it is started. One
/// short file each, so that its author could read and correct it. Default settings, no tuning, a
/// log that prints nothing while all is well.
public interface Engine {

    /// Its name in logs and reports: `sing-box`.
    String name();

    /// The executables it needs, as they are called on PATH; the first one tells the version.
    List<String> programs();

    /// Arguments that make the first program print its version.
    List<String> versionArguments();

    /// Where a reader gets it, in one line.
    String howToGet();

    /// Whether it speaks a protocol in a role.
    boolean speaks(Protocol protocol, Role role);

    /// How many forwarded ports one process of it can have.
    default int mostForwards() {
        return Integer.MAX_VALUE;
    }

    /// How to start it. Called only for what it [speaks][#speaks].
    Launch launch(Wiring wiring, Role role);
}
