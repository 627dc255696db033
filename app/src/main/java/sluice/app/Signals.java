package sluice.app;

/// Signals of the operating system, on a thread of the JVM. The class that the JDK has for them is
/// in `jdk.unsupported`; there is no other.
final class Signals {

    private Signals() {}

    /// Calls `action` whenever the signal arrives, in place of what the JVM does.
    ///
    /// @param name without `SIG`
    static void on(String name, Runnable action) {
        try {
            sun.misc.Signal.handle(new sun.misc.Signal(name), _ -> action.run());
        } catch (IllegalArgumentException _) {
            // Not every system has every signal; what cannot arrive needs no answer.
        }
    }
}
