package sluice.linux.ffi;

import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/// signal(2).
public final class SignalCalls {

    private static final MethodHandle SIGNAL = CallState.function("signal");

    private static final long SIGHUP = 1;
    private static final long SIG_ERR = -1;

    private SignalCalls() {}

    /// Ends the ignoring of HUP that this process was started with; until somebody installs a
    /// handler, the signal does nothing. The handler in between is `abs`, which takes a number as
    /// handlers do and touches nothing: with the default one, a signal at this moment would kill.
    /// The JVM installs no handler for a HUP that is ignored. Returns whether it worked.
    public static boolean heedHangup() {
        long nothing = Linker.nativeLinker().defaultLookup().findOrThrow("abs").address();
        try {
            long before =
                    (long) SIGNAL.invokeExact(CallState.IGNORED, SIGHUP, nothing, 0L, 0L, 0L, 0L);
            return before != SIG_ERR;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }
}
