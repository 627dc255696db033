package sluice.engine.flow;

import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.os.Errno;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Timer;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.OutboundPlan;
import sluice.policy.dns.Resolution;
import sluice.policy.route.Decision;
import sluice.policy.route.FlowFacts;
import sluice.policy.route.Network;
import sluice.protocol.spi.StreamService;

/// One client's stream conversation, from accept to close: the client's leg, then, when its protocol asked
/// for a destination, a decision, a dial and the target's leg, and bytes between the two. Owned by one
/// loop. Ends with one reason and one line in the log.
final class Flow extends Conversation implements LegOwner, StreamDial.Callback {

    private enum Stage {
        /// The client's protocol has not asked for anything yet.
        GREETING,
        /// A way is being looked for, or the target is being reached.
        OPENING,
        /// Payload passes.
        RELAYING,
        /// Between two targets of one client.
        DETACHED,
        /// The stream carries datagrams, or controls an association.
        DATAGRAMS,
        /// Over; a leg may still be closing.
        ENDED
    }

    private final Station station;
    private final Loop loop;
    private final InboundPlan inbound;
    private final Leg client;
    private final Endpoint peer;
    private final String id;
    private final long startNanos;
    private Endpoint source;
    private Stage stage = Stage.GREETING;
    private boolean greeted;
    private boolean clientGone;

    private @Nullable String user;
    private @Nullable Destination destination;
    private @Nullable OutboundPlan outbound;
    private int rule = Decision.FINAL;
    private @Nullable StreamDial dial;
    private @Nullable Leg target;
    private @Nullable Buf waiting;
    private @Nullable Buf waitingTail;
    private boolean waitingEnd;
    private long upBytes;
    private long downBytes;
    private @Nullable DatagramSide datagrams;
    private final Patience patience = new Patience(this);

    private Flow(Station station, InboundPlan inbound, int socket, Endpoint peer) {
        this.station = station;
        this.loop = station.loop();
        this.inbound = inbound;
        this.peer = peer;
        this.source = peer;
        this.id = station.nextId();
        this.startNanos = loop.nowNanos();
        this.client = new Leg(loop, this, socket, false);
    }

    /// Begins a conversation on an accepted socket, which was admitted and now belongs to the flow.
    static void begin(Station station, InboundPlan inbound, int socket, Endpoint peer) {
        Flow flow = new Flow(station, inbound, socket, peer);
        if (!flow.client.register()) {
            station.admission().leave(peer.address(), false);
            station.load().decrementAndGet();
            return;
        }
        station.add(flow);
        flow.loop.counters().flowsOpened++;
        Endpoint local = flow.client.local();
        InboundPlan.Preface preface = inbound.preface();
        StreamMachine first = preface == null ? null : preface.machineOrNull(peer);
        if (first != null) {
            flow.client.push(first);
        }
        flow.client.push(
                inbound.protocol()
                        .acceptStream(flow.loop.services(), peer, local == null ? peer : local));
        flow.loop.timers().set(flow.patience, flow.startNanos + inbound.handshakeNanos());
        flow.client.start();
    }

    // The client asks

    @Override
    public void onOpen(Leg leg, Destination wanted, @Nullable String asUser) {
        if (stage == Stage.ENDED) {
            return;
        }
        greeted();
        user = asUser;
        for (StreamService service : station.plan().services()) {
            StreamMachine machine = service.serviceOrNull(loop.services(), wanted, asUser);
            if (machine != null) {
                loop.soon(() -> serve(machine));
                return;
            }
        }
        closeTarget();
        stage = Stage.OPENING;
        destination = wanted;
        FlowFacts facts = FlowFacts.of(inbound.tag(), Network.STREAM, wanted, source, asUser);
        loop.soon(() -> follow(station.plan().router().decide(facts), facts));
    }

    /// A service inside the client's stream takes over as its highest layer.
    private void serve(StreamMachine machine) {
        client.opened(OpenOutcome.OK);
        if (!client.isOpen()) {
            return;
        }
        client.push(machine);
        client.startTop();
        takeWaiting();
    }

    private void takeWaiting() {
        Buf buf = waiting;
        waiting = null;
        waitingTail = null;
        while (buf != null) {
            Buf next = buf.next();
            buf.next(null);
            client.offerToTop(buf);
            buf = next;
        }
        if (waitingEnd) {
            waitingEnd = false;
            client.endToTop();
        }
        client.resume();
    }

    private void greeted() {
        if (!greeted) {
            greeted = true;
            station.admission().greeted(peer.address());
            loop.timers().clear(patience);
        }
    }

    private void follow(Decision decision, FlowFacts facts) {
        if (stage != Stage.OPENING) {
            return;
        }
        rule = decision.ruleIndex();
        switch (decision) {
            case Decision.Use use -> dial(station.plan().outbound(use.outbound()), facts);
            case Decision.Refuse refuse -> {
                if (refuse.how() == Decision.Refuse.How.DROP) {
                    finish("dropped by rule " + rule);
                    client.reset();
                } else {
                    refuse(OpenOutcome.DENIED, "refused by rule " + rule);
                }
            }
            case Decision.Resolve ask -> resolve(ask, facts);
            case Decision.Sniff ask -> follow(
                    station.plan()
                            .router()
                            .resume(ask, facts.withSniffed(FlowFacts.Sniffed.NOTHING)),
                    facts.withSniffed(FlowFacts.Sniffed.NOTHING));
        }
    }

    private void resolve(Decision.Resolve ask, FlowFacts facts) {
        if (!(facts.destination().host() instanceof DomainName name)) {
            follow(station.plan().router().resume(ask, facts), facts);
            return;
        }
        station.resolver()
                .resolve(name, ask.family(), answer -> loop.execute(() -> resolved(ask, facts, answer)));
    }

    private void resolved(Decision.Resolve ask, FlowFacts facts, Resolution answer) {
        switch (answer) {
            case Resolution.Found found -> {
                FlowFacts more = facts.withResolved(found.addresses());
                follow(station.plan().router().resume(ask, more), more);
            }
            case Resolution.Failed failed -> {
                if (stage == Stage.OPENING) {
                    refuse(
                            OpenOutcome.HOST_UNREACHABLE,
                            "cannot resolve " + facts.destination().host() + ": " + failed.reason());
                }
            }
        }
    }

    private void dial(OutboundPlan way, FlowFacts facts) {
        outbound = way;
        Destination goal = facts.destination();
        List<sluice.base.net.IpAddress> known = facts.resolved();
        if (known != null && !known.isEmpty()) {
            goal = new Destination(known.getFirst(), goal.port());
        }
        dial = StreamDial.start(station, way, goal, this, this);
    }

    // The target answers

    @Override
    public void connected(Leg leg, Endpoint at, int readiness) {
        dial = null;
        target = leg;
        loop.timers().set(patience, loop.nowNanos() + DIAL_HANDSHAKE_NANOS);
        leg.start();
        if (readiness != 0 && !leg.isClosed()) {
            leg.onReady(readiness, loop.nowNanos());
        }
    }

    /// 10 s from connect until the proxy on the other side has said yes.
    private static final long DIAL_HANDSHAKE_NANOS = 10_000_000_000L;

    @Override
    public void failed(OpenOutcome outcome, String reason) {
        dial = null;
        if (stage == Stage.OPENING) {
            refuse(outcome, reason);
        }
    }

    private void refuse(OpenOutcome outcome, String reason) {
        station.journal()
                .trouble(Level.DEBUG, "cannot reach a target", destination + ": " + reason);
        tell(reason);
        loop.timers().clear(patience);
        stage = Stage.DETACHED;
        dropWaiting();
        client.opened(outcome);
        if (!client.isOpen()) {
            finish(reason);
        } else {
            client.resume();
        }
    }

    @Override
    public void onReady(Leg leg) {
        if (leg != target || stage != Stage.OPENING) {
            return;
        }
        stage = Stage.RELAYING;
        loop.timers().clear(patience);
        client.opened(OpenOutcome.OK);
        Leg to = target;
        if (to == null || stage != Stage.RELAYING) {
            return;
        }
        Buf buf = waiting;
        waiting = null;
        waitingTail = null;
        while (buf != null) {
            Buf next = buf.next();
            buf.next(null);
            to.writePayload(buf);
            buf = next;
        }
        if (waitingEnd) {
            waitingEnd = false;
            to.writePayloadEnd();
        }
        if (!to.isBlocked()) {
            client.resume();
        }
    }

    @Override
    public void onRefused(Leg leg, OpenOutcome outcome, String reason) {
        if (leg == target && stage == Stage.OPENING) {
            target = null;
            loop.counters().dialsFailed++;
            loop.soon(
                    () -> {
                        if (stage == Stage.OPENING) {
                            refuse(outcome, reason);
                        }
                    });
        }
    }

    // Payload

    @Override
    public void onPayload(Leg leg, Buf owned) {
        if (leg == client) {
            upBytes += owned.length();
            loop.counters().upBytes += owned.length();
            Leg to = target;
            if (to != null && stage == Stage.RELAYING) {
                to.writePayload(owned);
            } else if (stage == Stage.ENDED) {
                owned.release();
            } else {
                hold(owned);
            }
        } else if (leg == target) {
            downBytes += owned.length();
            loop.counters().downBytes += owned.length();
            client.writePayload(owned);
        } else {
            owned.release();
        }
    }

    /// Early payload waits; the client's leg stops reading meanwhile.
    private void hold(Buf owned) {
        Buf kept = loop.buffers().shrink(owned);
        Buf tail = waitingTail;
        if (tail == null) {
            waiting = kept;
        } else {
            tail.next(kept);
        }
        waitingTail = kept;
        client.pause();
    }

    @Override
    public void onPayloadEnd(Leg leg) {
        if (leg == client) {
            Leg to = target;
            if (to != null && stage == Stage.RELAYING) {
                to.writePayloadEnd();
            } else if (stage == Stage.GREETING) {
                client.closeInOrder();
                return;
            } else {
                waitingEnd = true;
            }
        } else if (leg == target) {
            client.writePayloadEnd();
        }
        halfClosed();
    }

    @Override
    public void onBlocked(Leg leg) {
        Leg from = leg == client ? target : client;
        if (from != null) {
            from.pause();
        }
    }

    @Override
    public void onDrained(Leg leg) {
        Leg from = leg == client ? target : client;
        if (from != null && (stage == Stage.RELAYING || stage == Stage.DETACHED)) {
            from.resume();
        }
    }

    @Override
    public @Nullable Leg spliceTarget(Leg leg) {
        Leg to = leg == client ? target : client;
        return stage == Stage.RELAYING && leg.isBare() && to != null && to.takesSplice() ? to : null;
    }

    @Override
    public void onSpliced(Leg leg, long bytes) {
        if (leg == client) {
            upBytes += bytes;
            loop.counters().upBytes += bytes;
        } else {
            downBytes += bytes;
            loop.counters().downBytes += bytes;
        }
    }

    // Datagrams inside the stream, and associations beside it

    @Override
    public void onOpenDatagrams(Leg leg, Destination first, @Nullable String asUser) {
        greeted();
        user = asUser;
        destination = first;
        stage = Stage.DATAGRAMS;
        StreamClientSide side = new StreamClientSide(station, inbound, client, source, asUser);
        datagrams = side;
        loop.soon(() -> client.opened(OpenOutcome.OK));
    }

    @Override
    public void onDatagram(Leg leg, Destination remote, Buf owned) {
        DatagramSide side = datagrams;
        if (leg == client && side != null) {
            side.fromStream(remote, owned);
        } else {
            owned.release();
        }
    }

    @Override
    public void onAssociate(Leg leg, DatagramServer server, @Nullable String asUser) {
        greeted();
        user = asUser;
        stage = Stage.DATAGRAMS;
        loop.soon(() -> associate(server));
    }

    private void associate(DatagramServer server) {
        if (!client.isOpen()) {
            return;
        }
        Endpoint local = client.local();
        Endpoint at = new Endpoint(local == null ? peer.address() : local.address(), 0);
        AssociationSide side = AssociationSide.open(station, inbound, at, server, this);
        if (side == null) {
            client.opened(OpenOutcome.FAILED);
            return;
        }
        datagrams = side;
        client.associated(side.bound());
    }

    /// The association was silent for too long.
    void associationIsIdle() {
        end("idle");
    }

    // Ends

    @Override
    public void onDetach(Leg leg) {
        if (stage == Stage.RELAYING || stage == Stage.OPENING) {
            tell("detached");
            closeTarget();
            stage = Stage.DETACHED;
            client.resume();
        }
    }

    private void closeTarget() {
        StreamDial present = dial;
        if (present != null) {
            dial = null;
            present.cancel();
        }
        Leg leg = target;
        target = null;
        if (leg != null) {
            leg.closeInOrder();
        }
    }

    @Override
    public void onOutputShut(Leg leg) {
        Leg to = target;
        if (to == null) {
            return;
        }
        if (isOver(client) && isOver(to)) {
            finish("ended");
            client.closeNow();
            to.closeNow();
        } else {
            halfClosed();
        }
    }

    @Override
    public void onInputEnded(Leg leg) {
        Leg to = target;
        if (stage == Stage.RELAYING && to != null && isOver(client) && isOver(to)) {
            onOutputShut(to);
        }
    }

    private static boolean isOver(Leg leg) {
        return leg.isClosed() || (leg.isOutputShut() && leg.isInputEnded());
    }

    private void halfClosed() {
        if (stage == Stage.RELAYING) {
            Leg to = target;
            if (to != null && isOver(client) && isOver(to)) {
                onOutputShut(to);
                return;
            }
            loop.timers().set(patience, loop.nowNanos() + station.plan().halfClosedNanos());
        }
    }

    @Override
    public void onBroken(Leg leg, int errno) {
        if (stage == Stage.ENDED) {
            return;
        }
        if (leg == client) {
            resetTarget();
            finish("client: " + Errno.describe(errno));
        } else if (leg == target) {
            target = null;
            if (stage == Stage.OPENING) {
                loop.soon(() -> failed(StreamDial.outcomeOf(errno), Errno.describe(errno)));
                return;
            }
            tell("target: " + Errno.describe(errno));
            stage = Stage.DETACHED;
            client.breakOff();
            if (!client.isOpen()) {
                finish("target: " + Errno.describe(errno));
            }
        }
    }

    @Override
    public void onFault(Leg leg, PeerFault fault, Farewell farewell) {
        String who = leg == client ? inbound.tag() + ": " + fault.kind() : "server of " + outboundTag();
        station.journal()
                .trouble(
                        leg == client ? Level.INFO : Level.WARNING,
                        who,
                        fault.reason() + " (" + (leg == client ? source : destination) + ")");
        if (leg == target) {
            Leg failing = leg;
            target = null;
            if (stage == Stage.OPENING) {
                loop.soon(() -> failed(OpenOutcome.FAILED, fault.reason()));
            } else if (stage == Stage.RELAYING) {
                finish("target: " + fault.reason());
                client.reset();
            }
            failing.reset();
        } else {
            if (farewell == Farewell.RESET) {
                resetTarget();
            }
            finish("client: " + fault.reason());
            if (farewell == Farewell.DRAIN) {
                station.draining(client);
            }
        }
    }

    @Override
    public void onClosing(Leg leg) {
        if (leg == client) {
            finish("closed");
        } else if (leg == target) {
            target = null;
            if (stage == Stage.RELAYING) {
                client.closeInOrder();
            }
        }
    }

    @Override
    public long drainUntilNanos(Leg leg) {
        return startNanos + inbound.handshakeNanos();
    }

    @Override
    public void onSource(Leg leg, Endpoint trueSource) {
        source = trueSource;
    }

    /// The flow is over: everything but the client's leg, which may still be closing, is let go.
    private void finish(String reason) {
        if (stage == Stage.ENDED) {
            return;
        }
        if (stage != Stage.DETACHED) {
            tell(reason);
        }
        stage = Stage.ENDED;
        loop.timers().clear(patience);
        dropWaiting();
        StreamDial present = dial;
        if (present != null) {
            dial = null;
            present.cancel();
        }
        Leg to = target;
        target = null;
        if (to != null && to.isOpen()) {
            to.closeInOrder();
        }
        DatagramSide side = datagrams;
        datagrams = null;
        if (side != null) {
            side.close(reason);
        }
        if (!clientGone) {
            clientGone = true;
            station.admission().leave(peer.address(), greeted);
            station.load().decrementAndGet();
            station.remove(this);
            loop.counters().flowsClosed++;
        }
    }

    private void dropWaiting() {
        Buf buf = waiting;
        waiting = null;
        waitingTail = null;
        waitingEnd = false;
        while (buf != null) {
            Buf next = buf.next();
            buf.next(null);
            buf.release();
            buf = next;
        }
    }

    @Override
    public void end(String reason) {
        resetTarget();
        finish(reason);
        client.reset();
    }

    private void resetTarget() {
        Leg to = target;
        target = null;
        if (to != null) {
            to.reset();
        }
    }

    /// One timer for all that a flow waits for: the request, the target, the second half of a close.
    private static final class Patience extends Timer {
        private final Flow flow;

        Patience(Flow flow) {
            this.flow = flow;
        }

        @Override
        protected void onTimer(long nowNanos) {
            flow.outOfPatience(nowNanos);
        }
    }

    private void outOfPatience(long nowNanos) {
        switch (stage) {
            case GREETING -> {
                station.journal()
                        .trouble(
                                Level.INFO,
                                inbound.tag() + ": " + PeerFault.Kind.TOO_SLOW,
                                "no request in time (" + source + ")");
                loop.counters().peerFaults++;
                finish("no request in time");
                client.closeNow();
            }
            case OPENING -> {
                resetTarget();
                failed(OpenOutcome.TIMED_OUT, "the server did not answer in time");
            }
            case RELAYING -> checkHalfClosed(nowNanos);
            case DETACHED, DATAGRAMS, ENDED -> {}
        }
    }

    private void checkHalfClosed(long nowNanos) {
        Leg to = target;
        long last = client.lastActivityNanos();
        if (to != null && to.lastActivityNanos() - last > 0) {
            last = to.lastActivityNanos();
        }
        long until = last + station.plan().halfClosedNanos();
        if (until - nowNanos > 0) {
            loop.timers().set(patience, until);
        } else {
            end("half-closed and idle");
        }
    }

    // Looks

    private void tell(String reason) {
        if (!station.journal().tellsFlows() || stage == Stage.ENDED) {
            return;
        }
        long millis = (loop.nowNanos() - startNanos) / 1_000_000;
        station.journal()
                .flow(
                        "flow.closed id=%s inbound=%s source=%s user=%s target=%s rule=%s outbound=%s up=%d down=%d ms=%d reason=\"%s\""
                                .formatted(
                                        id,
                                        inbound.tag(),
                                        source,
                                        user == null ? "-" : user,
                                        destination == null ? "-" : destination,
                                        rule == Decision.FINAL ? "final" : String.valueOf(rule),
                                        outboundTag(),
                                        upBytes,
                                        downBytes,
                                        millis,
                                        reason));
    }

    private String outboundTag() {
        OutboundPlan present = outbound;
        return present == null ? "-" : present.tag();
    }

    @Override
    public String inbound() {
        return inbound.tag();
    }

    @Override
    public @Nullable String user() {
        return user;
    }
}
