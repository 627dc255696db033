package sluice.protocol.shadowsocks;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import sluice.base.machine.Farewell;
import sluice.base.net.IpAddress;

/// Whom an inbound lets in, and how it treats the others. Shared by all loops; only the salts and
/// the memory of recent users change, and both are thread-safe.
final class Acceptance {

    /// Addresses whose last user is remembered, for SIP004 alone; about 0.5 MiB. When full it
    /// starts anew.
    private static final int RECENT_MAX = 4096;

    private final Method method;
    private final @Nullable Credential server;
    private final Credentials users;
    private final Farewell badPeer;
    private final boolean isSegmentedHeaderAllowed;
    private final ConcurrentMap<IpAddress, Credential> recent = new ConcurrentHashMap<>();
    private volatile @Nullable SeenSalts seenSalts;

    /// @param method of the inbound
    /// @param server the key that identity headers are sealed with; null where there are none
    /// @param users those who may come in; relays: those who are passed on
    /// @param badPeer how to part from everybody else
    /// @param isSegmentedHeaderAllowed whether the first header may come in several reads (2022)
    /// @param seenSalts null where replays are not looked for
    Acceptance(
            Method method,
            @Nullable Credential server,
            List<Credential> users,
            Farewell badPeer,
            boolean isSegmentedHeaderAllowed,
            @Nullable SeenSalts seenSalts) {
        this.method = method;
        this.server = server;
        this.users = new Credentials(users);
        this.badPeer = badPeer;
        this.isSegmentedHeaderAllowed = isSegmentedHeaderAllowed;
        this.seenSalts = seenSalts;
    }

    /// The same, but headers may come in several reads.
    Acceptance withSegmentedHeader() {
        return new Acceptance(method, server, users.all(), badPeer, true, seenSalts);
    }

    Method method() {
        return method;
    }

    /// The key that identity headers are sealed with, or null where there are none.
    @Nullable Credential serverOrNull() {
        return server;
    }

    /// The user whom an identity header names, or null.
    @Nullable Credential userOrNull(long identityHigh, long identityLow) {
        return users.findOrNull(identityHigh, identityLow);
    }

    /// The user of that name, or null; the one without a name is that of an inbound with one key.
    @Nullable Credential namedOrNull(@Nullable String name) {
        return users.namedOrNull(name);
    }

    /// The user with the key of `other`, or null.
    @Nullable Credential sameKeyOrNull(Credential other) {
        Credential found = users.findOrNull(other.identityHigh(), other.identityLow());
        return found != null && Arrays.equals(found.key(), other.key()) ? found : null;
    }

    List<Credential> users() {
        return users.all();
    }

    /// The one user of an inbound without identity headers.
    Credential user() {
        return users.all().getFirst();
    }

    Farewell badPeer() {
        return badPeer;
    }

    boolean isSegmentedHeaderAllowed() {
        return isSegmentedHeaderAllowed;
    }

    @Nullable SeenSalts seenSalts() {
        return seenSalts;
    }

    /// Takes over the salts of the inbound that this one replaces.
    void inherit(Acceptance before) {
        SeenSalts salts = before.seenSalts;
        if (seenSalts != null && salts != null && method.is2022() == before.method.is2022()) {
            seenSalts = salts;
        }
    }

    /// Who came last from this address, or null.
    @Nullable Credential recentUserOrNull(IpAddress client) {
        return users.all().size() > 1 ? recent.get(client) : null;
    }

    void remember(IpAddress client, Credential user) {
        if (users.all().size() > 1) {
            if (recent.size() >= RECENT_MAX) {
                recent.clear();
            }
            recent.put(client, user);
        }
    }
}
