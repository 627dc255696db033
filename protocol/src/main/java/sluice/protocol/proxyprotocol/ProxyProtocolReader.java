package sluice.protocol.proxyprotocol;

import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;

/// Reads the header ahead of a stream, says whose the stream is, and retires. It is for fronts that are
/// trusted: anybody else could claim to be anybody.
///
///     EXPECT_HEADER ──► OVER (transparent)
public final class ProxyProtocolReader implements StreamMachine {

    private enum State {
        EXPECT_HEADER,
        OVER
    }

    private final boolean isRequired;
    private State state = State.EXPECT_HEADER;
    private boolean hasBegun;

    /// @param isRequired whether a stream without a header is closed; otherwise it goes on as it is
    public ProxyProtocolReader(boolean isRequired) {
        this.isRequired = isRequired;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (state == State.OVER) {
            return;
        }
        hasBegun = true;
        ProxyHeader.Kind kind = ProxyHeader.kindOf(in);
        switch (kind) {
            case UNDECIDED -> {}
            case NONE -> {
                if (isRequired) {
                    fail("proxy protocol: no header", out);
                } else {
                    retire(out);
                }
            }
            case VERSION_1, VERSION_2 -> {
                ProxyHeader header = ProxyHeader.parseOrNull(kind, in);
                if (header == null) {
                    fail("proxy protocol: malformed header", out);
                } else if (header != ProxyHeader.INCOMPLETE) {
                    onHeader(header, in, out);
                }
            }
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (state == State.OVER) {
            return;
        }
        if (hasBegun) {
            state = State.OVER;
            out.fail(
                    new PeerFault(
                            PeerFault.Kind.TRUNCATED, "proxy protocol: the stream ended in it"),
                    Farewell.FIN);
        } else {
            // Fronts look whether somebody listens.
            state = State.OVER;
            out.close();
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        out.send(owned);
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        out.end();
    }

    private void onHeader(ProxyHeader header, Buf in, Effects out) {
        in.consume(header.bytes());
        Endpoint source = header.source();
        if (source != null) {
            out.sourceIs(source);
        }
        retire(out);
    }

    private void retire(Effects out) {
        state = State.OVER;
        out.becomeTransparent();
    }

    private void fail(String reason, Effects out) {
        state = State.OVER;
        out.fail(new PeerFault(PeerFault.Kind.MALFORMED, reason), Farewell.FIN);
    }
}
