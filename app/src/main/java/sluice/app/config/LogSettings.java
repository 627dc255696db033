package sluice.app.config;

import org.jspecify.annotations.Nullable;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Place;
import sluice.base.config.Shape;

/// What an operator may say in `log`.
///
/// @param level the least that is written
/// @param output a file, or null for standard error
/// @param outputPlace where [#output] is written, or null with it
/// @param timestamp whether lines begin with the time
public record LogSettings(
        System.Logger.Level level,
        @Nullable String output,
        @Nullable Place outputPlace,
        boolean timestamp) {

    /// Life of the process, with timestamps, to standard error.
    public static final LogSettings DEFAULT =
            new LogSettings(System.Logger.Level.INFO, null, null, true);

    private static final Key<Boolean> DISABLED =
            Key.of("disabled", Kind.FLAG).otherwise(false).says("Writes nothing.");
    private static final Key<String> LEVEL =
            Key.of(
                            "level",
                            Kind.choice(
                                    "trace", "debug", "info", "warn", "error", "fatal", "panic"))
                    .otherwise("info")
                    .says(
                            "The least that is written: trace, debug, info, warn or error; fatal"
                                    + " and panic are the same as error.");
    private static final Key<String> OUTPUT =
            Key.of("output", Kind.NAME).says("File to append to; standard error if left out.");
    private static final Key<Boolean> TIMESTAMP =
            Key.of("timestamp", Kind.FLAG)
                    .otherwise(true)
                    .says("Begins each line with the time in UTC.");

    static final Shape<LogSettings> SHAPE =
            Shape.of(
                    "log",
                    fields ->
                            new LogSettings(
                                    fields.get(DISABLED)
                                            ? System.Logger.Level.OFF
                                            : level(fields.get(LEVEL)),
                                    fields.orNull(OUTPUT),
                                    fields.has(OUTPUT) ? fields.placeOf(OUTPUT) : null,
                                    fields.get(TIMESTAMP)),
                    DISABLED,
                    LEVEL,
                    OUTPUT,
                    TIMESTAMP);

    private static System.Logger.Level level(String word) {
        return switch (word) {
            case "trace" -> System.Logger.Level.TRACE;
            case "debug" -> System.Logger.Level.DEBUG;
            case "info" -> System.Logger.Level.INFO;
            case "warn" -> System.Logger.Level.WARNING;
            default -> System.Logger.Level.ERROR;
        };
    }
}
