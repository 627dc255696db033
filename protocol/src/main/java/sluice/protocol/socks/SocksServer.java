package sluice.protocol.socks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;

/// Tells SOCKS4 from SOCKS5 by the first byte, which it leaves unconsumed, and steps aside.
final class SocksServer implements StreamMachine {

    private final SocksServerOptions options;
    private final Endpoint client;
    private boolean isOver;

    /// @param client the peer of the connection
    SocksServer(SocksServerOptions options, Endpoint client) {
        this.options = options;
        this.client = client;
    }

    /// The machine for a version octet, or null where there is none for it.
    static @Nullable StreamMachine forVersion(
            int version, SocksServerOptions options, Endpoint client) {
        return switch (version) {
            case Socks4Wire.VERSION -> new Socks4Server(options);
            case Socks5Wire.VERSION -> new Socks5Server(options, client);
            default -> null;
        };
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (isOver || in.isEmpty()) {
            in.consume(in.length());
            return;
        }
        isOver = true;
        StreamMachine next = forVersion(in.unsigned(0), options, client);
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
}
