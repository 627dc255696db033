package sluice.protocol;

import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;
import sluice.protocol.http.HttpInbound;
import sluice.protocol.http.HttpServerOptions;
import sluice.protocol.socks.SocksInbound;
import sluice.protocol.socks.SocksServerOptions;

/// Looks at the first byte, leaves it unconsumed, and puts the machine of that protocol in its
/// place. Nothing is ever sent before the client's first byte.
final class MixedServer implements StreamMachine {

    private final SocksServerOptions socks;
    private final HttpServerOptions http;
    private final Endpoint client;
    private boolean isOver;

    MixedServer(SocksServerOptions socks, HttpServerOptions http, Endpoint client) {
        this.socks = socks;
        this.http = http;
        this.client = client;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (isOver || in.isEmpty()) {
            in.consume(in.length());
            return;
        }
        isOver = true;
        StreamMachine next = SocksInbound.machineOrNull(in.unsigned(0), socks, client);
        out.become(next == null ? HttpInbound.machine(http) : next);
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
