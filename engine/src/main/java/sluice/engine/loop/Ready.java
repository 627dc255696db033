package sluice.engine.loop;

/// What a loop calls when a socket is ready.
public interface Ready {

    /// @param readiness bits of [sluice.base.os.LoopDriver]
    void onReady(int readiness, long nowNanos);

    /// The loop ends: let go of the socket. Nobody is told.
    void onLoopEnd();
}
