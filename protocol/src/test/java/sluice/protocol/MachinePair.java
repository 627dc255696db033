package sluice.protocol;

import java.util.ArrayDeque;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.BufPool;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.time.Deadline;

/// A dialling machine and an accepting one, wire to wire, under virtual time. [#run] moves bytes
/// until nothing moves; [#advance] lets time pass and fires deadlines. With a seed, the wire and
/// the payload are cut at random.
public final class MachinePair {

    private static final int RANDOM_CUT_MAX = 40_000;

    private final MachineSide client;
    private final MachineSide server;
    private final @Nullable Random cuts;
    private final ArrayDeque<byte[]> up = new ArrayDeque<>();
    private final ArrayDeque<byte[]> down = new ArrayDeque<>();
    private OpenOutcome outcome = OpenOutcome.OK;
    private long nowNanos = 1_000_000_000_000L;
    private int answeredOpens;
    private boolean serverOpen;
    private boolean upEnds;
    private boolean downEnds;
    private boolean clientEndSeen;
    private boolean serverEndSeen;

    private MachinePair(
            StreamMachine client, StreamMachine server, BufPool pool, @Nullable Random cuts) {
        this.client = new MachineSide(client, pool);
        this.server = new MachineSide(server, pool);
        this.cuts = cuts;
    }

    /// A pair whose reads return all there is.
    public static MachinePair of(StreamMachine client, StreamMachine server, BufPool pool) {
        return new MachinePair(client, server, pool, null).started();
    }

    /// A pair whose reads return pieces of random sizes.
    public static MachinePair cut(
            StreamMachine client, StreamMachine server, BufPool pool, long seed) {
        return new MachinePair(client, server, pool, new Random(seed)).started();
    }

    private MachinePair started() {
        server.start(nowNanos);
        client.start(nowNanos);
        return this;
    }

    /// The dialling side.
    public MachineSide client() {
        return client;
    }

    /// The accepting side.
    public MachineSide server() {
        return server;
    }

    /// The present.
    public long nowNanos() {
        return nowNanos;
    }

    /// What the accepting side is told when it asks for a destination; OK where nothing is said.
    public MachinePair outcome(OpenOutcome outcome) {
        this.outcome = outcome;
        return this;
    }

    /// Payload of the dialling side; waits until it is ready.
    public MachinePair up(byte[] bytes) {
        up.add(bytes);
        return this;
    }

    /// Payload of the target; waits until it is open.
    public MachinePair down(byte[] bytes) {
        down.add(bytes);
        return this;
    }

    /// The dialling side's payload ends behind what was given to [#up].
    public MachinePair upEnd() {
        upEnds = true;
        return this;
    }

    /// The target's payload ends behind what was given to [#down].
    public MachinePair downEnd() {
        downEnds = true;
        return this;
    }

    /// Moves bytes until nothing moves.
    public MachinePair run() {
        boolean moved;
        do {
            moved = movePayload();
            moved |= moveWire();
            moved |= answerOpen();
        } while (moved || moveEnds());
        return this;
    }

    /// Lets `nanos` pass, firing deadlines on the way, and runs.
    public MachinePair advance(long nanos) {
        long target = nowNanos + nanos;
        while (true) {
            long next = Deadline.earlier(client.deadlineNanos(), server.deadlineNanos());
            if (next == Deadline.NONE || next - target > 0) {
                nowNanos = target;
                run();
                return this;
            }
            nowNanos = next - nowNanos > 0 ? next : nowNanos;
            client.tick(nowNanos);
            server.tick(nowNanos);
            run();
        }
    }

    /// Releases what both sides left unread.
    public MachinePair finish() {
        client.discard();
        server.discard();
        return this;
    }

    private boolean movePayload() {
        boolean moved = false;
        if (client.isReady() && !up.isEmpty()) {
            client.payload(piece(up), nowNanos);
            moved = true;
        }
        if (serverOpen && !down.isEmpty()) {
            server.payload(piece(down), nowNanos);
            moved = true;
        }
        if (client.isReady() && up.isEmpty() && upEnds) {
            upEnds = false;
            client.payloadEnd(nowNanos);
            moved = true;
        }
        if (serverOpen && down.isEmpty() && downEnds) {
            downEnds = false;
            server.payloadEnd(nowNanos);
            moved = true;
        }
        return moved;
    }

    private byte[] piece(ArrayDeque<byte[]> queue) {
        byte[] first = queue.removeFirst();
        int size = Math.min(first.length, BufPool.READ_BYTES);
        if (cuts != null && first.length > 1 && cuts.nextInt(4) != 0) {
            size = 1 + cuts.nextInt(size);
        }
        if (size < first.length) {
            queue.addFirst(java.util.Arrays.copyOfRange(first, size, first.length));
        }
        return java.util.Arrays.copyOf(first, size);
    }

    private boolean moveWire() {
        byte[] fromClient = client.takeSent();
        byte[] fromServer = server.takeSent();
        pour(fromClient, server);
        pour(fromServer, client);
        return fromClient.length + fromServer.length > 0;
    }

    private void pour(byte[] bytes, MachineSide into) {
        for (int at = 0; at < bytes.length; ) {
            int size = Math.min(bytes.length - at, BufPool.READ_BYTES);
            if (cuts != null) {
                int max = cuts.nextInt(3) == 0 ? RANDOM_CUT_MAX : 64;
                size = Math.min(size, 1 + cuts.nextInt(max));
            }
            into.receive(bytes, at, size, nowNanos);
            at += size;
        }
    }

    private boolean answerOpen() {
        if (server.opens() == answeredOpens || server.isOver()) {
            return false;
        }
        answeredOpens = server.opens();
        serverOpen = outcome == OpenOutcome.OK;
        server.opened(outcome, nowNanos);
        return true;
    }

    private boolean moveEnds() {
        boolean moved = false;
        if (!clientEndSeen && (client.ended() || client.isOver())) {
            clientEndSeen = true;
            moved |= endAt(server, client);
        }
        if (!serverEndSeen && (server.ended() || server.isOver())) {
            serverEndSeen = true;
            moved |= endAt(client, server);
        }
        return moved;
    }

    /// A reset is nothing a machine hears of: the engine ends its flow.
    private boolean endAt(MachineSide side, MachineSide from) {
        if (from.farewell() != Farewell.RESET) {
            side.receiveEnd(nowNanos);
        }
        return true;
    }
}
