package sluice.engine.listen;

import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;
import sluice.engine.flow.Station;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Ready;
import sluice.engine.loop.Timer;
import sluice.engine.plan.InboundPlan;
import sluice.policy.limit.Admission;

/// A listening stream socket on one loop. Each connection goes to the loop that has the fewest, so
/// that a handful of heavy flows spreads evenly, which the kernel's hash (SO_REUSEPORT) does not
/// promise. Owned by its loop.
public final class Listener implements Ready, Loop.Resumable {

    /// Connections taken per turn before others get theirs.
    private static final int ACCEPTS_PER_TURN = 64;

    /// 100 ms between attempts while files or memory are short: enough for flows to end, little
    /// enough for clients not to notice.
    private static final long RETRY_NANOS = 100_000_000;

    private final Station home;
    private final Loop loop;
    private final List<Station> stations;
    private final int socket;
    private final long token;
    private InboundPlan inbound;
    private boolean open = true;
    private boolean resuming;
    private final Timer retry =
            new Timer() {
                @Override
                protected void onTimer(long nowNanos) {
                    acceptAll();
                }
            };

    private Listener(Station home, List<Station> stations, InboundPlan inbound, int socket) {
        this.home = home;
        this.loop = home.loop();
        this.stations = stations;
        this.inbound = inbound;
        this.socket = socket;
        this.token = loop.register(socket, this);
    }

    /// Serves a listening socket; on its loop. Returns null, with the socket closed, where the
    /// poller refuses it.
    ///
    /// @param socket from the driver's `listen`
    public static @Nullable Listener openOrNull(
            Station home, List<Station> stations, InboundPlan inbound, int socket) {
        Listener listener = new Listener(home, stations, inbound, socket);
        if (listener.token < 0) {
            home.loop().driver().close(socket);
            return null;
        }
        return listener;
    }

    /// Gives later connections to another plan of the same inbound.
    public void replace(InboundPlan plan) {
        inbound = plan;
    }

    @Override
    public void onReady(int readiness, long nowNanos) {
        acceptAll();
    }

    @Override
    public void onResume(long nowNanos) {
        resuming = false;
        acceptAll();
    }

    @Override
    public void onLoopEnd() {
        close();
    }

    private void acceptAll() {
        LoopDriver driver = loop.driver();
        int failure = -Errno.EAGAIN;
        for (int i = 0; i < ACCEPTS_PER_TURN && open; i++) {
            int accepted = driver.accept(socket);
            if (accepted >= 0) {
                failure = 0;
                admit(accepted, driver.acceptedPeer());
            } else if (accepted == -Errno.EAGAIN) {
                return;
            } else if (isShortage(-accepted)) {
                backOff(-accepted);
                return;
            } else if (failure != 0) {
                failure = accepted;
            }
        }
        if (failure != 0 && open) {
            backOff(-failure);
            return;
        }
        if (open && !resuming) {
            resuming = true;
            loop.resumeLater(this);
        }
    }

    /// Nothing but failures: tries again in a moment, and tells once.
    private void backOff(int errno) {
        loop.counters().acceptsFailed++;
        home.journal()
                .trouble(Level.WARNING, inbound.tag() + ": cannot accept", Errno.describe(errno));
        loop.timers().set(retry, loop.nowNanos() + RETRY_NANOS);
    }

    private static boolean isShortage(int errno) {
        return switch (errno) {
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM -> true;
            default -> false;
        };
    }

    private void admit(int accepted, Endpoint peer) {
        InboundPlan plan = inbound;
        InboundPlan.Preface preface = plan.preface();
        IpAddress counted = preface != null && preface.isFront(peer) ? null : peer.address();
        Admission.Verdict verdict = home.admission().tryEnter(counted);
        if (verdict != Admission.Verdict.ADMITTED) {
            loop.counters().refusedByLimit++;
            home.journal()
                    .trouble(
                            Level.WARNING,
                            plan.tag() + ": connection refused, " + verdict.words(),
                            peer.toString());
            loop.driver().reset(accepted);
            return;
        }
        Station station = leastLoaded();
        station.load().incrementAndGet();
        if (station == home) {
            station.accept(plan, accepted, peer, counted);
        } else {
            station.loop().execute(() -> station.accept(plan, accepted, peer, counted));
        }
    }

    private Station leastLoaded() {
        Station best = home;
        int least = home.load().get();
        for (Station station : stations) {
            int load = station.load().get();
            if (load < least) {
                best = station;
                least = load;
            }
        }
        return best;
    }

    /// Closes the socket; flows that came through it go on.
    public void close() {
        if (open) {
            open = false;
            loop.timers().clear(retry);
            if (resuming) {
                loop.forget(this);
            }
            loop.unregister(token);
            loop.driver().close(socket);
        }
    }

    /// The address it listens on.
    public @Nullable Endpoint bound() {
        return open ? loop.driver().localOf(socket) : null;
    }
}
