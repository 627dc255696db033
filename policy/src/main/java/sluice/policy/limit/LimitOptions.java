package sluice.policy.limit;

import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;

/// How many connections may be open at once; [#NONE] stands for any number.
///
/// @param connections of the whole process
/// @param connectionsPerAddress of one client address, or of one IPv6 /64
/// @param handshakes of the whole process, still in their handshake
/// @param handshakesPerAddress of one client address, still in their handshake
public record LimitOptions(
        int connections, int connectionsPerAddress, int handshakes, int handshakesPerAddress) {

    /// No limit.
    public static final int NONE = 0;

    /// Without any limit.
    public static final LimitOptions UNLIMITED = new LimitOptions(NONE, NONE, NONE, NONE);

    private static final Kind<Integer> COUNT = Kind.integer(0, 10_000_000);
    private static final Key<Integer> CONNECTIONS =
            Key.of("max_connections", COUNT)
                    .otherwise(NONE)
                    .says("Connections of the whole process; 0 for any number.");
    private static final Key<Integer> CONNECTIONS_PER_ADDRESS =
            Key.of("max_connections_per_address", COUNT)
                    .otherwise(NONE)
                    .says("Connections of one client address or IPv6 /64; 0 for any number.");
    private static final Key<Integer> HANDSHAKES =
            Key.of("max_handshakes", COUNT)
                    .otherwise(NONE)
                    .says("Unfinished handshakes of the whole process; 0 for any number.");
    private static final Key<Integer> HANDSHAKES_PER_ADDRESS =
            Key.of("max_handshakes_per_address", COUNT)
                    .otherwise(NONE)
                    .says("Unfinished handshakes of one client address; 0 for any number.");

    /// The shape of these options.
    public static final Shape<LimitOptions> SHAPE =
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

    /// @throws IllegalArgumentException when a limit is negative
    public LimitOptions {
        if (connections < 0
                || connectionsPerAddress < 0
                || handshakes < 0
                || handshakesPerAddress < 0) {
            throw new IllegalArgumentException("a limit is not negative");
        }
    }
}
