package sluice.protocol.shadowsocks;

import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;

/// The dialling side of `none`: sends the address and retires.
final class PlainClient implements StreamMachine {

    private final Destination target;

    PlainClient(Destination target) {
        this.target = target;
    }

    @Override
    public void onStart(long nowNanos, Effects out) {
        Buf address = out.acquire(AddressForm.ENCODED_BYTES_MAX);
        AddressForm.SOCKS.write(target, address);
        out.send(address);
        out.becomeTransparent();
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        throw new AssertionError("it retired");
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        throw new AssertionError("it retired");
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        throw new AssertionError("it retired");
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        throw new AssertionError("it retired");
    }
}
