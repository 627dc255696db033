package sluice.base.machine;

import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;

/// One client's conversation at a [DatagramServer]. Protocols extend it with their keys and
/// windows. Owned by one loop.
public abstract class DatagramSession {

    private Endpoint client;
    private final @Nullable String user;
    private @Nullable Object flow;
    private @Nullable IpAddress local;

    /// @param client where answers go until [#client(Endpoint)] says otherwise
    /// @param user name of the authenticated user
    protected DatagramSession(Endpoint client, @Nullable String user) {
        this.client = client;
        this.user = user;
    }

    /// Where answers go.
    public final Endpoint client() {
        return client;
    }

    /// The client moved; only to be called after its packet proved authentic and fresh.
    public final void client(Endpoint client) {
        this.client = client;
    }

    /// Name of the authenticated user.
    public final @Nullable String user() {
        return user;
    }

    /// The engine's flow, opaque here.
    public final @Nullable Object flow() {
        return flow;
    }

    /// Set by the engine alone.
    public final void flow(@Nullable Object flow) {
        this.flow = flow;
    }

    /// The address that the client wrote to; answers leave from it. Null where the socket has only
    /// one.
    public final @Nullable IpAddress local() {
        return local;
    }

    /// Set by the engine alone.
    public final void local(@Nullable IpAddress local) {
        this.local = local;
    }
}
