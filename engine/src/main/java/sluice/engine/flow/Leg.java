package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.buf.BufPool;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Ready;
import sluice.engine.loop.Timer;

/// One side of a stream conversation: a socket and the layers above it, lowest first. It reads when
/// there is something to read and somewhere to put it, holds no buffer while idle, and queues what
/// the socket does not take while its [LegOwner] stops the other side. Owned by one loop.
final class Leg implements Ready, Loop.Resumable, Loop.Shrinkable, Loop.Failing {

    /// What one leg may move per turn before others get theirs: four full reads.
    private static final int BYTES_PER_TURN = 4 * BufPool.READ_BYTES;

    /// How long, and how much, a closing leg discards so that its last bytes are not lost to a
    /// reset.
    private static final long LINGER_NANOS = 1_000_000_000L;

    private static final int LINGER_BYTES = 64 * 1024;

    /// How long a closing leg waits for a peer that takes nothing of what is queued for it.
    static final long FLUSH_NANOS = 30_000_000_000L;

    /// Reads at least this large, twice in a row, make a bare leg splice (linux-io: chunks of 16
    /// KiB and more pay).
    private static final int SPLICE_FROM_BYTES = 32 * 1024;

    private enum State {
        OPEN,
        LINGERING,
        DRAINING,
        CLOSED
    }

    private final Loop loop;
    private final LegOwner owner;
    private final boolean dialled;
    private State state = State.OPEN;
    private int socket;
    private long token;

    private final LayerStack layers = new LayerStack(this);
    private final SendQueue queue = new SendQueue();
    private @Nullable Buf in;

    private boolean readable;
    private boolean writable = true;
    private boolean ended;
    private boolean paused;
    private boolean stopped;
    private boolean pumping;
    private boolean shrinking;
    private boolean resuming;
    private boolean waitsForBuffers;
    private boolean inputEnded;
    private boolean payloadEndTold;
    private boolean endRequested;
    private boolean outputShut;

    /// Why nothing can be sent any more while there is still something to read; 0 while all is
    /// well.
    private int sendErrno;

    /// The socket has an error that no receive has met yet.
    private boolean failing;

    /// An urgent byte came, at which receives stop short.
    private boolean urgent;

    private boolean splicing;
    private byte largeReads;

    /// Made when the leg splices for the first time.
    private @Nullable PipedBytes piped;

    private int discarded;
    private long lastActivityNanos;
    private @Nullable Timer endTimer;

    /// @param socket a connected socket, not yet registered; this leg owns it from here on
    /// @param dialled whether it was dialled, not accepted
    Leg(Loop loop, LegOwner owner, int socket, boolean dialled) {
        this.loop = loop;
        this.owner = owner;
        this.socket = socket;
        this.dialled = dialled;
        this.lastActivityNanos = loop.nowNanos();
    }

    /// Registers the socket. Returns false, with the socket closed, when the poller refuses it.
    boolean register() {
        long result = loop.register(socket, this);
        if (result < 0) {
            state = State.CLOSED;
            loop.driver().close(socket);
            return false;
        }
        token = result;
        return true;
    }

    /// Takes over a registration that a connector held.
    void adopt(long token) {
        this.token = token;
    }

    /// Starts the lowest layer.
    void start() {
        layers.start();
        afterCall();
    }

    /// Starts the highest layer alone; it was pushed onto a stream that is under way.
    void startTop() {
        layers.startTop();
        afterCall();
    }

    // Readiness

    @Override
    public void onReady(int readiness, long nowNanos) {
        int overBits = LoopDriver.ENDED | LoopDriver.HUNG_UP | LoopDriver.FAILED;
        if ((readiness & overBits) != 0) {
            ended = true;
        }
        if ((readiness & (LoopDriver.READABLE | overBits)) != 0) {
            // An error is found by the receive behind the last byte, so that none is lost.
            readable = true;
        }
        if ((readiness & LoopDriver.WRITABLE) != 0 && !writable) {
            writable = true;
            flush();
        }
        if ((readiness & LoopDriver.FAILED) != 0) {
            failing = true;
        }
        if ((readiness & LoopDriver.URGENT) != 0) {
            urgent = true;
        }
        if (readable) {
            pump();
        }
        tellOfFailing();
    }

    /// A leg that may not read finds no error, so its owner has to know that there is one.
    private void tellOfFailing() {
        if (failing && paused && state == State.OPEN) {
            owner.onFailing(this);
        }
    }

    @Override
    public void onResume(long nowNanos) {
        resuming = false;
        waitsForBuffers = false;
        pump();
    }

    @Override
    public void onLoopEnd() {
        closeNow();
    }

    @Override
    public void onUnexpected(long nowNanos) {
        pumping = false;
        broken(Errno.ECONNABORTED);
    }

    // Reading

    /// Reads while there is something to read and somewhere to put it.
    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        long left = BYTES_PER_TURN;
        while (canRead() && left > 0) {
            // What is in the pipe came first, also when copying has begun meanwhile.
            left -= Math.max(1, splicing || hasPiped() ? spliceOnce() : receiveOnce());
        }
        pumping = false;
        if (stopped && failing && state == State.OPEN) {
            // Nobody reads as far as the error.
            broken(sendErrno != 0 ? sendErrno : Errno.ECONNRESET);
        }
        if (left <= 0) {
            pumpLater();
        }
        afterCall();
    }

    private void pumpLater() {
        if (!pumping && canRead() && !resuming) {
            resuming = true;
            loop.resumeLater(this);
        }
    }

    private boolean canRead() {
        return switch (state) {
            case OPEN -> (readable || hasPiped()) && !paused && !stopped && !waitsForBuffers;
            case LINGERING -> readable && (outputShut || discarded <= LINGER_BYTES);
            case DRAINING -> readable;
            case CLOSED -> false;
        };
    }

    /// One receive and what follows from it. Returns the bytes received, or a small number for
    /// other work.
    private int receiveOnce() {
        BufPool pool = loop.buffers();
        if (in == null && pool.isSpent() && state == State.OPEN) {
            waitsForBuffers = true;
            loop.resumeWithBuffers(this);
            return 0;
        }
        Buf buf = roomToRead(pool);
        int want = Math.min(buf.tailroom(), pool.readBytes());
        if (want == 0) {
            failed(ReadRoom.tooLarge(), Farewell.RESET);
            return 0;
        }
        int got = loop.driver().receive(socket, buf.array(), buf.end(), want);
        if (got > 0) {
            buf.extend(got);
            if (got < want && !ended && !urgent) {
                readable = false;
            }
            received(buf, got);
            return got;
        }
        if (sendErrno != 0) {
            broken(sendErrno);
        } else if (got == 0) {
            readable = false;
            socketEnded();
        } else if (got == -Errno.EAGAIN) {
            readable = false;
        } else {
            broken(-got);
        }
        return 1;
    }

    private Buf roomToRead(BufPool pool) {
        Buf buf = in;
        if (buf == null) {
            buf = pool.acquireForRead();
        } else if (state != State.OPEN) {
            buf.clear();
        } else if (buf.tailroom() < pool.readBytes()) {
            buf = ReadRoom.more(pool, buf);
        }
        in = buf;
        return buf;
    }

    private void received(Buf buf, int got) {
        lastActivityNanos = loop.nowNanos();
        if (state != State.OPEN) {
            discard(buf, got);
            return;
        }
        Layer lowest = layers.bottom();
        if (lowest != null) {
            lowest.receiveBorrowed(buf);
            return;
        }
        in = null;
        if (got < SPLICE_FROM_BYTES) {
            largeReads = 0;
        } else if (++largeReads >= 2) {
            largeReads = 0;
            splicing = owner.spliceTarget(this) != null;
        }
        owner.onPayload(this, buf);
    }

    private void discard(Buf buf, int got) {
        buf.clear();
        discarded += got;
        if (state == State.LINGERING && outputShut && discarded > LINGER_BYTES) {
            closeNow();
        }
    }

    private void socketEnded() {
        inputEnded = true;
        if (state == State.LINGERING) {
            if (outputShut) {
                closeNow();
            }
            return;
        }
        if (state == State.DRAINING) {
            closeNow();
            return;
        }
        Layer lowest = layers.bottom();
        if (lowest != null) {
            lowest.inputEnd();
        } else {
            payloadEnded();
        }
        if (state == State.OPEN) {
            owner.onInputEnded(this);
        }
    }

    /// The highest layer says that this side sends no more payload.
    void payloadEnded() {
        if (payloadEndTold) {
            return;
        }
        payloadEndTold = true;
        owner.onPayloadEnd(this);
    }

    // Splicing

    private long spliceOnce() {
        Leg target = owner.spliceTarget(this);
        PipedBytes bytes = pipedBytes();
        if (target == null || !bytes.borrow()) {
            splicing = false;
            bytes.drop();
            return 0;
        }
        if (bytes.isEmpty()) {
            long got = bytes.fill(socket);
            if (got <= 0) {
                spliceStopped(bytes.isDrained(got));
                return 1;
            }
            lastActivityNanos = loop.nowNanos();
            loop.counters().splicedBytes += got;
            owner.onSpliced(this, got);
            if (bytes.isTooLittle()) {
                splicing = false;
            }
        }
        long put = bytes.drain(target.socket);
        if (put < 0 && put != -Errno.EAGAIN) {
            target.sendingFailed((int) -put);
            return 1;
        }
        if (!bytes.isEmpty()) {
            target.writable = false;
            owner.onBlocked(target);
        }
        return Math.max(1, put);
    }

    private void spliceStopped(boolean drained) {
        if (drained) {
            readable = false;
        } else {
            splicing = false;
            largeReads = 1;
        }
    }

    private boolean hasPiped() {
        PipedBytes bytes = piped;
        return bytes != null && !bytes.isEmpty();
    }

    private PipedBytes pipedBytes() {
        PipedBytes bytes = piped;
        if (bytes == null) {
            bytes = new PipedBytes(loop.driver());
            piped = bytes;
        }
        return bytes;
    }

    private void settlePipe() {
        PipedBytes bytes = piped;
        if (bytes != null) {
            if (state == State.CLOSED) {
                bytes.drop();
            }
            bytes.settle();
        }
    }

    // Writing

    /// Payload from the other side, for the highest layer. Takes `owned`.
    void writePayload(Buf owned) {
        Layer highest = layers.top();
        if (!isOpen()) {
            owned.release();
        } else if (highest != null) {
            highest.payload(owned);
        } else {
            transmit(owned);
        }
    }

    /// The other side sends no more payload.
    void writePayloadEnd() {
        Layer highest = layers.top();
        if (!isOpen()) {
            return;
        }
        if (highest != null) {
            highest.payloadEnd();
        } else {
            endOutput();
        }
    }

    /// Bytes for the socket. Takes `owned`.
    void transmit(Buf owned) {
        if (state == State.CLOSED || state == State.DRAINING || endRequested || sendErrno != 0) {
            owned.release();
            return;
        }
        if (queue.isEmpty() && writable) {
            int length = owned.length();
            int sent = loop.driver().send(socket, owned.array(), owned.start(), length, false);
            if (sent == length) {
                owned.release();
                return;
            }
            if (sent < 0 && sent != -Errno.EAGAIN) {
                owned.release();
                sendingFailed(-sent);
                return;
            }
            owned.consume(Math.max(0, sent));
            writable = false;
        }
        queue.add(owned);
        if (state == State.OPEN) {
            owner.onBlocked(this);
        }
    }

    private void flush() {
        int errno = queue.flush(loop.driver(), socket);
        if (queue.hasMoved()) {
            lastActivityNanos = loop.nowNanos();
        }
        if (errno == 0) {
            flushed();
        } else if (errno == Errno.EAGAIN) {
            writable = false;
        } else {
            sendingFailed(errno);
        }
    }

    /// The peer takes nothing any more. What it sent before that, such as its reason, is read
    /// first.
    private void sendingFailed(int errno) {
        queue.release();
        if (state != State.OPEN) {
            broken(errno);
            return;
        }
        sendErrno = errno;
        ended = true;
        failing = true;
        readable = true;
        splicing = false;
        loop.soon(this::readWhatIsLeft);
    }

    private void readWhatIsLeft() {
        pump();
        tellOfFailing();
    }

    private void flushed() {
        if (endRequested && !outputShut) {
            shutOutput();
        }
        if (state == State.OPEN) {
            owner.onDrained(this);
        }
    }

    /// Half-closes behind what is queued.
    void endOutput() {
        if (state == State.CLOSED || endRequested) {
            return;
        }
        endRequested = true;
        if (queue.isEmpty()) {
            shutOutput();
        }
    }

    private void shutOutput() {
        outputShut = true;
        loop.driver().shutdownOutput(socket);
        if (state == State.OPEN) {
            owner.onOutputShut(this);
        } else if (state == State.LINGERING) {
            awaitInputEnd();
        }
    }

    // Layers

    LayerStack layers() {
        return layers;
    }

    /// Takes the input that no layer has consumed; the caller owns it.
    @Nullable Buf takeInput() {
        Buf rest = in;
        in = null;
        return rest;
    }

    /// The opposite of [#takeInput]. Takes `owned`.
    void giveInput(@Nullable Buf owned) {
        in = owned;
    }

    /// Offers what was left: another machine took the layer's place, or it asks for it.
    void offerAgain(Layer layer) {
        Buf rest = in;
        if (layer.below != null) {
            layer.offerPending();
        } else if (rest != null && !rest.isEmpty() && isOpen()) {
            boolean outer = pumping;
            pumping = true;
            layer.receiveBorrowed(rest);
            pumping = outer;
            pumpLater();
            afterCall();
        }
    }

    /// A datagram for the highest layer, dropped while bytes wait for the socket. Takes `owned`.
    void writeDatagram(Destination remote, Buf owned) {
        if (!queue.isEmpty()) {
            owned.release();
        } else if (layers.datagram(remote, owned)) {
            return;
        }
        loop.counters().datagramsDropped++;
    }

    /// The other leg broke off: lets the highest layer deal with it, or resets.
    void breakOff() {
        Layer highest = layers.top();
        if (!isOpen() || (highest != null && highest.payloadBroken())) {
            afterCall();
            return;
        }
        reset();
    }

    // Back-pressure

    /// Stops reading: the other side cannot take more.
    void pause() {
        paused = true;
    }

    /// Goes on reading.
    void resume() {
        if (paused) {
            paused = false;
            if (canRead()) {
                pump();
            }
        }
    }

    /// Stops reading: a machine wants no more for the time being.
    void stopReading() {
        stopped = true;
    }

    /// Goes on reading, in the next turn.
    void goOnReading() {
        stopped = false;
        pumpLater();
    }

    /// A machine lets the other leg go. What the owner resumes is not read before the machine
    /// returns.
    void detach() {
        boolean outer = pumping;
        pumping = true;
        owner.onDetach(this);
        pumping = outer;
        pumpLater();
    }

    /// Whether bytes wait for the socket.
    boolean isBlocked() {
        return !queue.isEmpty() || !writable;
    }

    // Ends

    /// Ends in order: flushes as long as the peer takes something, sends FIN, discards what comes
    /// for a short while.
    void closeInOrder() {
        if (state != State.OPEN) {
            return;
        }
        state = State.LINGERING;
        loop.closingBegins();
        layers.discard();
        owner.onClosing(this);
        if (!queue.isEmpty()) {
            endRequested = true;
            lastActivityNanos = loop.nowNanos();
            endAfter(lastActivityNanos + FLUSH_NANOS);
        } else if (inputEnded || outputShut) {
            awaitInputEnd();
        } else {
            endOutput();
        }
    }

    private void awaitInputEnd() {
        if (inputEnded) {
            closeNow();
            return;
        }
        discarded = 0;
        endAfter(loop.nowNanos() + LINGER_NANOS);
        if (readable) {
            loop.soon(this::pump);
        }
    }

    /// The time of a closing leg is up, unless its peer still takes what is queued.
    private void closingTimeIsUp(long nowNanos) {
        long until = lastActivityNanos + FLUSH_NANOS;
        if (state == State.LINGERING && !queue.isEmpty() && until - nowNanos > 0) {
            endAfter(until);
        } else {
            closeNow();
        }
    }

    /// A machine found a fault.
    void failed(PeerFault fault, Farewell farewell) {
        if (state != State.OPEN) {
            return;
        }
        loop.counters().peerFaults++;
        owner.onFault(this, fault, farewell);
        switch (farewell) {
            case FIN -> closeInOrder();
            case RESET -> reset();
            case DRAIN -> drain();
        }
    }

    private void drain() {
        if (state != State.OPEN) {
            return;
        }
        state = State.DRAINING;
        layers.discard();
        queue.release();
        owner.onClosing(this);
        if (inputEnded) {
            closeNow();
            return;
        }
        endAfter(Math.max(owner.drainUntilNanos(this), loop.nowNanos()));
        if (readable) {
            loop.soon(this::pump);
        }
    }

    /// A machine threw. What it was handed and has not released is lost to the pool.
    void failedByUs(Throwable failure) {
        loop.unexpected(failure);
        broken(Errno.ECONNABORTED);
    }

    /// The dialling side's proxy said no.
    void refused(OpenOutcome outcome, String reason) {
        if (state == State.OPEN) {
            closeNow();
            owner.onRefused(this, outcome, reason);
        }
    }

    /// Closes with RST, at once.
    void reset() {
        if (state != State.CLOSED) {
            leaveLoop();
            loop.driver().reset(socket);
            discardAll();
        }
    }

    /// Closes at once.
    void closeNow() {
        if (state != State.CLOSED) {
            leaveLoop();
            loop.driver().close(socket);
            discardAll();
        }
    }

    private void leaveLoop() {
        if (state == State.LINGERING) {
            loop.closingEnds();
        }
        state = State.CLOSED;
        loop.unregister(token);
    }

    private void broken(int errno) {
        boolean wasOpen = state == State.OPEN;
        reset();
        if (wasOpen) {
            owner.onBroken(this, errno);
        }
    }

    private void endAfter(long deadlineNanos) {
        Timer timer = endTimer;
        if (timer == null) {
            timer = Timer.calling(this::closingTimeIsUp);
            endTimer = timer;
        }
        loop.timers().set(timer, deadlineNanos);
    }

    private void discardAll() {
        layers.discard();
        queue.release();
        Timer timer = endTimer;
        if (timer != null) {
            loop.timers().clear(timer);
        }
        if (resuming || waitsForBuffers) {
            loop.forget(this);
        }
        settlePipe();
        if (!pumping) {
            releaseIn();
        }
    }

    private void releaseIn() {
        Buf rest = in;
        if (rest != null) {
            in = null;
            rest.release();
        }
    }

    /// After work on this leg: gives back what an idle leg does not hold.
    void afterCall() {
        if (pumping) {
            return;
        }
        Buf rest = in;
        if (rest != null && (rest.isEmpty() || state != State.OPEN)) {
            releaseIn();
            rest = null;
        }
        settlePipe();
        if ((rest != null && rest.array().length > 4096) || queue.isOneLarge()) {
            if (loop.buffers().isTight()) {
                shrinkHeld();
            } else if (!shrinking) {
                shrinking = true;
                loop.shrinkLater(this);
            }
        }
    }

    /// A while later: what is still held moves to the smallest array that fits.
    @Override
    public void onShrink(long nowNanos) {
        shrinking = false;
        if (state != State.CLOSED) {
            shrinkHeld();
        }
    }

    private void shrinkHeld() {
        Buf rest = in;
        if (rest != null && !pumping) {
            in = loop.buffers().shrink(rest);
        }
        queue.shrink(loop.buffers());
    }

    // Looks

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    boolean isDialled() {
        return dialled;
    }

    /// Whether no layer looks at the bytes.
    boolean isBare() {
        return layers.isEmpty() && state == State.OPEN;
    }

    /// Whether bytes could be spliced into this leg now.
    boolean takesSplice() {
        return isBare() && queue.isEmpty() && !endRequested && sendErrno == 0;
    }

    /// Whether the socket has failed, and what it received before that is not read yet.
    boolean isFailing() {
        return failing;
    }

    boolean isOutputShut() {
        return outputShut;
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    long lastActivityNanos() {
        return lastActivityNanos;
    }

    long now() {
        return loop.nowNanos();
    }

    Loop loop() {
        return loop;
    }

    LegOwner owner() {
        return owner;
    }

    @Nullable Endpoint local() {
        return loop.driver().localOf(socket);
    }
}
