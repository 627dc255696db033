package sluice.protocol.uot;

import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;

/// The dialling side of UDP over TCP, above the machine that reached the magic target. Streams are
/// never connected: a flow may write to several targets and hear from others. The request of
/// version 2 goes together with the first packet.
final class UotClient implements StreamMachine {

    private final int version;
    private final DestinationReader reader = new DestinationReader(AddressForm.UDP_OVER_TCP);
    private boolean isRequested;
    private boolean isOver;

    /// @param version 1 or 2
    UotClient(int version) {
        this.version = version;
        this.isRequested = version == UotWire.VERSION_1;
    }

    @Override
    public void onStart(long nowNanos, Effects out) {
        out.ready();
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (isOver) {
            in.consume(in.length());
        } else if (!UotWire.deliverPackets(in, reader, out)) {
            isOver = true;
            out.fail(
                    new PeerFault(
                            PeerFault.Kind.MALFORMED,
                            "udp over tcp " + version + ": the address cannot be read"),
                    Farewell.FIN);
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
    public void onPayloadEnd(long nowNanos, Effects out) {
        out.end();
    }

    @Override
    public void onDatagram(Destination remote, Buf owned, long nowNanos, Effects out) {
        if (isOver) {
            owned.release();
            return;
        }
        Destination request = isRequested ? null : remote;
        isRequested = true;
        UotWire.sendPacket(remote, request, owned, out);
    }
}
