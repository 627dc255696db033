package sluice.base.fault;

import org.jspecify.annotations.Nullable;

/// Something went wrong by someone else's doing. What goes wrong by ours is an [AssertionError].
public abstract sealed class Fault extends RuntimeException
        permits PeerFault, SystemFault, ConfigFault {

    private static final long serialVersionUID = 1;

    Fault(String message, @Nullable Throwable cause, boolean withStack) {
        super(message, cause, false, withStack);
    }

    /// The message, never null.
    public String reason() {
        String message = getMessage();
        return message == null ? getClass().getSimpleName() : message;
    }
}
