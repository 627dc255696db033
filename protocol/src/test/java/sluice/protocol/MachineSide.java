package sluice.protocol;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.buf.BufPool;
import sluice.base.fault.PeerFault;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.time.Deadline;

/// A machine on a bench: plays the engine towards it, keeps what it asked for, and fails the test
/// when the machine breaks the contract. Alone it serves transcripts and cut tests; two of them
/// make a [MachinePair].
public final class MachineSide implements Effects {

    /// A datagram handed to [Effects#deliverDatagram].
    public record Datagram(Destination remote, String hex) {}

    private final BufPool pool;
    private StreamMachine machine;
    private @Nullable Buf in;
    private @Nullable Buf putBack;
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ByteArrayOutputStream delivered = new ByteArrayOutputStream();
    private final List<Integer> sends = new ArrayList<>();
    private final List<Integer> deliveries = new ArrayList<>();
    private final List<Datagram> datagrams = new ArrayList<>();
    private int sentTaken;
    private @Nullable StreamMachine next;
    private @Nullable Destination opened;
    private @Nullable Destination openedDatagrams;
    private @Nullable DatagramServer associated;
    private @Nullable String user;
    private @Nullable Endpoint source;
    private @Nullable PeerFault fault;
    private @Nullable Farewell farewell;
    private @Nullable OpenOutcome refusal;
    private int opens;
    private int detaches;
    private boolean ended;
    private boolean deliveredEnd;
    private boolean ready;
    private boolean transparent;
    private boolean closed;
    private boolean inside;
    private boolean stopped;
    private boolean goesOn;
    private boolean endWaits;

    /// A bench for `machine`, with buffers from `pool`.
    public MachineSide(StreamMachine machine, BufPool pool) {
        this.machine = machine;
        this.pool = pool;
    }

    // What the engine does.

    /// The connection stands.
    public void start(long nowNanos) {
        enter();
        machine.onStart(nowNanos, this);
        leave(nowNanos);
    }

    /// One read returned `bytes`.
    public void receive(byte[] bytes, long nowNanos) {
        receive(bytes, 0, bytes.length, nowNanos);
    }

    /// One read returned `length` bytes.
    public void receive(byte[] bytes, int offset, int length, long nowNanos) {
        if (isOver()) {
            return;
        }
        Buf before = in;
        Buf now = pool.acquire(length + (before == null ? 0 : before.length()));
        if (before != null) {
            now.put(before.array(), before.start(), before.length());
            before.release();
        }
        now.put(bytes, offset, length);
        in = now;
        if (!stopped) {
            offer(nowNanos);
        }
    }

    /// One read after another returned `bytes`, cut into pieces of `pieceBytes`.
    public void receiveInPieces(byte[] bytes, int pieceBytes, long nowNanos) {
        for (int at = 0; at < bytes.length; at += pieceBytes) {
            receive(bytes, at, Math.min(pieceBytes, bytes.length - at), nowNanos);
        }
    }

    /// The peer's FIN.
    public void receiveEnd(long nowNanos) {
        if (isOver()) {
            return;
        }
        if (transparent) {
            deliveredEnd = true;
            return;
        }
        endWaits = stopped;
        if (stopped) {
            return;
        }
        enter();
        machine.onEnd(nowNanos, this);
        leave(nowNanos);
    }

    /// Payload for the peer.
    public void payload(byte[] bytes, long nowNanos) {
        if (isOver()) {
            return;
        }
        Buf before = putBack;
        putBack = null;
        Buf buf = pool.acquire(bytes.length + (before == null ? 0 : before.length()));
        if (before != null) {
            buf.put(before.array(), before.start(), before.length());
            before.release();
        }
        buf.put(bytes);
        if (transparent) {
            send(buf);
            return;
        }
        enter();
        machine.onPayload(buf, nowNanos, this);
        leave(nowNanos);
    }

    /// No more payload for the peer.
    public void payloadEnd(long nowNanos) {
        if (isOver()) {
            return;
        }
        if (transparent) {
            end();
            return;
        }
        enter();
        machine.onPayloadEnd(nowNanos, this);
        leave(nowNanos);
    }

    /// A datagram for the peer, on a stream that carries datagrams.
    public void datagram(Destination remote, byte[] bytes, long nowNanos) {
        Buf buf = pool.acquire(bytes.length);
        buf.put(bytes);
        enter();
        machine.onDatagram(remote, buf, nowNanos, this);
        leave(nowNanos);
    }

    /// How dialling went.
    public void opened(OpenOutcome outcome, long nowNanos) {
        if (isOver()) {
            return;
        }
        enter();
        machine.onOpened(outcome, nowNanos, this);
        leave(nowNanos);
    }

    /// The datagram socket stands.
    public void associated(Endpoint bound, long nowNanos) {
        enter();
        machine.onAssociated(bound, nowNanos, this);
        leave(nowNanos);
    }

    /// Fires the deadline where it has passed.
    public void tick(long nowNanos) {
        if (!isOver() && !transparent && Deadline.isPast(machine.deadlineNanos(), nowNanos)) {
            enter();
            machine.onDeadline(nowNanos, this);
            leave(nowNanos);
        }
    }

    /// The machine's deadline.
    public long deadlineNanos() {
        return isOver() || transparent ? Deadline.NONE : machine.deadlineNanos();
    }

    /// Drops unread bytes, as the engine does when the flow ends.
    public void discard() {
        if (in != null) {
            in.release();
            in = null;
        }
        dropPutBack();
    }

    private void dropPutBack() {
        if (putBack != null) {
            putBack.release();
            putBack = null;
        }
    }

    /// Whether the machine wants no more bytes for the time being.
    public boolean isStopped() {
        return stopped;
    }

    private void offer(long nowNanos) {
        Buf buf = in;
        if (buf == null || buf.isEmpty() || isOver()) {
            return;
        }
        if (transparent) {
            in = null;
            deliver(buf);
            return;
        }
        enter();
        machine.onBytes(buf, nowNanos, this);
        leave(nowNanos);
    }

    private void enter() {
        check(!inside, "the machine was entered twice");
        check(!isOver() && !transparent, "the machine was called after it had finished");
        inside = true;
    }

    private void leave(long nowNanos) {
        inside = false;
        StreamMachine replacement = next;
        if (replacement != null && !isOver()) {
            next = null;
            machine = replacement;
            start(nowNanos);
            offer(nowNanos);
            return;
        }
        if (isOver()) {
            discard();
        } else if (in != null && in.isEmpty()) {
            in.release();
            in = null;
        }
        if (transparent) {
            stopped = false;
            offer(nowNanos);
        } else if (goesOn) {
            goesOn = false;
            stopped = false;
            offer(nowNanos);
            if (endWaits && !stopped) {
                receiveEnd(nowNanos);
            }
        }
    }

    // What the machine asks for.

    @Override
    public Buf acquire(int bytes) {
        return pool.acquire(bytes);
    }

    @Override
    public void stopReading() {
        stopped = true;
        goesOn = false;
    }

    @Override
    public void goOnReading() {
        goesOn = stopped;
    }

    @Override
    public void putBack(Buf owned) {
        check(putBack == null && !isOver(), "put back twice, or after the end");
        putBack = owned;
    }

    @Override
    public void send(Buf owned) {
        check(!ended && !isOver(), "sent after the end");
        sends.add(owned.length());
        sent.write(owned.array(), owned.start(), owned.length());
        owned.release();
    }

    @Override
    public void end() {
        check(!ended, "ended twice");
        ended = true;
    }

    @Override
    public void deliver(Buf owned) {
        check(!deliveredEnd && !isOver(), "delivered after the end");
        check(!owned.isEmpty(), "delivered nothing");
        deliveries.add(owned.length());
        delivered.write(owned.array(), owned.start(), owned.length());
        owned.release();
    }

    @Override
    public void deliverEnd() {
        check(!deliveredEnd, "delivered the end twice");
        deliveredEnd = true;
    }

    @Override
    public void deliverDatagram(Destination remote, Buf owned) {
        datagrams.add(new Datagram(remote, HexFormat.of().formatHex(owned.toBytes())));
        owned.release();
    }

    @Override
    public void open(Destination destination, @Nullable String user) {
        opened = destination;
        this.user = user;
        opens++;
    }

    @Override
    public void openDatagrams(Destination first, @Nullable String user) {
        openedDatagrams = first;
        this.user = user;
        opens++;
    }

    @Override
    public void associate(DatagramServer server, @Nullable String user) {
        associated = server;
        this.user = user;
    }

    @Override
    public void detach() {
        dropPutBack();
        detaches++;
    }

    @Override
    public void ready() {
        check(!ready, "ready twice");
        ready = true;
    }

    @Override
    public void refuse(OpenOutcome outcome, String reason) {
        refusal = outcome;
        closed = true;
    }

    @Override
    public void becomeTransparent() {
        check(!transparent, "transparent twice");
        transparent = true;
        ready = true;
    }

    @Override
    public void become(StreamMachine next) {
        this.next = next;
    }

    @Override
    public void sourceIs(Endpoint source) {
        this.source = source;
    }

    @Override
    public void close() {
        check(!closed, "closed twice");
        closed = true;
    }

    @Override
    public void fail(PeerFault fault, Farewell farewell) {
        check(this.fault == null, "failed twice");
        this.fault = fault;
        this.farewell = farewell;
    }

    private static void check(boolean holds, String complaint) {
        if (!holds) {
            throw new AssertionError("contract broken: " + complaint);
        }
    }

    // What the test asks.

    /// Whether the machine closed, failed or refused.
    public boolean isOver() {
        return closed || fault != null;
    }

    /// All bytes sent to the peer so far.
    public byte[] sent() {
        return sent.toByteArray();
    }

    /// Bytes sent since the last call.
    public byte[] takeSent() {
        byte[] all = sent.toByteArray();
        byte[] fresh = java.util.Arrays.copyOfRange(all, sentTaken, all.length);
        sentTaken = all.length;
        return fresh;
    }

    /// Sizes of the single sends.
    public List<Integer> sends() {
        return sends;
    }

    /// All payload handed up so far.
    public byte[] delivered() {
        return delivered.toByteArray();
    }

    /// All payload handed up so far, as text.
    public String deliveredText() {
        return delivered.toString(java.nio.charset.StandardCharsets.UTF_8);
    }

    /// Sizes of the single deliveries.
    public List<Integer> deliveries() {
        return deliveries;
    }

    /// Datagrams handed up so far.
    public List<Datagram> datagrams() {
        return datagrams;
    }

    /// The last destination asked for, or null.
    public @Nullable Destination opened() {
        return opened;
    }

    /// The destination of [Effects#openDatagrams], or null.
    public @Nullable Destination openedDatagrams() {
        return openedDatagrams;
    }

    /// The machine of [Effects#associate], or null.
    public @Nullable DatagramServer associated() {
        return associated;
    }

    /// The user named last, or null.
    public @Nullable String user() {
        return user;
    }

    /// The client's address from [Effects#sourceIs], or null.
    public @Nullable Endpoint source() {
        return source;
    }

    /// How often a destination was asked for.
    public int opens() {
        return opens;
    }

    /// How often the other leg was dropped.
    public int detaches() {
        return detaches;
    }

    /// Whether the machine ended its own direction.
    public boolean ended() {
        return ended;
    }

    /// Whether the end of the peer's payload was handed up.
    public boolean deliveredEnd() {
        return deliveredEnd;
    }

    /// Whether payload may come.
    public boolean isReady() {
        return ready;
    }

    /// Whether the machine retired.
    public boolean isTransparent() {
        return transparent;
    }

    /// Whether the machine closed in order or refused.
    public boolean isClosed() {
        return closed;
    }

    /// The fault, or null.
    public @Nullable PeerFault fault() {
        return fault;
    }

    /// How the machine parted after the fault, or null.
    public @Nullable Farewell farewell() {
        return farewell;
    }

    /// The outcome of [Effects#refuse], or null.
    public @Nullable OpenOutcome refusal() {
        return refusal;
    }

    /// Everything that happened, without how it was cut; equal transcripts mean equal behaviour.
    public String transcript() {
        HexFormat hex = HexFormat.of();
        return "sent="
                + hex.formatHex(sent())
                + "\ndelivered="
                + hex.formatHex(delivered())
                + "\ndatagrams="
                + datagrams
                + "\nopened="
                + opened
                + " datagrams="
                + openedDatagrams
                + " user="
                + user
                + " opens="
                + opens
                + " detaches="
                + detaches
                + " source="
                + source
                + "\nready="
                + ready
                + " transparent="
                + transparent
                + " ended="
                + ended
                + " deliveredEnd="
                + deliveredEnd
                + " closed="
                + closed
                + " refusal="
                + refusal
                + "\nfault="
                + (fault == null ? null : fault.kind() + " " + fault.reason())
                + " farewell="
                + farewell;
    }
}
