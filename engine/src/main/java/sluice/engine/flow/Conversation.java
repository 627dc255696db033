package sluice.engine.flow;

import org.jspecify.annotations.Nullable;

/// A stream flow or a datagram flow, as the loop's [Station] lists them.
public abstract class Conversation {

    @Nullable Conversation before;
    @Nullable Conversation after;

    /// Makes one that is not listed yet.
    protected Conversation() {}

    /// Tag of the inbound it came through.
    public abstract String inbound();

    /// The authenticated user, or null.
    public abstract @Nullable String user();

    /// Ends it at once.
    ///
    /// @param reason for the log
    public abstract void end(String reason);
}
