package sluice.base.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// A password or key. It prints as `***`, so that no record, log line or message can show it.
public final class Secret {

    private final String text;

    private Secret(String text) {
        this.text = text;
    }

    /// Wraps a secret.
    public static Secret of(String text) {
        return new Secret(text);
    }

    /// The secret itself; only where it goes to the wire, a key or a file the operator asked for.
    public String reveal() {
        return text;
    }

    /// Its UTF-8 bytes, a fresh array.
    public byte[] revealBytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Whether nothing stands in it.
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /// Compares in a time that does not depend on where the two differ.
    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret
                && MessageDigest.isEqual(revealBytes(), secret.revealBytes());
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// Always `***`.
    @Override
    public String toString() {
        return "***";
    }
}
