package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;

/// What tells datagram sessions apart: the client's address or the id it chose, and always the
/// user, so that one user's packets never reach another's session. A changeable one serves for
/// look-ups.
final class SessionKey {

    private long id;
    private @Nullable Endpoint client;
    private @Nullable Credential user;

    /// Sets what is looked for, and returns this key.
    SessionKey of(long id, @Nullable Endpoint client, @Nullable Credential user) {
        this.id = id;
        this.client = client;
        this.user = user;
        return this;
    }

    /// A key that stays as it is.
    SessionKey toFixed() {
        return new SessionKey().of(id, client, user);
    }

    long id() {
        return id;
    }

    @Nullable Endpoint client() {
        return client;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionKey key
                && key.id == id
                && key.user == user
                && (client == null ? key.client == null : client.equals(key.client));
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id * 0x9e37_79b9_7f4a_7c15L)
                ^ (client == null ? 0 : client.hashCode())
                ^ System.identityHashCode(user);
    }
}
