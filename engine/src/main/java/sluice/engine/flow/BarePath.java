package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.engine.loop.Loop;
import sluice.engine.plan.OutboundPlan;
import sluice.policy.dns.Family;
import sluice.policy.dns.NameResolver;
import sluice.policy.dns.Resolution;

/// Datagrams straight to their targets, from one socket per address family, so that every target
/// sees the same port and anyone may answer (endpoint-independent mapping and filtering, RFC 4787).
final class BarePath implements DatagramPath, DatagramSocket.Receiver {

    /// How long the address of a name is used before it is looked up again.
    private static final long NAME_NANOS = 30_000_000_000L;

    private final Loop loop;
    private final NameResolver resolver;
    private final DialOptions options;
    private final Family family;
    private final Sink sink;
    private final DatagramQueue waiting;
    private @Nullable DatagramSocket v4;
    private @Nullable DatagramSocket v6;
    private boolean open = true;

    private @Nullable Destination lastTo;
    private @Nullable Endpoint lastToEndpoint;
    private @Nullable Endpoint lastFrom;
    private @Nullable Destination lastFromDestination;
    private @Nullable DomainName knownName;
    private @Nullable IpAddress knownAddress;
    private long knownUntilNanos;
    private @Nullable DomainName asked;

    BarePath(Station station, OutboundPlan outbound, Sink sink) {
        this.loop = station.loop();
        this.resolver = station.resolver();
        this.options = outbound.dial();
        this.family = outbound.family();
        this.sink = sink;
        this.waiting = new DatagramQueue(loop);
    }

    @Override
    public void send(Destination to, Buf owned) {
        Endpoint endpoint = endpointOf(to);
        if (endpoint == null) {
            lookUp(to, owned);
            return;
        }
        DatagramSocket socket = socketFor(endpoint.address());
        if (socket == null || endpoint.port() == 0) {
            loop.counters().datagramsDropped++;
        } else {
            socket.send(endpoint, null, owned);
        }
        owned.release();
    }

    /// The name's address is not known: look it up, and let the datagram wait.
    private void lookUp(Destination to, Buf owned) {
        if (!(to.host() instanceof DomainName name)) {
            owned.release();
            return;
        }
        waiting.add(to, owned);
        if (!name.equals(asked)) {
            asked = name;
            resolver.resolve(name, family, answer -> loop.execute(() -> resolved(name, answer)));
        }
    }

    private void resolved(DomainName name, Resolution answer) {
        if (!open || !name.equals(asked)) {
            return;
        }
        asked = null;
        if (answer instanceof Resolution.Found found) {
            knownName = name;
            knownAddress = found.addresses().getFirst();
            knownUntilNanos = loop.nowNanos() + NAME_NANOS;
            lastTo = null;
            waiting.sendTo(this);
        } else {
            waiting.discard();
        }
    }

    private @Nullable Endpoint endpointOf(Destination to) {
        if (to == lastTo && (to.host() instanceof IpAddress || isKnown())) {
            return lastToEndpoint;
        }
        Endpoint endpoint =
                switch (to.host()) {
                    case IpAddress address -> new Endpoint(address, to.port());
                    case DomainName name -> {
                        IpAddress address = knownAddress;
                        yield address != null && name.equals(knownName) && isKnown()
                                ? new Endpoint(address, to.port())
                                : null;
                    }
                };
        lastTo = endpoint == null ? null : to;
        lastToEndpoint = endpoint;
        return endpoint;
    }

    private boolean isKnown() {
        return knownAddress != null && knownUntilNanos - loop.nowNanos() > 0;
    }

    private @Nullable DatagramSocket socketFor(IpAddress address) {
        DatagramSocket present = address.isV4() ? v4 : v6;
        if (present != null || !open) {
            return present;
        }
        DatagramSocket opened =
                DatagramSocket.watch(
                        loop, this, loop.driver().openDatagrams(null, address, options));
        if (address.isV4()) {
            v4 = opened;
        } else {
            v6 = opened;
        }
        return opened;
    }

    @Override
    public void onReceived(
            DatagramSocket socket, Endpoint from, @Nullable IpAddress local, Buf owned) {
        Destination source = lastFromDestination;
        if (from != lastFrom || source == null) {
            source = Destination.of(from);
            lastFrom = from;
            lastFromDestination = source;
        }
        sink.onDatagram(source, owned);
    }

    @Override
    public void close() {
        open = false;
        waiting.discard();
        DatagramSocket first = v4;
        DatagramSocket second = v6;
        if (first != null) {
            first.close();
        }
        if (second != null) {
            second.close();
        }
    }
}
