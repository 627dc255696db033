package sluice.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import sluice.base.os.OperatingSystem;

/// The signal HUP of this process, which is taken before anything else is done: what it does by
/// itself is to kill. One that comes while the process starts is held until somebody follows.
final class Hangups {

    private static final Object LOCK = new Object();

    private static @Nullable Runnable action;
    private static boolean isHeld;

    private Hangups() {}

    /// Takes the signal, also where this process was started to ignore it, as by nohup and by our
    /// launcher.
    static void take(OperatingSystem system) {
        if (isIgnored() && !system.heedHangup()) {
            return;
        }
        Signals.on("HUP", Hangups::arrived);
    }

    /// Runs `next` for each one from now on, and at once where one is held.
    static void follow(Runnable next) {
        synchronized (LOCK) {
            action = next;
            if (isHeld) {
                isHeld = false;
                next.run();
            }
        }
    }

    private static void arrived() {
        synchronized (LOCK) {
            if (action == null) {
                isHeld = true;
            } else {
                action.run();
            }
        }
    }

    /// Whether the kernel throws the signal away; false where it does not say.
    static boolean isIgnored() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("SigIgn:")) {
                    // A mask in hexadecimal, whose lowest bit is signal 1.
                    return Character.digit(line.charAt(line.length() - 1), 16) % 2 == 1;
                }
            }
        } catch (IOException _) {
            // No Linux, or nothing mounted there: the handler shows.
            return false;
        }
        return false;
    }
}
