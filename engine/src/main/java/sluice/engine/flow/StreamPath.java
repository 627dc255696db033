package sluice.engine.flow;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Timer;
import sluice.engine.plan.OutboundPlan;
import sluice.engine.plan.Plan;

/// Datagrams that need a stream to the server: inside it, or beside it when the stream only
/// controls an association.
final class StreamPath implements DatagramPath, LegOwner, StreamDial.Callback {

    /// 10 s for the stream's handshake.
    private static final long HANDSHAKE_NANOS = 10_000_000_000L;

    private final Loop loop;
    private final Sink sink;
    private @Nullable Function<StreamPath, DatagramPath> beside;
    private final DatagramQueue waiting;
    private @Nullable StreamDial dial;
    private @Nullable Leg leg;
    private @Nullable DatagramPath packets;
    private @Nullable IpAddress peer;
    private boolean ready;
    private boolean open = true;
    private final Timer handshake =
            new Timer() {
                @Override
                protected void onTimer(long nowNanos) {
                    over("the server did not answer in time");
                }
            };

    /// @param carrier what reaches the server
    /// @param machines of the stream, highest last
    /// @param beside makes the path of the packets once the stream is ready; null where they go
    ///   inside
    StreamPath(
            Station station,
            Plan plan,
            OutboundPlan carrier,
            Destination server,
            StreamMachine[] machines,
            Sink sink,
            @Nullable Function<StreamPath, DatagramPath> beside) {
        this.loop = station.loop();
        this.sink = sink;
        this.beside = beside;
        this.waiting = new DatagramQueue(loop);
        this.dial = StreamDial.startWith(station, plan, carrier, server, machines, this, this);
    }

    @Override
    public void connected(Leg connected, Endpoint at, int readiness) {
        peer = at.address();
        dial = null;
        leg = connected;
        loop.timers().set(handshake, loop.nowNanos() + HANDSHAKE_NANOS);
        connected.start();
        if (readiness != 0 && !connected.isClosed()) {
            connected.onReady(readiness, loop.nowNanos());
        }
    }

    @Override
    public void failed(OpenOutcome outcome, String reason) {
        dial = null;
        over(reason);
    }

    @Override
    public void onReady(Leg ready) {
        loop.timers().clear(handshake);
        this.ready = true;
        Function<StreamPath, DatagramPath> maker = beside;
        beside = null;
        if (maker != null) {
            packets = maker.apply(this);
        }
        waiting.sendTo(this::send);
    }

    @Override
    public void send(Destination to, Buf owned) {
        DatagramPath aside = packets;
        Leg inside = leg;
        if (!open) {
            owned.release();
        } else if (!ready || inside == null) {
            waiting.add(to, owned);
        } else if (aside != null) {
            aside.send(to, owned);
        } else {
            inside.writeDatagram(to, owned);
        }
    }

    @Override
    public void onDatagram(Leg from, Destination remote, Buf owned) {
        if (open) {
            sink.onDatagram(remote, owned);
        } else {
            owned.release();
        }
    }

    @Override
    public void onPayload(Leg from, Buf owned) {
        owned.release();
    }

    @Override
    public void onPayloadEnd(Leg from) {
        over("the server ended the stream");
    }

    @Override
    public void onBlocked(Leg blocked) {}

    @Override
    public void onDrained(Leg drained) {}

    @Override
    public void onOutputShut(Leg shut) {}

    @Override
    public void onBroken(Leg broken, int errno) {
        over(Errno.describe(errno));
    }

    @Override
    public void onFault(Leg failing, PeerFault fault, Farewell farewell) {
        over(fault.reason());
    }

    @Override
    public void onClosing(Leg closing) {
        over("the server ended the stream");
    }

    @Override
    public void onRefused(Leg refused, OpenOutcome outcome, String reason) {
        over(reason);
    }

    /// What the path beside the stream shall report to.
    Sink relaySink() {
        return new Sink() {
            @Override
            public void onDatagram(Destination from, Buf owned) {
                if (open) {
                    sink.onDatagram(from, owned);
                } else {
                    owned.release();
                }
            }

            @Override
            public void onPathEnd(String reason) {
                over(reason);
            }
        };
    }

    /// The address that the stream is connected to.
    @Nullable IpAddress peerOrNull() {
        return peer;
    }

    private void over(String reason) {
        if (open) {
            close();
            sink.onPathEnd(reason);
        }
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        loop.timers().clear(handshake);
        waiting.discard();
        StreamDial dialling = dial;
        if (dialling != null) {
            dialling.cancel();
        }
        DatagramPath aside = packets;
        if (aside != null) {
            aside.close();
        }
        Leg present = leg;
        if (present != null) {
            present.closeInOrder();
        }
    }
}
