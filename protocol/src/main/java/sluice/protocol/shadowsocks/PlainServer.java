package sluice.protocol.shadowsocks;

import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;

/// The accepting side of `none`: an address, then payload as it is. Retires once the target stands.
final class PlainServer implements StreamMachine {

    private final Farewell badPeer;
    private boolean isAsked;
    private boolean isMidway;

    PlainServer(Farewell badPeer) {
        this.badPeer = badPeer;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (isAsked) {
            deliver(in, out);
            return;
        }
        DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
        int bytes = reader.read(in, 0);
        if (bytes == DestinationReader.INCOMPLETE) {
            isMidway = true;
        } else if (bytes < 0) {
            out.fail(
                    new PeerFault(
                            PeerFault.Kind.MALFORMED, "shadowsocks: the address does not parse"),
                    badPeer);
        } else {
            isAsked = true;
            in.consume(bytes);
            out.open(reader.destination(), null);
            deliver(in, out);
        }
    }

    /// Early payload waits at the other leg, and survives a client that ends its side meanwhile.
    private static void deliver(Buf in, Effects out) {
        if (!in.isEmpty()) {
            Buf payload = out.acquire(in.length());
            payload.put(in.array(), in.start(), in.length());
            in.consume(in.length());
            out.deliver(payload);
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (isAsked) {
            out.deliverEnd();
        } else if (isMidway) {
            out.fail(
                    new PeerFault(
                            PeerFault.Kind.TRUNCATED,
                            "shadowsocks: the stream ended in the middle of the address"),
                    badPeer);
        } else {
            out.close();
        }
    }

    @Override
    public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
        if (outcome == OpenOutcome.OK) {
            out.becomeTransparent();
        } else {
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
}
