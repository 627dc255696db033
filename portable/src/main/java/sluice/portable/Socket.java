package sluice.portable;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;

/// A channel, and what its number stands for. Owned by the loop that watches it, or made it.
final class Socket {

    final SelectableChannel channel;

    /// The only peer of a dialled datagram socket; null for all others.
    final @Nullable Endpoint peer;

    /// How accepted connections are kept alive; of listeners alone.
    int keepAliveIdleSeconds;

    int keepAliveIntervalSeconds;

    /// Set while a loop watches.
    @Nullable SelectionKey key;

    /// What the watching loop calls it.
    long token;

    /// A connect is under way.
    boolean connecting;

    /// A positive error number that the owner has yet to take, or 0.
    int error;

    Socket(SelectableChannel channel, @Nullable Endpoint peer) {
        this.channel = channel;
        this.peer = peer;
    }

    /// Reports the operation again when it becomes possible.
    void rearm(int operation) {
        SelectionKey present = key;
        if (present != null && present.isValid()) {
            present.interestOpsOr(operation);
        }
    }
}
