package sluice.lab.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;

/// A driver whose accepted sockets take nothing while the test says so, as if their clients did not
/// read; no kernel buffers stand in between.
final class Stalls extends DriverShell {

    /// What the test says; shared by the drivers of an engine.
    static final class Valve {
        private final List<Stalls> drivers = new ArrayList<>();
        private volatile int firstFree = Integer.MAX_VALUE;
        private volatile boolean isShut = true;

        /// The driver of one loop, with this valve.
        synchronized Stalls shell(LoopDriver inner) {
            Stalls made = new Stalls(inner, this);
            drivers.add(made);
            return made;
        }

        /// Connections from the next one on, `count` so far, are not stalled.
        void freeFrom(int count) {
            firstFree = count;
        }

        /// Lets all sockets take bytes again.
        synchronized void open() {
            isShut = false;
            drivers.forEach(LoopDriver::wake);
        }
    }

    private final Valve valve;
    private final Map<Integer, Long> tokens = new HashMap<>();
    private final Set<Integer> stalled = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private final List<Long> writable = new ArrayList<>();
    private int accepted;
    private int ready;

    private Stalls(LoopDriver inner, Valve valve) {
        super(inner);
        this.valve = valve;
    }

    @Override
    public int accept(int listener) {
        int socket = super.accept(listener);
        if (socket >= 0 && accepted++ < valve.firstFree) {
            stalled.add(socket);
        }
        return socket;
    }

    @Override
    public int watch(int socket, long token) {
        tokens.put(socket, token);
        return super.watch(socket, token);
    }

    @Override
    public int send(int socket, byte[] from, int offset, int length, boolean more) {
        if (valve.isShut && stalled.contains(socket)) {
            refused.add(socket);
            return -Errno.EAGAIN;
        }
        return super.send(socket, from, offset, length, more);
    }

    @Override
    public int await(long timeoutNanos) {
        ready = super.await(valve.isShut || refused.isEmpty() ? timeoutNanos : 0);
        writable.clear();
        if (!valve.isShut) {
            refused.forEach(socket -> writable.add(tokens.get(socket)));
            refused.clear();
        }
        return ready + writable.size();
    }

    @Override
    public long token(int index) {
        return index < ready ? super.token(index) : writable.get(index - ready);
    }

    @Override
    public int readiness(int index) {
        return index < ready ? super.readiness(index) & ~held(index) : WRITABLE;
    }

    /// The kernel sees room where we refused.
    private int held(int index) {
        long token = super.token(index);
        boolean isHeld =
                valve.isShut && refused.stream().anyMatch(socket -> tokens.get(socket) == token);
        return isHeld ? WRITABLE : 0;
    }

    @Override
    public void close(int socket) {
        forget(socket);
        super.close(socket);
    }

    @Override
    public void reset(int socket) {
        forget(socket);
        super.reset(socket);
    }

    private void forget(int socket) {
        stalled.remove(socket);
        refused.remove(socket);
    }
}
