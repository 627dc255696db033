package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;

/// The dialling side of SIP004 streams. The address stands in the first chunk as a whole, together
/// with as much payload as fits behind it.
final class AeadClient extends DiallingStream {

    AeadClient(LoopServices loop, Dialling dialling, Destination target) {
        super(loop, dialling, target);
    }

    @Override
    void sendFirstFlight(@Nullable Buf owned, Effects out) {
        int addressBytes = AddressForm.SOCKS.encodedBytes(target);
        int payloadBytes = owned == null ? 0 : owned.length();
        int early = Math.min(payloadBytes, payloadBytesMax() - addressBytes);
        Buf head = out.acquire(addressBytes + early);
        AddressForm.SOCKS.write(target, head);
        if (owned != null) {
            head.put(owned.array(), owned.start(), early);
            owned.consume(early);
        }
        Buf flight =
                out.acquire(
                        method.keyBytes()
                                + sealedBytes(head.length())
                                + sealedBytes(payloadBytes - early));
        AeadKey key = beginSealing(dialling.user(), flight);
        sealChunks(key, head.array(), head.start(), head.end(), flight);
        head.release();
        if (owned != null) {
            sealChunks(key, owned.array(), owned.start(), owned.end(), flight);
            owned.release();
        }
        out.send(flight);
    }

    @Override
    boolean takeResponse(Buf in, Effects out) {
        if (in.length() < method.keyBytes()) {
            return false;
        }
        openKey = Subkeys.ofSalt(ciphers(), method, dialling.user(), in.array(), in.start());
        in.consume(method.keyBytes());
        return true;
    }
}
