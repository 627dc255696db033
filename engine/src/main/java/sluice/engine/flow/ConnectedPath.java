package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.engine.dial.Question;
import sluice.engine.loop.Loop;
import sluice.engine.plan.OutboundPlan;
import sluice.policy.dns.Resolution;

/// Datagrams to one server, from a connected socket: the kernel looks the route up once, and only
/// the server can answer.
final class ConnectedPath implements DatagramPath, DatagramSocket.Receiver {

    private final Loop loop;
    private final DialOptions options;
    private final Destination server;
    private final Sink sink;
    private final DatagramQueue waiting;
    private @Nullable Question question;
    private @Nullable DatagramSocket socket;
    private boolean open = true;

    ConnectedPath(Station station, OutboundPlan outbound, Destination server, Sink sink) {
        this.loop = station.loop();
        this.options = outbound.dial();
        this.server = server;
        this.sink = sink;
        this.waiting = new DatagramQueue(loop);
        switch (server.host()) {
            case IpAddress address -> connect(address);
            case DomainName name ->
                    question =
                            Question.ask(
                                    loop,
                                    station.resolver(),
                                    name,
                                    outbound.family(),
                                    this::resolved);
        }
    }

    private void resolved(Resolution answer) {
        if (!open) {
            return;
        }
        switch (answer) {
            case Resolution.Found found -> {
                connect(found.addresses().getFirst());
                waiting.sendTo(this::send);
            }
            case Resolution.Failed failed ->
                    over("cannot resolve " + server + ": " + failed.reason());
        }
    }

    private void connect(IpAddress address) {
        int opened =
                loop.driver().openDatagrams(new Endpoint(address, server.port()), address, options);
        socket = DatagramSocket.watch(loop, this, opened);
        if (socket == null) {
            String reason = opened < 0 ? Errno.describe(-opened) : "the poller refuses the socket";
            loop.soon(() -> over(reason));
        }
    }

    private void over(String reason) {
        if (open) {
            close();
            sink.onPathEnd(reason);
        }
    }

    @Override
    public void send(Destination to, Buf owned) {
        DatagramSocket present = socket;
        if (present == null) {
            if (open) {
                waiting.add(to, owned);
            } else {
                owned.release();
            }
            return;
        }
        present.send(null, null, owned);
        owned.release();
    }

    @Override
    public void onReceived(
            DatagramSocket from, Endpoint peer, @Nullable IpAddress local, Buf owned) {
        sink.onDatagram(server, owned);
    }

    @Override
    public void close() {
        open = false;
        Question asked = question;
        if (asked != null) {
            asked.withdraw();
        }
        waiting.discard();
        DatagramSocket present = socket;
        if (present != null) {
            present.close();
        }
    }
}
