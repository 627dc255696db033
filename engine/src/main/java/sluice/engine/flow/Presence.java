package sluice.engine.flow;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.engine.plan.InboundPlan;
import sluice.policy.limit.Admission;

/// One admitted connection as [Admission] counts it. Owned by one loop.
///
/// What comes from a front has no address that counts until the front says whose it is; a front
/// that says nothing speaks for itself.
final class Presence {

    private final Station station;
    private final InboundPlan inbound;
    private final Endpoint peer;
    private @Nullable IpAddress counted;
    private boolean greeted;
    private boolean refused;

    /// @param counted the address that it was admitted by, or null behind a front
    Presence(Station station, InboundPlan inbound, Endpoint peer, @Nullable IpAddress counted) {
        this.station = station;
        this.inbound = inbound;
        this.peer = peer;
        this.counted = counted;
    }

    /// The other end of the connection.
    Endpoint peer() {
        return peer;
    }

    /// Whether its handshake is over.
    boolean isGreeted() {
        return greeted;
    }

    /// The front has said whose it is. Where a limit says no, `flow` ends soon.
    void isOf(Endpoint source, Conversation flow) {
        if (counted == null && !refused && !greeted) {
            count(source, flow);
        }
    }

    /// Its handshake is over. Returns false where a limit says no, and `flow` ends soon then.
    boolean greet(Conversation flow) {
        isOf(peer, flow);
        if (refused) {
            return false;
        }
        greeted = true;
        station.admission().greeted(counted);
        return true;
    }

    private void count(Endpoint source, Conversation flow) {
        Admission.Verdict verdict = station.admission().tryName(source.address());
        if (verdict == Admission.Verdict.ADMITTED) {
            counted = source.address();
            return;
        }
        refused = true;
        station.loop().counters().refusedByLimit++;
        station.journal()
                .trouble(
                        Level.WARNING,
                        inbound.tag() + ": connection refused, " + verdict.words(),
                        source.toString());
        station.loop().soon(() -> flow.end(verdict.words()));
    }

    /// It has ended.
    void leave() {
        station.admission().leave(counted, greeted);
    }
}
