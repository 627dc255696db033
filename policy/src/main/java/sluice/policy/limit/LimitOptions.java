package sluice.policy.limit;

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
