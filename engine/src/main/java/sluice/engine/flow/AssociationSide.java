package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramServer;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.os.ListenOptions;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Timer;
import sluice.engine.plan.InboundPlan;

/// A datagram socket that lives as long as a client's control stream, or until it was silent for
/// too long.
final class AssociationSide implements DatagramSide {

    private final Loop loop;
    private final DatagramPort port;
    private final Endpoint bound;
    private final long idleNanos;
    private final Flow control;
    private final Timer idle =
            new Timer() {
                @Override
                protected void onTimer(long nowNanos) {
                    checkIdle(nowNanos);
                }
            };

    private AssociationSide(
            Loop loop, DatagramPort port, Endpoint bound, long idleNanos, Flow control) {
        this.loop = loop;
        this.port = port;
        this.bound = bound;
        this.idleNanos = idleNanos;
        this.control = control;
        loop.timers().set(idle, loop.nowNanos() + idleNanos);
    }

    /// Opens the socket at `at`; null where that fails.
    static @Nullable AssociationSide open(
            Station station,
            InboundPlan inbound,
            Endpoint at,
            DatagramServer server,
            Flow control) {
        Loop loop = station.loop();
        int socket = loop.driver().bindDatagrams(at, ListenOptions.DEFAULT);
        DatagramPort port = DatagramPort.openOrNull(station, inbound, server, socket);
        Endpoint bound = port == null ? null : port.bound();
        if (port != null && bound == null) {
            port.close();
        }
        return port == null || bound == null
                ? null
                : new AssociationSide(loop, port, bound, inbound.datagramIdleNanos(), control);
    }

    Endpoint bound() {
        return bound;
    }

    @Override
    public void fromStream(Destination to, Buf owned) {
        owned.release();
    }

    private void checkIdle(long nowNanos) {
        long until = port.lastNanos() + idleNanos;
        if (until - nowNanos > 0) {
            loop.timers().set(idle, until);
        } else {
            control.associationIsIdle();
        }
    }

    @Override
    public void close(String reason) {
        loop.timers().clear(idle);
        port.close();
    }
}
