package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.time.Deadline;
import sluice.engine.loop.Timer;

/// One machine's place in a [Leg]: hands it what comes from below and above, and carries out what
/// it asks for. Owned by the loop.
final class Layer implements Effects {

    /// Most bytes that wait for a machine to understand them: what two layers make of a full read.
    private static final int PENDING_BYTES_MAX = 2 * 288 * 1024;

    final Leg leg;
    private StreamMachine machine;
    @Nullable Layer below;
    @Nullable Layer above;

    /// What the machine left, or is being offered; not for the lowest layer, whose bytes the leg
    /// keeps.
    private @Nullable Buf pending;

    /// What came while the machine was busy, or not yet started.
    private @Nullable Buf arrived;

    /// Payload that the machine gave back.
    private @Nullable Buf putBack;

    private @Nullable DeadlineTimer timer;
    private @Nullable StreamMachine successor;
    private boolean started;
    private boolean retiring;
    private boolean readyAsked;
    private boolean ready;
    private boolean inputEnded;
    private boolean offering;

    /// The machine wants no more bytes, or wants them again as soon as it returns.
    private boolean stopped;

    private boolean goesOn;

    /// The end came while the machine wanted no more.
    private boolean endWithheld;

    Layer(Leg leg, StreamMachine machine) {
        this.leg = leg;
        this.machine = machine;
    }

    // What comes in. A machine that throws is our fault, and ends its leg alone.

    /// The layer below is there; later calls do nothing.
    void start() {
        if (started) {
            return;
        }
        started = true;
        try {
            machine.onStart(leg.now(), this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
        if (arrived != null) {
            offer();
        }
        if (inputEnded && leg.isOpen()) {
            tellInputEnd();
        }
    }

    /// Bytes from the layer below. Takes `owned`.
    void receive(Buf owned) {
        if (!leg.isOpen()) {
            owned.release();
            return;
        }
        Buf waiting = arrived;
        arrived = waiting == null ? owned : joined(waiting, owned);
        if (arrived.length() > PENDING_BYTES_MAX) {
            leg.failed(ReadRoom.tooLarge(), Farewell.RESET);
        } else if (started && !offering) {
            offer();
        }
    }

    /// Puts `second` behind `first`. Takes both.
    Buf joined(Buf first, Buf second) {
        Buf target = first;
        if (first.tailroom() < second.length()) {
            target = acquire(first.length() + second.length());
            target.put(first.array(), first.start(), first.length());
            first.release();
        }
        target.put(second.array(), second.start(), second.length());
        second.release();
        return target;
    }

    private void offer() {
        Buf more;
        while ((more = arrived) != null && leg.isOpen()) {
            arrived = null;
            Buf waiting = pending;
            Buf offered = waiting == null ? more : joined(waiting, more);
            pending = offered;
            if (offered.length() > PENDING_BYTES_MAX) {
                leg.failed(ReadRoom.tooLarge(), Farewell.RESET);
                return;
            }
            offerOnce(offered);
        }
    }

    private void offerOnce(Buf offered) {
        offering = true;
        try {
            machine.onBytes(offered, leg.now(), this);
            offering = false;
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
        offering = false;
        Buf rest = pending;
        if (rest != null && (rest.isEmpty() || !leg.isOpen())) {
            pending = null;
            rest.release();
        } else if (rest != null && stopped) {
            pending = leg.loop().buffers().shrink(rest);
        }
    }

    /// Bytes at the lowest layer; the leg keeps what is left. Borrows `in`.
    void receiveBorrowed(Buf in) {
        try {
            machine.onBytes(in, leg.now(), this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
    }

    void inputEnd() {
        if (!inputEnded) {
            inputEnded = true;
            if (started) {
                tellInputEnd();
            }
        }
    }

    private void tellInputEnd() {
        endWithheld = stopped;
        if (stopped) {
            return;
        }
        try {
            machine.onEnd(leg.now(), this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
    }

    void payload(Buf owned) {
        Buf before = putBack;
        putBack = null;
        try {
            Buf all = before == null ? owned : joined(before, owned);
            machine.onPayload(all, leg.now(), this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
    }

    void payloadEnd() {
        try {
            machine.onPayloadEnd(leg.now(), this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
    }

    boolean payloadBroken() {
        try {
            boolean handled = machine.onPayloadBroken(leg.now(), this);
            settle();
            return handled;
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
            return true;
        }
    }

    void opened(OpenOutcome outcome) {
        try {
            machine.onOpened(outcome, leg.now(), this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
    }

    void associated(Endpoint bound) {
        try {
            machine.onAssociated(bound, leg.now(), this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
    }

    void datagram(Destination remote, Buf owned) {
        try {
            machine.onDatagram(remote, owned, leg.now(), this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
    }

    private void deadline(long nowNanos) {
        try {
            machine.onDeadline(nowNanos, this);
            settle();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            leg.failedByUs(failure);
        }
    }

    /// After each call into the machine: replaces or retires it where it asked for that, and sets
    /// its timer.
    private void settle() {
        if (!leg.isOpen()) {
            return;
        }
        StreamMachine next = successor;
        if (next != null) {
            successor = null;
            machine = next;
            letReadingGoOn();
            machine.onStart(leg.now(), this);
            settle();
            leg.offerAgain(this);
            return;
        }
        boolean becomesReady = readyAsked && !ready;
        ready |= becomesReady;
        if (retiring) {
            retiring = false;
            endWithheld = false;
            letReadingGoOn();
            setTimer(Deadline.NONE);
            leg.layers().retire(this, becomesReady);
            return;
        }
        setTimer(machine.deadlineNanos());
        if (becomesReady) {
            leg.layers().ready(above);
        }
        if (goesOn) {
            letReadingGoOn();
            leg.offerAgain(this);
            if (endWithheld && leg.isOpen()) {
                tellInputEnd();
            }
        }
    }

    private void letReadingGoOn() {
        goesOn = false;
        if (stopped) {
            stopped = false;
            leg.goOnReading();
        }
    }

    private void setTimer(long deadlineNanos) {
        DeadlineTimer present = timer;
        if (present == null) {
            if (deadlineNanos == Deadline.NONE) {
                return;
            }
            present = new DeadlineTimer(this);
            timer = present;
        }
        if (present.deadlineNanos() != deadlineNanos) {
            leg.loop().timers().set(present, deadlineNanos);
        }
    }

    private static final class DeadlineTimer extends Timer {
        private final Layer layer;

        DeadlineTimer(Layer layer) {
            this.layer = layer;
        }

        @Override
        protected void onTimer(long nowNanos) {
            if (layer.leg.isOpen()) {
                layer.deadline(nowNanos);
                layer.leg.afterCall();
            }
        }
    }

    /// Offers unconsumed bytes once more, to a machine that took this one's place.
    void offerPending() {
        Buf rest = pending;
        if (rest != null && !rest.isEmpty() && !offering) {
            offerOnce(rest);
            offer();
        }
    }

    @Nullable Buf takePending() {
        Buf rest = pending;
        Buf more = arrived;
        pending = null;
        arrived = null;
        return rest == null ? more : more == null ? rest : joined(rest, more);
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    /// The leg is over: gives back what is held, except what the machine is looking at.
    void discard() {
        setTimer(Deadline.NONE);
        Buf more = arrived;
        arrived = null;
        if (more != null) {
            more.release();
        }
        Buf rest = pending;
        if (rest != null && !offering) {
            pending = null;
            rest.release();
        }
        dropPutBack();
    }

    private void dropPutBack() {
        Buf before = putBack;
        putBack = null;
        if (before != null) {
            before.release();
        }
    }

    // What goes out

    @Override
    public void stopReading() {
        goesOn = false;
        if (!stopped && leg.isOpen()) {
            stopped = true;
            leg.stopReading();
        }
    }

    @Override
    public void goOnReading() {
        goesOn = stopped;
    }

    @Override
    public void putBack(Buf owned) {
        assert putBack == null : "put back twice";
        if (leg.isOpen()) {
            putBack = leg.loop().buffers().shrink(owned);
        } else {
            owned.release();
        }
    }

    @Override
    public Buf acquire(int bytes) {
        return leg.loop().buffers().acquire(bytes);
    }

    @Override
    public void send(Buf owned) {
        Layer lower = below;
        if (!leg.isOpen()) {
            owned.release();
        } else if (lower != null) {
            lower.payload(owned);
        } else {
            leg.transmit(owned);
        }
    }

    @Override
    public void end() {
        Layer lower = below;
        if (!leg.isOpen()) {
            return;
        }
        if (lower != null) {
            lower.payloadEnd();
        } else {
            leg.endOutput();
        }
    }

    @Override
    public void deliver(Buf owned) {
        if (owned.isEmpty() || !leg.isOpen()) {
            owned.release();
            return;
        }
        Layer upper = above;
        if (upper != null) {
            upper.receive(owned);
        } else {
            leg.owner().onPayload(leg, owned);
        }
    }

    @Override
    public void deliverEnd() {
        if (!leg.isOpen()) {
            return;
        }
        Layer upper = above;
        if (upper != null) {
            upper.inputEnd();
        } else {
            leg.payloadEnded();
        }
    }

    @Override
    public void deliverDatagram(Destination remote, Buf owned) {
        if (leg.isOpen()) {
            leg.owner().onDatagram(leg, remote, owned);
        } else {
            owned.release();
        }
    }

    @Override
    public void open(Destination destination, @Nullable String user) {
        if (leg.isOpen()) {
            leg.owner().onOpen(leg, destination, user);
        }
    }

    @Override
    public void openDatagrams(Destination first, @Nullable String user) {
        if (leg.isOpen()) {
            leg.owner().onOpenDatagrams(leg, first, false, user);
        }
    }

    @Override
    public void connectDatagrams(Destination target, @Nullable String user) {
        if (leg.isOpen()) {
            leg.owner().onOpenDatagrams(leg, target, true, user);
        }
    }

    @Override
    public void associate(DatagramServer server, @Nullable String user) {
        if (leg.isOpen()) {
            leg.owner().onAssociate(leg, server, user);
        }
    }

    @Override
    public void detach() {
        dropPutBack();
        leg.detach();
    }

    @Override
    public void ready() {
        readyAsked = true;
    }

    @Override
    public void refuse(OpenOutcome outcome, String reason) {
        leg.refused(outcome, reason);
    }

    @Override
    public void becomeTransparent() {
        retiring = true;
        readyAsked = true;
    }

    @Override
    public void become(StreamMachine next) {
        successor = next;
    }

    @Override
    public void sourceIs(Endpoint source) {
        leg.owner().onSource(leg, source);
    }

    @Override
    public void close() {
        leg.closeInOrder();
    }

    @Override
    public void fail(PeerFault fault, Farewell farewell) {
        leg.failed(fault, farewell);
    }
}
