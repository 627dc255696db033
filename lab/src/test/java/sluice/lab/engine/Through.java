package sluice.lab.engine;

import java.util.function.Supplier;
import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;

/// A layer that changes nothing; tests override what they are about.
class Through implements StreamMachine {

    /// An inbound with a machine of the test's for each client.
    record In(Supplier<StreamMachine> machines) implements Inbound {

        @Override
        public boolean acceptsStreams() {
            return true;
        }

        @Override
        public boolean acceptsDatagrams() {
            return false;
        }

        @Override
        public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
            return machines.get();
        }
    }

    /// An outbound with a machine of the test's for each dial.
    record Out(Destination server, Supplier<StreamMachine> machines) implements Outbound {

        @Override
        public StreamMachine dialStream(LoopServices loop, Destination target) {
            return machines.get();
        }

        @Override
        public Datagrams datagrams() {
            return Datagrams.NONE;
        }
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        deliver(in, in.length(), out);
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        out.deliverEnd();
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        out.send(owned);
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        out.end();
    }

    /// Takes the first bytes of `in` and delivers them.
    static void deliver(Buf in, int bytes, Effects out) {
        Buf payload = out.acquire(bytes);
        payload.put(in.array(), in.start(), bytes);
        in.consume(bytes);
        out.deliver(payload);
    }

    static void send(Effects out, int... values) {
        Buf message = out.acquire(values.length);
        for (int value : values) {
            message.put(value);
        }
        out.send(message);
    }
}
