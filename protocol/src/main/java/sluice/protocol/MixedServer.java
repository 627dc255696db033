package sluice.protocol;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;
import sluice.protocol.socks.SocksInbound;
import sluice.protocol.socks.SocksServerOptions;

/// Looks at the first byte, leaves it unconsumed, and puts the machine of that protocol in its
/// place. Nothing is ever sent before the client's first byte.
final class MixedServer implements StreamMachine {

    private final SocksServerOptions socks;
    private final Endpoint client;
    private boolean isOver;

    MixedServer(SocksServerOptions socks, Endpoint client) {
        this.socks = socks;
        this.client = client;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (isOver || in.isEmpty()) {
            in.consume(in.length());
            return;
        }
        isOver = true;
        StreamMachine next = machineFor(in.unsigned(0));
        if (next == null) {
            out.fail(
                    new PeerFault(PeerFault.Kind.UNSUPPORTED, "mixed: neither SOCKS nor HTTP"),
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

    private @Nullable StreamMachine machineFor(int octet) {
        return SocksInbound.machineOrNull(octet, socks, client);
    }
}
