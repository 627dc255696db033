package sluice.engine.flow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;
import sluice.engine.dial.Connector;
import sluice.engine.loop.Loop;
import sluice.engine.plan.OutboundPlan;
import sluice.engine.plan.Plan;
import sluice.protocol.spi.LoopServices;

/// Brings a leg to a destination through an outbound and its detours: one socket, to the server of
/// the last detour, and above it a machine for each hop, the last detour's lowest. Owned by one
/// loop.
final class StreamDial implements Connector.Callback {

    /// What comes of it.
    interface Callback {

        /// Connected; the leg is not started.
        void connected(Leg leg, Endpoint peer, int readiness);

        /// Not connected.
        void failed(OpenOutcome outcome, String reason);
    }

    private final Loop loop;
    private final LegOwner owner;
    private final Callback callback;
    private final List<StreamMachine> machines;
    private final @Nullable Connector connector;
    private boolean cancelled;

    private StreamDial(
            Station station,
            Plan plan,
            OutboundPlan outbound,
            Destination target,
            @Nullable List<IpAddress> resolved,
            List<StreamMachine> highest,
            LegOwner owner,
            Callback callback) {
        this.loop = station.loop();
        this.owner = owner;
        this.callback = callback;
        this.machines = highest;
        Hop hop = lowest(station, plan, outbound, target, machines);
        if (hop.outbound.protocol().isBlock()) {
            this.connector = null;
            loop.soon(this::blocked);
        } else {
            this.connector = connect(station, hop, hop.target == target ? resolved : null);
        }
    }

    /// @param resolved the target's addresses where no proxy stands before it and they are known
    private Connector connect(Station station, Hop hop, @Nullable List<IpAddress> resolved) {
        return resolved == null || resolved.isEmpty()
                ? Connector.start(
                        loop,
                        station.resolver(),
                        hop.target,
                        hop.outbound.family(),
                        hop.outbound.dial(),
                        this)
                : Connector.startResolved(
                        loop,
                        resolved,
                        hop.target.port(),
                        hop.outbound.family(),
                        hop.outbound.dial(),
                        this);
    }

    /// Begins to dial `target` through `outbound`.
    ///
    /// @param resolved addresses of the target, which a bare socket tries one after the other;
    ///   proxies are asked for `target`
    static StreamDial start(
            Station station,
            Plan plan,
            OutboundPlan outbound,
            Destination target,
            @Nullable List<IpAddress> resolved,
            LegOwner owner,
            Callback callback) {
        return new StreamDial(
                station, plan, outbound, target, resolved, new ArrayList<>(2), owner, callback);
    }

    /// Begins to dial `server` through `carrier`, with these machines on top, highest last.
    static StreamDial startWith(
            Station station,
            Plan plan,
            OutboundPlan carrier,
            Destination server,
            StreamMachine[] machines,
            LegOwner owner,
            Callback callback) {
        List<StreamMachine> highestFirst = new ArrayList<>(machines.length + 1);
        for (int i = machines.length - 1; i >= 0; i--) {
            highestFirst.add(machines[i]);
        }
        return new StreamDial(station, plan, carrier, server, null, highestFirst, owner, callback);
    }

    /// The socket's target and how to make it; the machines on the way are added, highest first.
    private static Hop lowest(
            Station station,
            Plan plan,
            OutboundPlan outbound,
            Destination target,
            List<StreamMachine> machines) {
        LoopServices services = station.loop().services();
        OutboundPlan at = outbound;
        Destination goal = target;
        while (!at.protocol().isBlock()) {
            StreamMachine machine = at.protocol().dialStream(services, goal);
            Destination server = at.protocol().server();
            if (machine != null && server != null) {
                machines.add(machine);
                goal = server;
            }
            String detour = at.detour();
            if (detour == null) {
                break;
            }
            at = plan.outbound(detour);
        }
        return new Hop(at, goal);
    }

    private record Hop(OutboundPlan outbound, Destination target) {}

    /// What carries the outbound's own packets and streams: its detour, or a bare socket made as it
    /// says.
    static OutboundPlan carrierOf(Plan plan, OutboundPlan outbound) {
        String detour = outbound.detour();
        return detour != null
                ? plan.outbound(detour)
                : new OutboundPlan(
                        outbound.tag(), Bare.INSTANCE, outbound.dial(), outbound.family(), null);
    }

    private void blocked() {
        if (!cancelled) {
            callback.failed(OpenOutcome.DENIED, "the outbound blocks");
        }
    }

    /// Gives up; the callback is not called any more.
    void cancel() {
        cancelled = true;
        Connector present = connector;
        if (present != null) {
            present.cancel();
        }
    }

    @Override
    public void connected(int socket, long token, Endpoint peer, int readiness) {
        Leg leg = new Leg(loop, owner, socket, true);
        leg.adopt(token);
        for (int i = machines.size() - 1; i >= 0; i--) {
            leg.layers().push(machines.get(i));
        }
        loop.handOver(token, leg);
        callback.connected(leg, peer, readiness & ~LoopDriver.WRITABLE);
    }

    @Override
    public void failed(int errno, String reason) {
        loop.counters().dialsFailed++;
        callback.failed(outcomeOf(errno), reason);
    }

    /// What protocols can tell their clients of an errno.
    static OpenOutcome outcomeOf(int errno) {
        return switch (errno) {
            case 0, Errno.EHOSTUNREACH -> OpenOutcome.HOST_UNREACHABLE;
            case Errno.ENETUNREACH -> OpenOutcome.NETWORK_UNREACHABLE;
            case Errno.ECONNREFUSED -> OpenOutcome.REFUSED;
            case Errno.ETIMEDOUT -> OpenOutcome.TIMED_OUT;
            case Errno.EPERM, Errno.EACCES -> OpenOutcome.DENIED;
            default -> OpenOutcome.FAILED;
        };
    }
}
