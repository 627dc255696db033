package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.engine.plan.InboundPlan;

/// A client's stream that carries datagrams: one stream is one flow.
final class StreamClientSide implements DatagramSide, DatagramFlow.Answers {

    private final Station station;
    private final InboundPlan inbound;
    private final Leg client;
    private final Endpoint source;
    private final @Nullable String user;
    private final boolean onlyTarget;
    private @Nullable DatagramFlow flow;
    private boolean open = true;

    StreamClientSide(
            Station station,
            InboundPlan inbound,
            Leg client,
            Endpoint source,
            @Nullable String user,
            boolean onlyTarget) {
        this.station = station;
        this.inbound = inbound;
        this.client = client;
        this.source = source;
        this.user = user;
        this.onlyTarget = onlyTarget;
    }

    @Override
    public void fromStream(Destination to, Buf owned) {
        DatagramFlow present = flow;
        if (!open) {
            owned.release();
            return;
        }
        if (present == null || !present.isOpen()) {
            present = new DatagramFlow(station, inbound, source, user, to, onlyTarget, this);
            flow = present;
            present.begin();
        }
        present.fromClient(to, owned);
    }

    @Override
    public void answer(DatagramFlow from, Destination source, Buf owned) {
        client.writeDatagram(source, owned);
    }

    @Override
    public void flowEnded(DatagramFlow ended, String reason) {
        if (open) {
            open = false;
            client.closeInOrder();
        }
    }

    @Override
    public void close(String reason) {
        open = false;
        DatagramFlow present = flow;
        if (present != null) {
            present.end(reason);
        }
    }
}
