package sluice.engine.flow;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.os.Errno;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Timer;
import sluice.engine.plan.InboundPlan;
import sluice.policy.route.Decision;
import sluice.policy.route.FlowFacts;
import sluice.policy.route.Network;
import sluice.protocol.spi.StreamService;

/// One client's stream conversation, from accept to close: the client's leg, then, when its
/// protocol asked for a destination, a decision, a dial and the target's leg, and bytes between the
/// two. Owned by one loop. Ends with one reason and one line in the log.
final class Flow extends Conversation implements LegOwner {

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
    private final Presence presence;
    private boolean clientGone;

    private @Nullable String user;
    private @Nullable Destination destination;
    private @Nullable String outbound;
    private String rule = "-";
    private @Nullable Opening opening;
    private @Nullable Leg target;
    private boolean targetBroke;

    /// What the client sent before its target was ready.
    private @Nullable HeldPayload waiting;

    /// What the target sent together with the answer that made it ready.
    private @Nullable HeldPayload early;

    private long upBytes;
    private long downBytes;
    private @Nullable DatagramSide datagrams;

    /// One timer for all that a flow waits for: the request, the target, the second half of a
    /// close.
    private final Timer patience = Timer.calling(this::outOfPatience);

    private Flow(Station station, InboundPlan inbound, int socket, Presence presence) {
        this.station = station;
        this.loop = station.loop();
        this.inbound = inbound;
        this.presence = presence;
        this.peer = presence.peer();
        this.source = peer;
        this.id = station.nextId();
        this.startNanos = loop.nowNanos();
        this.client = new Leg(loop, this, socket, false);
    }

    /// Begins a conversation on an accepted socket, which was admitted and now belongs to the flow.
    static void begin(Station station, InboundPlan inbound, int socket, Presence presence) {
        Flow flow = new Flow(station, inbound, socket, presence);
        if (!flow.client.register()) {
            presence.leave();
            station.load().decrementAndGet();
            return;
        }
        station.add(flow);
        flow.loop.counters().flowsOpened++;
        try {
            flow.greet();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            flow.loop.unexpected(failure);
            flow.end("internal error");
        }
    }

    private void greet() {
        loop.timers().set(patience, startNanos + inbound.handshakeNanos());
        InboundPlan.Preface preface = inbound.preface();
        StreamMachine first = preface == null ? null : preface.machineOrNull(peer);
        if (first != null) {
            client.layers().push(first);
        }
        Endpoint local = client.local();
        client.layers()
                .push(
                        inbound.protocol()
                                .acceptStream(loop.services(), peer, local == null ? peer : local));
        client.start();
    }

    // The client asks

    @Override
    public void onOpen(Leg leg, Destination wanted, @Nullable String asUser) {
        if (stage == Stage.ENDED || !letIn(asUser)) {
            return;
        }
        for (StreamService service : station.plan().services()) {
            StreamMachine machine = service.serviceOrNull(loop.services(), wanted, asUser);
            if (machine != null) {
                loop.soon(() -> serve(machine));
                return;
            }
        }
        closeTarget();
        stage = Stage.OPENING;
        targetBroke = false;
        destination = wanted;
        Opening begun =
                new Opening(
                        station,
                        this,
                        FlowFacts.of(inbound.tag(), Network.STREAM, wanted, source, asUser));
        opening = begun;
        begun.begin();
    }

    /// A service inside the client's stream takes over as its highest layer.
    private void serve(StreamMachine machine) {
        client.layers().opened(OpenOutcome.OK);
        if (!client.isOpen()) {
            return;
        }
        client.layers().push(machine);
        client.startTop();
        takeWaiting();
    }

    private void takeWaiting() {
        HeldPayload held = waiting;
        waiting = null;
        if (held != null) {
            held.offerTo(client.layers());
        }
        client.resume();
    }

    /// The handshake is over. Returns false where a limit, or a reload that came meanwhile, says
    /// no; the flow ends soon then.
    private boolean letIn(@Nullable String asUser) {
        user = asUser;
        if (!presence.isGreeted() && presence.greet(this)) {
            loop.timers().clear(patience);
        }
        if (presence.isGreeted() && isGoneFrom(station.plan())) {
            loop.soon(() -> end("the user is gone"));
            return false;
        }
        return presence.isGreeted();
    }

    /// It was decided which way to take, or null for none; for the log.
    void decided(@Nullable String tag, int byRule) {
        outbound = tag;
        rule = byRule == Decision.FINAL ? "final" : String.valueOf(byRule);
    }

    /// A rule wants the client to notice nothing but the end.
    void dropped(String reason) {
        finish(reason);
        client.reset();
    }

    // The target answers

    /// Connected; the leg is not started.
    void connected(Leg leg, int readiness) {
        target = leg;
        loop.timers().set(patience, loop.nowNanos() + DIAL_HANDSHAKE_NANOS);
        leg.start();
        if (readiness != 0 && !leg.isClosed()) {
            leg.onReady(readiness, loop.nowNanos());
        }
    }

    /// 10 s from connect until the proxy on the other side has said yes.
    private static final long DIAL_HANDSHAKE_NANOS = 10_000_000_000L;

    /// The target cannot be reached: tells the client's machine, which may ask for another one.
    void failed(OpenOutcome outcome, String reason) {
        if (stage != Stage.OPENING) {
            return;
        }
        station.journal()
                .trouble(Level.DEBUG, "cannot reach a target", destination + ": " + reason);
        tell(reason);
        loop.timers().clear(patience);
        closeTarget();
        stage = Stage.DETACHED;
        dropWaiting();
        client.layers().opened(outcome);
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
        opening = null;
        loop.timers().clear(patience);
        client.layers().opened(OpenOutcome.OK);
        if (leg != target || stage != Stage.RELAYING) {
            return;
        }
        passHeld(leg);
        if (!leg.isBlocked()) {
            client.resume();
        }
        if (!client.isBlocked()) {
            leg.resume();
        }
    }

    private void passHeld(Leg to) {
        HeldPayload down = early;
        early = null;
        if (down != null) {
            down.passTo(client);
        }
        HeldPayload up = waiting;
        waiting = null;
        if (up != null) {
            up.passTo(to);
        }
    }

    @Override
    public void onRefused(Leg leg, OpenOutcome outcome, String reason) {
        if (leg == target && stage == Stage.OPENING) {
            target = null;
            loop.counters().dialsFailed++;
            failLater(outcome, reason);
        }
    }

    private void failLater(OpenOutcome outcome, String reason) {
        Opening present = opening;
        if (present != null) {
            present.failLater(outcome, reason);
        }
    }

    // Payload

    @Override
    public void onPayload(Leg leg, Buf owned) {
        if (stage == Stage.ENDED) {
            owned.release();
        } else if (leg == client) {
            upBytes += owned.length();
            loop.counters().upBytes += owned.length();
            Leg to = target;
            if (to != null && stage == Stage.RELAYING && waiting == null) {
                to.writePayload(owned);
            } else {
                waiting = hold(waiting, owned, client);
            }
        } else if (leg == target) {
            downBytes += owned.length();
            loop.counters().downBytes += owned.length();
            if (stage == Stage.OPENING) {
                early = hold(early, owned, leg);
            } else {
                client.writePayload(owned);
            }
        } else {
            owned.release();
        }
    }

    /// Payload that comes too early waits; its leg stops reading meanwhile.
    private HeldPayload hold(@Nullable HeldPayload present, Buf owned, Leg from) {
        HeldPayload held = present == null ? new HeldPayload() : present;
        held.add(loop.buffers().shrink(owned));
        from.pause();
        return held;
    }

    private static HeldPayload ended(@Nullable HeldPayload present) {
        HeldPayload held = present == null ? new HeldPayload() : present;
        held.end();
        return held;
    }

    @Override
    public void onPayloadEnd(Leg leg) {
        if (leg == client) {
            Leg to = target;
            if (to != null && stage == Stage.RELAYING && waiting == null) {
                to.writePayloadEnd();
            } else if (stage == Stage.GREETING && !presence.isGreeted()) {
                client.closeInOrder();
                return;
            } else {
                waiting = ended(waiting);
            }
        } else if (leg == target) {
            if (stage == Stage.OPENING) {
                early = ended(early);
            } else {
                client.writePayloadEnd();
            }
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
        return stage == Stage.RELAYING && leg.isBare() && to != null && to.takesSplice()
                ? to
                : null;
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
    public void onOpenDatagrams(
            Leg leg, Destination first, boolean onlyTarget, @Nullable String asUser) {
        if (!letIn(asUser)) {
            return;
        }
        destination = first;
        stage = Stage.DATAGRAMS;
        datagrams = new StreamClientSide(station, inbound, client, source, asUser, onlyTarget);
        loop.soon(() -> client.layers().opened(OpenOutcome.OK));
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
        if (!letIn(asUser)) {
            return;
        }
        stage = Stage.DATAGRAMS;
        loop.soon(() -> associate(server));
    }

    private void associate(DatagramServer server) {
        DatagramSide before = datagrams;
        if (!client.isOpen()) {
            return;
        }
        if (before != null) {
            before.close("replaced");
        }
        Endpoint local = client.local();
        Endpoint at = new Endpoint(local == null ? peer.address() : local.address(), 0);
        AssociationSide side = AssociationSide.open(station, inbound, at, server, this);
        if (side == null) {
            client.layers().opened(OpenOutcome.FAILED);
            return;
        }
        datagrams = side;
        client.layers().associated(side.bound());
    }

    /// The association was silent for too long.
    void associationIsIdle() {
        end("idle");
    }

    // Ends

    @Override
    public void onDetach(Leg leg) {
        if (stage == Stage.RELAYING || stage == Stage.OPENING) {
            loop.timers().clear(patience);
            tell("detached");
            targetBroke = false;
            closeTarget();
            stage = Stage.DETACHED;
            client.resume();
        }
    }

    private void closeTarget() {
        Opening present = opening;
        opening = null;
        if (present != null) {
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
            awaitSilence();
        }
    }

    /// From now on the flow ends when nothing moves for a while.
    private void awaitSilence() {
        loop.timers().set(patience, loop.nowNanos() + silenceNanos());
    }

    /// For how long nothing may move after a half-close; less when one side cannot come back.
    private long silenceNanos() {
        Leg to = target;
        long most = station.plan().halfClosedNanos();
        return client.isFailing() || (to != null && to.isFailing())
                ? Math.min(most, Leg.FLUSH_NANOS)
                : most;
    }

    /// One side is gone and the other takes nothing of what it left behind; or both are gone.
    @Override
    public void onFailing(Leg leg) {
        Leg to = target;
        if (stage == Stage.OPENING && leg == client) {
            end("client: gone before its target was reached");
        } else if (stage == Stage.RELAYING && to != null) {
            if (client.isFailing() && to.isFailing()) {
                end("both sides are gone");
            } else {
                awaitSilence();
            }
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
                failLater(StreamDial.outcomeOf(errno), Errno.describe(errno));
            } else {
                targetBroke("target: " + Errno.describe(errno));
            }
        }
    }

    /// The target broke off in mid-stream. The client's leg may be what is under way, so it hears
    /// of it later.
    private void targetBroke(String reason) {
        if (stage != Stage.RELAYING) {
            return;
        }
        tell(reason);
        stage = Stage.DETACHED;
        targetBroke = true;
        loop.timers().clear(patience);
        loop.soon(() -> {
            if (targetBroke && stage == Stage.DETACHED) {
                breakClientOff(reason);
            }
        });
    }

    private void breakClientOff(String reason) {
        targetBroke = false;
        dropWaiting();
        client.breakOff();
        if (!client.isOpen()) {
            finish(reason);
        } else {
            client.resume();
        }
    }

    @Override
    public void onFault(Leg leg, PeerFault fault, Farewell farewell) {
        String who =
                leg == client ? inbound.tag() + ": " + fault.kind() : "server of " + outboundTag();
        station.journal()
                .trouble(
                        leg == client ? Level.INFO : Level.WARNING,
                        who,
                        fault.reason() + " (" + (leg == client ? source : destination) + ")");
        if (leg == target) {
            Leg failing = leg;
            target = null;
            if (stage == Stage.OPENING) {
                failLater(OpenOutcome.FAILED, fault.reason());
            } else {
                targetBroke("target: " + fault.reason());
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
            if (stage == Stage.OPENING) {
                failLater(OpenOutcome.FAILED, "the server closed the connection");
            } else if (stage == Stage.RELAYING) {
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
        presence.isOf(source, this);
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
        closeTarget();
        DatagramSide side = datagrams;
        datagrams = null;
        if (side != null) {
            side.close(reason);
        }
        if (!clientGone) {
            clientGone = true;
            presence.leave();
            station.load().decrementAndGet();
            station.remove(this);
            loop.counters().flowsClosed++;
        }
    }

    private void dropWaiting() {
        HeldPayload up = waiting;
        waiting = null;
        if (up != null) {
            up.release();
        }
        HeldPayload down = early;
        early = null;
        if (down != null) {
            down.release();
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
        long until = last + silenceNanos();
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
                                        rule,
                                        outboundTag(),
                                        upBytes,
                                        downBytes,
                                        millis,
                                        reason));
    }

    private String outboundTag() {
        return outbound == null ? "-" : outbound;
    }

    @Override
    InboundPlan via() {
        return inbound;
    }

    @Override
    public @Nullable String user() {
        return user;
    }

    @Override
    boolean isLetIn() {
        return presence.isGreeted();
    }
}
