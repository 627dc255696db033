package sluice.app.log;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// Brings this log to everybody who asks [System#getLogger] for one, the JDK included. Without it
/// the JDK would load java.logging, which costs a start more than everything that is logged.
public final class LogFinder extends System.LoggerFinder {

    private static final String OURS = "sluice.";

    /// For the service loader.
    public LogFinder() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Named(name);
    }

    /// One part of the program, by name.
    private static final class Named implements System.Logger {

        private final String name;
        private final String shown;
        private final boolean ours;

        Named(String name) {
            this.name = name;
            ours = name.startsWith(OURS);
            shown = ours ? name.substring(OURS.length()) : name;
        }

        @Override
        public String getName() {
            return name;
        }

        /// Of libraries only what somebody should look at.
        @Override
        public boolean isLoggable(Level level) {
            return Log.isLoggable(level)
                    && (ours || level.getSeverity() >= Level.WARNING.getSeverity());
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String message,
                @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                Log.write(level, shown, String.valueOf(message), thrown);
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... parameters) {
            if (isLoggable(level)) {
                boolean plain = format == null || parameters == null || parameters.length == 0;
                String message =
                        plain ? String.valueOf(format) : MessageFormat.format(format, parameters);
                Log.write(level, shown, message, null);
            }
        }
    }
}
