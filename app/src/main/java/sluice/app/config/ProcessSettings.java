package sluice.app.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;
import sluice.policy.limit.LimitOptions;

/// What an operator may say in `sluice`, the block that no other program has: what the process may
/// use.
///
/// @param bufferBytes ceiling on buffer memory, or null for the default
/// @param limits on connections
/// @param drain how long flows may go on after the process was told to stop
/// @param loops event loops, or 0 for one per core
public record ProcessSettings(
        @Nullable Long bufferBytes, LimitOptions limits, Duration drain, int loops) {

    /// Limits that nothing but an attack reaches: none; 5 s to drain, so that a service manager
    /// that waits 10 s never kills.
    public static final ProcessSettings DEFAULT =
            new ProcessSettings(null, LimitOptions.UNLIMITED, Duration.ofSeconds(5), 0);

    /// The least that lets every loop read at all.
    private static final long LEAST_BUFFER_BYTES = 4L << 20;

    private static final Key<Long> BUFFERS =
            Key.of("buffers", Kind.SIZE_BYTES)
                    .says("Ceiling on memory for bytes on their way, such as \"64 MiB\".");
    private static final Shape<Memory> MEMORY =
            Shape.of("memory", ProcessSettings::readMemory, BUFFERS);

    private static final Key<Integer> CONNECTIONS =
            limit("connections", "Open connections of clients.");
    private static final Key<Integer> CONNECTIONS_PER_ADDRESS =
            limit(
                    "connections_per_address",
                    "Open connections of one client address, or of one IPv6 /64.");
    private static final Key<Integer> HANDSHAKES =
            limit("handshakes", "Connections that have not said yet what they want.");
    private static final Key<Integer> HANDSHAKES_PER_ADDRESS =
            limit(
                    "handshakes_per_address",
                    "Connections of one client address that have not said yet what they want.");
    private static final Shape<LimitOptions> LIMITS =
            Shape.of(
                    "limits",
                    fields ->
                            new LimitOptions(
                                    fields.get(CONNECTIONS),
                                    fields.get(CONNECTIONS_PER_ADDRESS),
                                    fields.get(HANDSHAKES),
                                    fields.get(HANDSHAKES_PER_ADDRESS)),
                    CONNECTIONS,
                    CONNECTIONS_PER_ADDRESS,
                    HANDSHAKES,
                    HANDSHAKES_PER_ADDRESS);

    private static final Key<Memory> MEMORY_KEY =
            Key.object("memory", MEMORY)
                    .otherwise(new Memory(null))
                    .says("What the process may keep in memory.");
    private static final Key<LimitOptions> LIMITS_KEY =
            Key.object("limits", LIMITS)
                    .otherwise(LimitOptions.UNLIMITED)
                    .says("How many connections there may be; 0 or left out for any number.");
    private static final Key<Duration> DRAIN =
            Key.of("drain", Kind.DURATION)
                    .otherwise(DEFAULT.drain())
                    .says(
                            "How long connections may go on after a signal to stop; \"5s\" if left"
                                    + " out.");
    private static final Key<Integer> LOOPS =
            Key.of("loops", Kind.integer(0, 256))
                    .otherwise(0)
                    .says("Threads that move bytes; 0 or left out for one per core.");

    static final Shape<ProcessSettings> SHAPE =
            Shape.of(
                    "sluice",
                    fields ->
                            new ProcessSettings(
                                    fields.get(MEMORY_KEY).bufferBytes(),
                                    fields.get(LIMITS_KEY),
                                    fields.get(DRAIN),
                                    fields.get(LOOPS)),
                    MEMORY_KEY,
                    LIMITS_KEY,
                    DRAIN,
                    LOOPS);

    private record Memory(@Nullable Long bufferBytes) {}

    private static Memory readMemory(Fields fields) {
        Long bytes = fields.orNull(BUFFERS);
        if (bytes != null && bytes < LEAST_BUFFER_BYTES) {
            fields.refuse(BUFFERS, "is less than 4 MiB, with which nothing moves", null);
        }
        return new Memory(bytes);
    }

    private static Key<Integer> limit(String name, String sentence) {
        return Key.of(name, Kind.integer(0, Integer.MAX_VALUE))
                .otherwise(LimitOptions.NONE)
                .says(sentence);
    }
}
