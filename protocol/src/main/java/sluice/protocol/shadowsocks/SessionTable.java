package sluice.protocol.shadowsocks;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Endpoint;
import sluice.base.time.Deadline;

/// The datagram sessions of one socket, the one that was silent longest first. Looking up allocates
/// nothing. Owned by one loop.
///
/// A session stays while its flow lives, and for `memoryNanos` behind its last valid packet. At
/// [#SESSIONS_MAX] the one that was silent longest goes: its flow goes on sending answers, and the
/// client's next packet begins another.
///
/// @param <S> the protocol's session
final class SessionTable<S extends SessionTable.Session> {

    /// Chosen: 16 to 50 MiB when full, depending on the method.
    static final int SESSIONS_MAX = 32_768;

    private static final long SWEEP_NANOS = 10_000_000_000L;

    /// A session and when it was heard last.
    abstract static class Session extends DatagramSession {

        private SessionKey key;
        private long heardNanos;

        Session(SessionKey key, Endpoint client, @Nullable Credential user) {
            super(client, user == null ? null : user.name());
            this.key = key;
        }

        /// The same user has another credential object, of the same key.
        final void belongsTo(Credential user) {
            key = new SessionKey().of(key.id(), key.client(), user);
        }

        /// A valid packet came.
        final void heard(long nowNanos) {
            heardNanos = nowNanos;
        }
    }

    private final long memoryNanos;
    private final SessionKey probe = new SessionKey();
    private final LinkedHashMap<SessionKey, S> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private long sweepNanos = Deadline.NONE;

    /// @param memoryNanos how long a session outlives its flow
    SessionTable(long memoryNanos) {
        this.memoryNanos = memoryNanos;
    }

    /// The session, which becomes the youngest, or null. The key of a new one is [#probedKey].
    @Nullable S findOrNull(long id, @Nullable Endpoint client, @Nullable Credential user) {
        return sessions.get(probe.of(id, client, user));
    }

    /// The key that was looked for last.
    SessionKey probedKey() {
        return probe.toFixed();
    }

    void add(S session, long nowNanos) {
        if (sessions.size() >= SESSIONS_MAX) {
            Iterator<S> oldest = sessions.values().iterator();
            oldest.next();
            oldest.remove();
        }
        sessions.put(((Session) session).key, session);
        if (sweepNanos == Deadline.NONE) {
            sweepNanos = nowNanos + SWEEP_NANOS;
        }
    }

    /// Takes over the sessions of another table, which is empty afterwards.
    ///
    /// @param heir the session in place of one of the other table, or null to forget it
    void takeOver(SessionTable<S> other, Function<S, @Nullable S> heir) {
        for (S before : other.sessions.values()) {
            S session = heir.apply(before);
            if (session != null) {
                Session inner = session;
                inner.heardNanos = ((Session) before).heardNanos;
                sessions.put(inner.key, session);
            }
        }
        other.sessions.clear();
        if (!sessions.isEmpty()) {
            sweepNanos = other.sweepNanos;
        }
    }

    /// The flow of a session ended.
    void onFlowEnd(DatagramSession session) {
        if (memoryNanos == 0 && session instanceof Session ours) {
            sessions.remove(ours.key, session);
        }
    }

    /// Forgets what is old. To be called at [#deadlineNanos].
    void sweep(long nowNanos) {
        Iterator<Map.Entry<SessionKey, S>> oldest = sessions.entrySet().iterator();
        while (oldest.hasNext()) {
            Session session = oldest.next().getValue();
            if (session.heardNanos + memoryNanos - nowNanos > 0) {
                break;
            }
            if (session.flow() == null) {
                oldest.remove();
            }
        }
        sweepNanos = sessions.isEmpty() ? Deadline.NONE : nowNanos + SWEEP_NANOS;
    }

    long deadlineNanos() {
        return sweepNanos;
    }

    int count() {
        return sessions.size();
    }
}
