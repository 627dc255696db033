package sluice.protocol.socks;

import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;
import sluice.base.time.Deadline;

/// Tells SOCKS4 from SOCKS5 by the first byte, which it leaves unconsumed, and steps aside.
final class SocksServer implements StreamMachine {

    private final SocksServerOptions options;
    private final Endpoint client;
    private long deadlineNanos = Deadline.NONE;
    private boolean isOver;

    /// @param client the peer of the connection
    SocksServer(SocksServerOptions options, Endpoint client) {
        this.options = options;
        this.client = client;
    }

    /// The machine for a version octet, or null where there is none for it.
    ///
    /// @param deadlineNanos when the handshake must be complete
    static @org.jspecify.annotations.Nullable StreamMachine forVersion(
            int version, SocksServerOptions options, Endpoint client, long deadlineNanos) {
        return switch (version) {
            case Socks4Wire.VERSION -> new Socks4Server(options, deadlineNanos);
            case Socks5Wire.VERSION -> new Socks5Server(options, client, deadlineNanos);
            default -> null;
        };
    }

    @Override
    public void onStart(long nowNanos, Effects out) {
        deadlineNanos = nowNanos + options.access().handshakeNanos();
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (isOver || in.isEmpty()) {
            in.consume(in.length());
            return;
        }
        isOver = true;
        StreamMachine next = forVersion(in.unsigned(0), options, client, deadlineNanos);
        if (next == null) {
            out.fail(
                    new PeerFault(PeerFault.Kind.MALFORMED, "socks: neither version 4 nor 5"),
                    Farewell.FIN);
        } else {
            out.become(next);
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (!isOver) {
            isOver = true;
            out.close();
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        owned.release();
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {}

    @Override
    public void onDeadline(long nowNanos, Effects out) {
        if (!isOver) {
            isOver = true;
            out.fail(SocksFaults.tooSlow(), Farewell.FIN);
        }
    }

    @Override
    public long deadlineNanos() {
        return isOver ? Deadline.NONE : deadlineNanos;
    }
}
