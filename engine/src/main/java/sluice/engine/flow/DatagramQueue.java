package sluice.engine.flow;

import java.util.ArrayDeque;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
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
        if (waiting.size() >= DatagramPath.WAITING) {
            loop.counters().datagramsDropped++;
            owned.release();
        } else {
            waiting.add(new Waiting(to, loop.buffers().shrink(owned)));
        }
    }

    void sendTo(DatagramPath path) {
        Waiting next;
        while ((next = waiting.poll()) != null) {
            path.send(next.to, next.payload);
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
