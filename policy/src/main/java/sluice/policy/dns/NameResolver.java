package sluice.policy.dns;

import sluice.base.net.DomainName;

/// Finds the addresses of a name. Thread-safe.
@FunctionalInterface
public interface NameResolver {

    /// Looks `name` up and calls `callback` exactly once, on any thread, perhaps before this method
    /// returns. Never blocks.
    ///
    /// @param name as the client wrote it
    /// @param preference which addresses are wanted and which come first
    void resolve(DomainName name, Family preference, Callback callback);

    /// Takes the answer.
    @FunctionalInterface
    interface Callback {

        /// The lookup is over.
        void resolved(Resolution resolution);

        /// Whether somebody still waits for the answer. A lookup that has not begun and that nobody
        /// waits for may end with a failure. Any thread.
        default boolean isWanted() {
            return true;
        }
    }
}
