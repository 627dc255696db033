package sluice.policy.limit;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.net.IpAddress;

/// Counts the connections of one process and says whether one more may come. Thread-safe: all loops
/// share one; it is asked when a connection begins, when its handshake is over and when it ends,
/// never per record.
///
/// An IPv6 client is counted by its /64, the smallest network a provider hands out; otherwise one
/// host has more addresses than there is memory to count them.
public final class Admission {

    /// Whether a connection may come, and which limit says no.
    public enum Verdict {
        /// It may; it is counted.
        ADMITTED("admitted"),
        /// The process has as many as it may have.
        TOTAL_REACHED("the limit of connections is reached"),
        /// The client's address has as many as it may have.
        ADDRESS_REACHED("the limit of connections of one address is reached"),
        /// Too many connections of the process are still in their handshake.
        HANDSHAKES_REACHED("the limit of unfinished handshakes is reached"),
        /// Too many connections of the client's address are still in their handshake.
        ADDRESS_HANDSHAKES_REACHED("the limit of unfinished handshakes of one address is reached");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        /// For the log.
        public String words() {
            return words;
        }
    }

    /// One client address; exists while it has connections.
    private static final class Guest {
        int connections;
        int handshakes;
    }

    private LimitOptions limits;
    private final Map<IpAddress, Guest> guests = new HashMap<>();
    private int connections;
    private int handshakes;

    /// Counters at zero.
    public Admission(LimitOptions limits) {
        this.limits = limits;
    }

    /// Other limits from now on. Connections that are open stay, and count.
    public synchronized void follow(LimitOptions next) {
        limits = next;
    }

    /// Asks for one more connection. Unless the answer is [Verdict#ADMITTED] nothing was counted;
    /// otherwise [#leave] must follow, and [#greeted] may before it.
    ///
    /// @param client null where a front stands before it: [#tryName] says later whose it is
    public synchronized Verdict tryEnter(@Nullable IpAddress client) {
        if (isReached(connections, limits.connections())) {
            return Verdict.TOTAL_REACHED;
        }
        if (isReached(handshakes, limits.handshakes())) {
            return Verdict.HANDSHAKES_REACHED;
        }
        Verdict verdict = client == null ? Verdict.ADMITTED : tryName(client);
        if (verdict == Verdict.ADMITTED) {
            connections++;
            handshakes++;
        }
        return verdict;
    }

    /// Says whose a connection is that entered without a name and is in its handshake still. Unless
    /// the answer is [Verdict#ADMITTED] it stays without one.
    public synchronized Verdict tryName(IpAddress client) {
        IpAddress key = key(client);
        Guest guest = guests.get(key);
        if (guest != null && isReached(guest.connections, limits.connectionsPerAddress())) {
            return Verdict.ADDRESS_REACHED;
        }
        if (guest != null && isReached(guest.handshakes, limits.handshakesPerAddress())) {
            return Verdict.ADDRESS_HANDSHAKES_REACHED;
        }
        if (guest == null) {
            guest = new Guest();
            guests.put(key, guest);
        }
        guest.connections++;
        guest.handshakes++;
        return Verdict.ADMITTED;
    }

    /// The handshake of an admitted connection is over and well; called at most once for each.
    ///
    /// @param client as it was named, or null
    public synchronized void greeted(@Nullable IpAddress client) {
        handshakes--;
        if (client == null) {
            return;
        }
        Guest guest = guests.get(key(client));
        assert guest != null && guest.handshakes > 0 : "nobody of " + client + " is in a handshake";
        if (guest != null) {
            guest.handshakes--;
        }
    }

    /// An admitted connection has ended.
    ///
    /// @param client as it was named, or null
    /// @param greeted whether [#greeted] was called for it
    public synchronized void leave(@Nullable IpAddress client, boolean greeted) {
        connections--;
        if (!greeted) {
            handshakes--;
        }
        if (client == null) {
            return;
        }
        IpAddress key = key(client);
        Guest guest = guests.get(key);
        assert guest != null && guest.connections > 0 : "nobody of " + client + " is here";
        if (guest == null) {
            return;
        }
        if (!greeted) {
            guest.handshakes--;
        }
        if (--guest.connections == 0) {
            guests.remove(key);
        }
    }

    /// Connections that are open.
    public synchronized int connections() {
        return connections;
    }

    /// Connections whose handshake is not over.
    public synchronized int handshakes() {
        return handshakes;
    }

    /// Connections of the address, or of the /64 around it.
    public synchronized int connectionsOf(IpAddress client) {
        Guest guest = guests.get(key(client));
        return guest == null ? 0 : guest.connections;
    }

    /// How many addresses are counted.
    public synchronized int addresses() {
        return guests.size();
    }

    private static boolean isReached(int count, int limit) {
        return limit != LimitOptions.NONE && count >= limit;
    }

    private static IpAddress key(IpAddress client) {
        return client.isV4() || client.low() == 0 ? client : new IpAddress(client.high(), 0, false);
    }
}
