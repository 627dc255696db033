package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;

/// The packets of `none` and SIP004: an address and data, alike in both directions, behind a salt
/// of their own. Holds no state between packets; the nonce is always 0, since every packet has its
/// own key.
final class AddressPackets {

    private static final int ADDRESS_BYTES_MIN = 1 + 1 + 1 + 2;

    private final LoopServices loop;
    private final Method method;

    AddressPackets(LoopServices loop, Method method) {
        this.loop = loop;
        this.method = method;
    }

    /// Whether there is a cipher.
    boolean isSealed() {
        return method != Method.NONE;
    }

    /// Bytes of the shortest legal packet.
    int bytesMin() {
        return (isSealed() ? method.keyBytes() + Wire.TAG_BYTES : 0) + ADDRESS_BYTES_MIN;
    }

    /// Most bytes a packet has beside its data.
    int overheadBytes() {
        return (isSealed() ? method.keyBytes() + Wire.TAG_BYTES : 0)
                + AddressForm.ENCODED_BYTES_MAX;
    }

    /// Appends address and data to `into`, which has room for the packet; false where the key is
    /// wrong.
    ///
    /// @param user whose key to try; null without a cipher
    boolean open(@Nullable Credential user, Buf packet, Buf into) {
        if (user == null) {
            into.put(packet.array(), packet.start(), packet.length());
            return true;
        }
        int saltBytes = method.keyBytes();
        AeadKey key = Subkeys.ofSalt(loop.ciphers(), method, user, packet.array(), packet.start());
        int bytes =
                loop.ciphers()
                        .open(
                                key,
                                0,
                                packet.array(),
                                packet.start() + saltBytes,
                                packet.length() - saltBytes,
                                into.array(),
                                into.end());
        if (bytes < 0) {
            return false;
        }
        into.extend(bytes);
        return true;
    }

    /// Appends a packet to `into`; false where it does not fit.
    boolean seal(@Nullable Credential user, Destination remote, Buf payload, Buf into) {
        int bodyBytes = AddressForm.SOCKS.encodedBytes(remote) + payload.length();
        int sealing = user == null ? 0 : method.keyBytes() + Wire.TAG_BYTES;
        if (bodyBytes + sealing > Math.min(into.tailroom(), Wire.DATAGRAM_BYTES_MAX)) {
            return false;
        }
        if (user == null) {
            AddressForm.SOCKS.write(remote, into);
            into.put(payload.array(), payload.start(), payload.length());
            return true;
        }
        Buf body = loop.buffers().acquire(bodyBytes);
        AddressForm.SOCKS.write(remote, body);
        body.put(payload.array(), payload.start(), payload.length());
        int salt = into.end();
        loop.entropy().fill(into.array(), salt, method.keyBytes());
        into.extend(method.keyBytes());
        AeadKey key = Subkeys.ofSalt(loop.ciphers(), method, user, into.array(), salt);
        into.extend(
                loop.ciphers().seal(key, 0, body.array(), 0, bodyBytes, into.array(), into.end()));
        body.release();
        return true;
    }
}
