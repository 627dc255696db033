package sluice.base.config;

import org.jspecify.annotations.Nullable;

/// Why a [Kind] does not take a value, with what to write instead.
public final class Refusal extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final @Nullable String mend;

    /// @param reason completes "this key: …"; holds no secret
    /// @param mend what to write or do instead, or null
    public Refusal(String reason, @Nullable String mend) {
        super(reason);
        this.mend = mend;
    }

    /// What to write or do instead, or null.
    public @Nullable String mend() {
        return mend;
    }
}
