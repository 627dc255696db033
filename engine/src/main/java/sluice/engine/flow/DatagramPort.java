package sluice.engine.flow;

import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Timer;
import sluice.engine.plan.InboundPlan;

/// A listening datagram socket and the machine that serves it: sessions become flows. Owned by one
/// loop.
public final class DatagramPort implements DatagramSocket.Receiver, DatagramServer.Sink {

    /// Flows one port may have; one that is silent ends when another begins. Each may hold two
    /// sockets.
    private static final int FLOWS = 4096;

    /// How many flows that are not silent are passed over before one of them must end.
    private static final int CHANCES = 64;

    private final Station station;
    private final Loop loop;
    private InboundPlan inbound;
    private DatagramServer server;
    private final LinkedHashSet<DatagramFlow> flows = new LinkedHashSet<>();
    private @Nullable DatagramSocket socket;
    private @Nullable IpAddress arrivedAt;
    private long lastNanos;
    private final Timer deadline =
            new Timer() {
                @Override
                protected void onTimer(long nowNanos) {
                    server.onDeadline(nowNanos);
                    settle();
                }
            };

    private DatagramPort(Station station, InboundPlan inbound, DatagramServer server) {
        this.station = station;
        this.loop = station.loop();
        this.inbound = inbound;
        this.server = server;
        this.lastNanos = loop.nowNanos();
    }

    /// Serves a bound socket. Returns null, with the socket closed, where the poller refuses it.
    ///
    /// @param socket from the driver's `bindDatagrams`
    public static @Nullable DatagramPort openOrNull(
            Station station, InboundPlan inbound, DatagramServer server, int socket) {
        DatagramPort port = new DatagramPort(station, inbound, server);
        port.socket = DatagramSocket.watch(station.loop(), port, socket);
        return port.socket == null ? null : port;
    }

    /// Gives later flows to another plan.
    public void follow(InboundPlan plan) {
        inbound = plan;
    }

    /// Lets another machine serve the same socket; sessions begin anew, unless it knows those of
    /// the machine before it.
    public void replace(DatagramServer next) {
        next.inherit(server);
        server = next;
        settle();
    }

    @Override
    public void onReceived(
            DatagramSocket from, Endpoint peer, @Nullable IpAddress local, Buf owned) {
        arrivedAt = local;
        try {
            server.onPacket(peer, owned, loop.nowNanos(), this);
        } finally {
            owned.release();
        }
        settle();
    }

    private void settle() {
        if (socket != null && deadline.deadlineNanos() != server.deadlineNanos()) {
            loop.timers().set(deadline, server.deadlineNanos());
        }
    }

    @Override
    public Buf acquire(int bytes) {
        return loop.buffers().acquire(Math.max(1, bytes));
    }

    @Override
    public void deliver(DatagramSession session, Destination target, Buf owned) {
        lastNanos = loop.nowNanos();
        session.local(arrivedAt);
        Attached attached = session.flow() instanceof Attached present ? present : null;
        if (attached == null || !attached.flow.isOpen()) {
            attached = begin(session, target);
        }
        attached.flow.fromClient(target, owned);
    }

    /// What hangs on a session: its flow, and the way back from the flow to the session.
    private static final class Attached implements DatagramFlow.Answers {
        private final DatagramPort port;
        private final DatagramServer server;
        private final DatagramSession session;
        private final DatagramFlow flow;

        Attached(DatagramPort port, DatagramSession session, Destination target) {
            this.port = port;
            this.server = port.server;
            this.session = session;
            this.flow =
                    new DatagramFlow(
                            port.station,
                            port.inbound,
                            session.client(),
                            session.user(),
                            target,
                            port.server.hasOneTarget(),
                            this);
        }

        @Override
        public void answer(DatagramFlow from, Destination source, Buf owned) {
            port.answer(server, session, source, owned);
        }

        @Override
        public void flowEnded(DatagramFlow ended, String reason) {
            session.flow(null);
            port.flows.remove(ended);
            server.onFlowEnd(session, port.loop.nowNanos());
            port.settle();
        }
    }

    private Attached begin(DatagramSession session, Destination target) {
        makeRoom();
        Attached attached = new Attached(this, session, target);
        session.flow(attached);
        flows.add(attached.flow);
        attached.flow.begin();
        return attached;
    }

    /// Ends one flow where there are too many: the first that is silent, so that a flood of flows
    /// of one datagram each takes the place of its own kind.
    private void makeRoom() {
        for (int i = 0; flows.size() >= FLOWS; i++) {
            DatagramFlow first = flows.removeFirst();
            if (i < CHANCES && first.hasMovedSinceLook()) {
                flows.add(first);
            } else {
                first.end("too many flows");
            }
        }
    }

    private void answer(
            DatagramServer machine, DatagramSession session, Destination source, Buf owned) {
        lastNanos = loop.nowNanos();
        Buf packet = loop.buffers().acquire(owned.length() + machine.overheadBytes());
        DatagramSocket present = socket;
        try {
            if (present != null && machine.seal(session, source, owned, packet, loop.nowNanos())) {
                present.send(session.client(), session.local(), packet);
            } else {
                loop.counters().datagramsDropped++;
            }
        } finally {
            packet.release();
            owned.release();
        }
    }

    @Override
    public void drop(Endpoint from, String reason) {
        loop.counters().datagramsDropped++;
        station.journal()
                .trouble(
                        Level.DEBUG,
                        inbound.tag() + ": dropped datagrams",
                        reason + " (" + from + ")");
    }

    @Override
    public void sendRaw(Endpoint to, Buf owned) {
        DatagramSocket present = socket;
        if (present != null) {
            present.send(to, null, owned);
        }
        owned.release();
    }

    /// When the last datagram passed either way.
    public long lastNanos() {
        return lastNanos;
    }

    /// The address it listens on.
    public @Nullable Endpoint bound() {
        DatagramSocket present = socket;
        return present == null ? null : present.local();
    }

    /// Closes the socket and ends its flows, which cannot answer any more.
    public void close() {
        DatagramSocket present = socket;
        socket = null;
        loop.timers().clear(deadline);
        while (!flows.isEmpty()) {
            flows.removeFirst().end("closed");
        }
        if (present != null) {
            present.close();
        }
    }
}
