package sluice.engine.flow;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.engine.dial.Question;
import sluice.engine.loop.Loop;
import sluice.engine.plan.OutboundPlan;
import sluice.policy.dns.Family;
import sluice.policy.dns.NameResolver;
import sluice.policy.dns.Resolution;

/// Datagrams straight to their targets, from one socket per address family, so that every target
/// sees the same port and anyone may answer (endpoint-independent mapping and filtering, RFC 4787),
/// where the client has not said that it means one target.
final class BarePath implements DatagramPath, DatagramSocket.Receiver {

    /// How long the address of a name is used before it is looked up again, beside its use.
    private static final long NAME_NANOS = 30_000_000_000L;

    /// Names that a flow remembers: more than an application talks to by one socket. Behind it the
    /// one that was first is forgotten.
    private static final int NAMES = 16;

    private static final class Known {
        @Nullable IpAddress address;
        long untilNanos;
        @Nullable Question question;

        void withdraw() {
            Question asked = question;
            if (asked != null) {
                asked.withdraw();
            }
        }
    }

    private final Loop loop;
    private final NameResolver resolver;
    private final DialOptions options;
    private final Family family;
    private final Sink sink;
    private final boolean onlyTarget;
    private final DatagramQueue waiting;
    private @Nullable DatagramSocket v4;
    private @Nullable DatagramSocket v6;
    private boolean open = true;

    private @Nullable Destination lastTo;
    private @Nullable Endpoint lastToEndpoint;
    private @Nullable Endpoint lastFrom;
    private @Nullable Destination lastFromDestination;
    private long lastToUntilNanos;
    private @Nullable Map<DomainName, Known> names;

    /// @param onlyTarget all datagrams go to one target, and nobody else may answer
    BarePath(Station station, OutboundPlan outbound, Sink sink, boolean onlyTarget) {
        this.onlyTarget = onlyTarget;
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
        if (open && to.host() instanceof DomainName name) {
            waiting.add(to, owned);
            ask(name);
        } else {
            owned.release();
        }
    }

    private void ask(DomainName name) {
        Map<DomainName, Known> all = names;
        if (all == null) {
            all = new LinkedHashMap<>(4);
            names = all;
        }
        Known known = all.get(name);
        if (known == null) {
            if (all.size() >= NAMES) {
                DomainName first = all.keySet().iterator().next();
                Known forgotten = all.remove(first);
                if (forgotten != null) {
                    forgotten.withdraw();
                }
                waiting.discard(first);
            }
            known = new Known();
            all.put(name, known);
        }
        if (known.question == null) {
            known.question =
                    Question.ask(loop, resolver, name, family, answer -> resolved(name, answer));
        }
    }

    private void resolved(DomainName name, Resolution answer) {
        Map<DomainName, Known> all = names;
        Known known = all == null ? null : all.get(name);
        if (!open || all == null || known == null) {
            return;
        }
        known.question = null;
        known.untilNanos = loop.nowNanos() + NAME_NANOS;
        lastTo = null;
        if (answer instanceof Resolution.Found found) {
            known.address = found.addresses().getFirst();
            waiting.sendTo(this::send);
        } else if (known.address == null) {
            all.remove(name);
            waiting.discard(name);
        }
    }

    private @Nullable Endpoint endpointOf(Destination to) {
        if (to == lastTo && lastToUntilNanos - loop.nowNanos() > 0) {
            return lastToEndpoint;
        }
        long until = loop.nowNanos() + NAME_NANOS;
        IpAddress address =
                switch (to.host()) {
                    case IpAddress literal -> literal;
                    case DomainName name -> {
                        Known known = names == null ? null : names.get(name);
                        if (known == null || known.address == null) {
                            yield null;
                        }
                        if (known.untilNanos - loop.nowNanos() <= 0) {
                            ask(name);
                        } else {
                            until = known.untilNanos;
                        }
                        yield known.address;
                    }
                };
        if (address == null) {
            return null;
        }
        Endpoint endpoint = new Endpoint(address, to.port());
        lastTo = to;
        lastToUntilNanos = until;
        lastToEndpoint = endpoint;
        return endpoint;
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
        if (onlyTarget && !from.equals(lastToEndpoint)) {
            loop.counters().datagramsDropped++;
            owned.release();
            return;
        }
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
        if (names != null) {
            names.values().forEach(Known::withdraw);
        }
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
