package sluice.protocol.shadowsocks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.Aead;
import sluice.secure.crypto.AeadKey;

/// The dialling side of SIP022 streams, with any number of identity headers (SIP023). Wire: see
/// [Server2022].
final class Client2022 extends DiallingStream {

    /// Compared with what the response repeats, then dropped.
    private byte @Nullable [] requestSalt;

    Client2022(LoopServices loop, Dialling dialling, Destination target) {
        super(loop, dialling, target);
    }

    @Override
    void sendFirstFlight(@Nullable Buf owned, Effects out) {
        Buf variable = variableHeader(owned, out);
        int restBytes = owned == null ? 0 : owned.length();
        int saltBytes = method.keyBytes();
        Buf flight =
                out.acquire(
                        saltBytes
                                + dialling.identityBytes()
                                + Wire.REQUEST_HEADER_BYTES
                                + variable.length()
                                + 2 * Wire.TAG_BYTES
                                + sealedBytes(restBytes));
        AeadKey key = beginSealing(dialling.user(), flight);
        requestSalt = Arrays.copyOf(flight.array(), saltBytes);
        sealIdentities(flight);
        Buf fixed = out.acquire(Wire.REQUEST_HEADER_BYTES);
        fixed.put(Wire.TYPE_REQUEST);
        fixed.putLong(loop.wall().epochSeconds());
        fixed.putShort(variable.length());
        sealRecord(key, fixed.array(), fixed.start(), fixed.length(), flight);
        fixed.release();
        sealRecord(key, variable.array(), variable.start(), variable.length(), flight);
        variable.release();
        if (owned != null) {
            sealChunks(key, owned.array(), owned.start(), owned.end(), flight);
            owned.release();
        }
        out.send(flight);
    }

    /// Address, padding, and the beginning of the payload; either payload or padding must be there
    /// (SIP022 §3.1.3).
    private Buf variableHeader(@Nullable Buf owned, Effects out) {
        int addressBytes = AddressForm.SOCKS.encodedBytes(target);
        if (owned == null) {
            int padding = 1 + loop.entropy().below(Wire.PADDING_BYTES_MAX);
            Buf header = out.acquire(addressBytes + 2 + padding);
            AddressForm.SOCKS.write(target, header);
            header.putShort(padding);
            Arrays.fill(header.array(), header.end(), header.end() + padding, (byte) 0);
            header.extend(padding);
            return header;
        }
        int early = Math.min(owned.length(), payloadBytesMax() - addressBytes - 2);
        Buf header = out.acquire(addressBytes + 2 + early);
        AddressForm.SOCKS.write(target, header);
        header.putShort(0);
        header.put(owned.array(), owned.start(), early);
        owned.consume(early);
        return header;
    }

    private void sealIdentities(Buf flight) {
        for (int i = 0; i < dialling.relays().size(); i++) {
            AeadKey key =
                    Subkeys.ofIdentity(
                            ciphers(),
                            method,
                            dialling.relays().get(i),
                            flight.array(),
                            flight.start());
            Credential named = dialling.named(i);
            int at = flight.end();
            flight.putLong(named.identityHigh());
            flight.putLong(named.identityLow());
            ciphers().encryptBlock(key, flight.array(), at, flight.array(), at);
        }
    }

    @Override
    boolean takeResponse(Buf in, Effects out) {
        int saltBytes = method.keyBytes();
        int headerBytes = Wire.REQUEST_HEADER_BYTES + saltBytes;
        int sealed = headerBytes + Aead.TAG_BYTES;
        if (in.length() < saltBytes + sealed) {
            return false;
        }
        AeadKey key = Subkeys.ofSalt(ciphers(), method, dialling.user(), in.array(), in.start());
        Buf header = out.acquire(sealed);
        PeerFault fault;
        if (openRecord(key, in.array(), in.start() + saltBytes, sealed, header)) {
            fault = findFault(header.array(), saltBytes);
        } else {
            fault = unauthenticated("the response does not authenticate (wrong key or method)");
        }
        int length = Wire.getShort(header.array(), 9 + saltBytes);
        header.release();
        if (fault != null) {
            fail(fault, Farewell.RESET, out);
            return false;
        }
        in.consume(saltBytes + sealed);
        requestSalt = null;
        openKey = key;
        expectPayload(length);
        return true;
    }

    /// The checks of SIP022 §3.1.4, in their order.
    private @Nullable PeerFault findFault(byte[] header, int saltBytes) {
        if (header[0] != Wire.TYPE_RESPONSE) {
            return new PeerFault(
                    PeerFault.Kind.OUT_OF_ORDER, "shadowsocks: the header is not a response's");
        }
        long timestamp = Wire.getLong(header, 1);
        long nowSeconds = loop.wall().epochSeconds();
        if (!Wire.isFresh(timestamp, nowSeconds)) {
            return new PeerFault(
                    PeerFault.Kind.UNAUTHENTICATED,
                    Wire.clockReason("the server's", timestamp, nowSeconds));
        }
        byte[] salt = requestSalt;
        if (salt == null || !Arrays.equals(salt, 0, saltBytes, header, 9, 9 + saltBytes)) {
            return unauthenticated("the response answers another request");
        }
        if (Wire.getShort(header, 9 + saltBytes) == 0) {
            return new PeerFault(
                    PeerFault.Kind.MALFORMED, "shadowsocks: the response begins without payload");
        }
        return null;
    }

    private static PeerFault unauthenticated(String reason) {
        return new PeerFault(PeerFault.Kind.UNAUTHENTICATED, "shadowsocks: " + reason);
    }
}
