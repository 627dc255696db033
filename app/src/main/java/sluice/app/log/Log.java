package sluice.app.log;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The log of this process. Any thread.
public final class Log {

    /// How long the end of the process waits for lines that are not written yet: a pipe that nobody
    /// reads must not hold it.
    private static final long CLOSE_MILLIS = 1000;

    private static volatile int severity = Level.INFO.getSeverity();
    private static volatile boolean timestamps = true;
    private static final Output STANDARD_ERROR = Output.standardError();
    private static final LogWriter WRITER = new LogWriter(STANDARD_ERROR, STANDARD_ERROR);

    private Log() {}

    /// Says what is written, and where. Lines that were logged before go where they would have
    /// gone.
    ///
    /// @param level the least that is written; [Level#OFF] for nothing
    /// @param file to append to, or null for standard error
    /// @param timestamp whether lines begin with the time
    public static void configure(Level level, @Nullable Path file, boolean timestamp) {
        severity = level.getSeverity();
        timestamps = timestamp;
        WRITER.writeTo(file == null ? STANDARD_ERROR : Output.file(file));
    }

    /// Opens the file anew, after somebody moved the old one away.
    public static void reopen() {
        WRITER.reopen();
    }

    /// Writes what is left, for a second at most, and ends the log.
    public static void close() {
        WRITER.close(CLOSE_MILLIS);
    }

    static boolean isLoggable(Level level) {
        return level.getSeverity() >= severity && level != Level.OFF;
    }

    static void write(Level level, String logger, String message, @Nullable Throwable thrown) {
        WRITER.offer(
                new Line(
                        timestamps ? System.currentTimeMillis() : Line.NO_TIME,
                        level,
                        logger,
                        message,
                        thrown));
    }
}
