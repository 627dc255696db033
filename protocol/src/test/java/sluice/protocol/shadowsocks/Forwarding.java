package sluice.protocol.shadowsocks;

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
import sluice.protocol.LoopFixture;

/// Effects that allocate nothing: keep the last send, drop what is delivered.
final class Forwarding implements Effects {

    private final LoopFixture loop;
    private @Nullable Buf sent;

    Forwarding(LoopFixture loop) {
        this.loop = loop;
    }

    Buf take() {
        Buf buf = sent;
        sent = null;
        if (buf == null) {
            throw new AssertionError("nothing was sent");
        }
        return buf;
    }

    @Override
    public Buf acquire(int bytes) {
        return loop.pool().acquire(bytes);
    }

    @Override
    public void stopReading() {}

    @Override
    public void goOnReading() {}

    @Override
    public void putBack(Buf owned) {
        owned.release();
    }

    @Override
    public void send(Buf owned) {
        sent = owned;
    }

    @Override
    public void deliver(Buf owned) {
        owned.release();
    }

    @Override
    public void fail(PeerFault fault, Farewell farewell) {
        throw fault;
    }

    @Override
    public void end() {}

    @Override
    public void deliverEnd() {}

    @Override
    public void deliverDatagram(Destination remote, Buf owned) {
        owned.release();
    }

    @Override
    public void open(Destination destination, @Nullable String user) {}

    @Override
    public void openDatagrams(Destination first, @Nullable String user) {}

    @Override
    public void associate(DatagramServer server, @Nullable String user) {}

    @Override
    public void detach() {}

    @Override
    public void ready() {}

    @Override
    public void refuse(OpenOutcome outcome, String reason) {}

    @Override
    public void becomeTransparent() {}

    @Override
    public void become(StreamMachine next) {}

    @Override
    public void sourceIs(Endpoint source) {}

    @Override
    public void close() {}
}
