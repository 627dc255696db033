package sluice.engine;

import sluice.policy.limit.LimitOptions;

/// What an engine is made with; it stays for the life of the process.
///
/// @param loops event loops, one thread each
/// @param bufferBytes ceiling on the memory of buffers, for all loops together
/// @param limits connection limits
public record EngineOptions(int loops, long bufferBytes, LimitOptions limits) {

    /// 64 MiB: two hundred stalled transfers with a full read each; a small server's share.
    public static final long BUFFER_BYTES = 64L << 20;

    /// @throws IllegalArgumentException without a loop, or with less memory than the loops' turns
    ///   need
    public EngineOptions {
        if (loops < 1 || loops > 1024) {
            throw new IllegalArgumentException(loops + " loops; 1 to 1024 make sense");
        }
        if (bufferBytes < loops * (2L << 20)) {
            throw new IllegalArgumentException("each loop needs 2 MiB for buffers");
        }
    }
}
