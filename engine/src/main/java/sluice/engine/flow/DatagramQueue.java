package sluice.engine.flow;

import java.util.ArrayDeque;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.engine.loop.Loop;

/// Datagrams that wait for a path to open, at most [DatagramPath#WAITING].
final class DatagramQueue {

    private record Waiting(Destination to, Buf payload) {}

    private final Loop loop;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(2);

    DatagramQueue(Loop loop) {
        this.loop = loop;
    }

    /// Takes `owned`.
    void add(Destination to, Buf owned) {
        if (waiting.size() >= DatagramPath.WAITING || loop.buffers().isSpent()) {
            loop.counters().datagramsDropped++;
            owned.release();
        } else {
            waiting.add(new Waiting(to, loop.buffers().shrink(owned)));
        }
    }

    /// Takes a datagram out of the queue.
    interface Exit {

        /// Takes `owned`.
        void send(Destination to, Buf owned);
    }

    /// Gives out what waits now, each datagram once; what cannot go on yet comes back through
    /// [#add].
    void sendTo(Exit exit) {
        Waiting next;
        for (int i = waiting.size(); i > 0 && (next = waiting.poll()) != null; i--) {
            exit.send(next.to, next.payload);
        }
    }

    /// Drops what waits for `host`.
    void discard(Host host) {
        for (int i = waiting.size(); i > 0; i--) {
            Waiting next = waiting.remove();
            if (next.to.host().equals(host)) {
                loop.counters().datagramsDropped++;
                next.payload.release();
            } else {
                waiting.add(next);
            }
        }
    }

    void discard() {
        Waiting next;
        while ((next = waiting.poll()) != null) {
            loop.counters().datagramsDropped++;
            next.payload.release();
        }
    }
}
