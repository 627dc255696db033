package sluice.protocol.shadowsocks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;
import sluice.secure.crypto.Ciphers;

/// The packets of SIP022 §3.2, both directions. One object per socket or flow; owned by one loop.
///
///     AES:    block(session id | packet id) | identity blocks, requests only | AEAD(body)
///     ChaCha: nonce (24) | AEAD(session id | packet id | body)
///     body:   type | timestamp | client session id, responses only | padding length | padding
///             | ATYP | ADDR | PORT | data
///
/// With AES the nonce is bytes 4 to 16 of what the separate header says.
final class Packets2022 {

    private static final int NONCE_BYTES = 24;
    private static final int NONCE_OFFSET = 4;
    private static final int ADDRESS_BYTES_MIN = 1 + 1 + 1 + 2;

    /// Type, timestamp, padding length.
    private static final int BODY_FIXED_BYTES = 1 + 8 + 2;

    /// An opened packet whose body was not accepted.
    static final String NOT_AUTHENTIC = "shadowsocks: does not authenticate";

    static final String TOO_SHORT = "shadowsocks: too short";

    private final LoopServices loop;
    private final Method method;

    /// Session and packet id of the packet at hand, in clear.
    private final byte[] header = new byte[Wire.SEPARATE_HEADER_BYTES];

    private final byte[] block = new byte[Wire.IDENTITY_BYTES];
    private final byte[] nonce = new byte[NONCE_BYTES];
    private String bodyFault = "";

    Packets2022(LoopServices loop, Method method) {
        this.loop = loop;
        this.method = method;
    }

    private Ciphers ciphers() {
        return loop.ciphers();
    }

    /// Whether ids stand in a header of their own.
    boolean isAes() {
        return method.aead().isAes();
    }

    /// The session id of the packet at hand.
    long sessionId() {
        return Wire.getLong(header, 0);
    }

    /// The packet id of the packet at hand.
    long packetId() {
        return Wire.getLong(header, 8);
    }

    /// Bytes of the shortest legal packet.
    int bytesMin(int identityBytes, boolean isResponse) {
        int ids = isAes() ? 0 : NONCE_BYTES;
        return ids
                + Wire.SEPARATE_HEADER_BYTES
                + identityBytes
                + BODY_FIXED_BYTES
                + (isResponse ? 8 : 0)
                + ADDRESS_BYTES_MIN
                + Wire.TAG_BYTES;
    }

    /// Most bytes a packet has beside its data, padding included.
    int overheadBytes(int identityBytes) {
        return bytesMin(identityBytes, true)
                - ADDRESS_BYTES_MIN
                + Wire.PADDING_BYTES_MAX
                + AddressForm.ENCODED_BYTES_MAX;
    }

    // Opening.

    /// AES: reads the ids of `packet`, which has [#bytesMin].
    void openHeader(AeadKey headerKey, Buf packet) {
        ciphers().decryptBlock(headerKey, packet.array(), packet.start(), header, 0);
    }

    /// AES: the key that the identity block behind the header names, or null; after [#openHeader].
    @Nullable Credential namedOrNull(Acceptance acceptance, Credential own, Buf packet) {
        int at = packet.start() + Wire.SEPARATE_HEADER_BYTES;
        ciphers().decryptBlock(own.direct(), packet.array(), at, block, 0);
        return acceptance.userOrNull(
                Wire.getLong(block, 0) ^ sessionId(), Wire.getLong(block, 8) ^ packetId());
    }

    /// AES: the key of the session at hand.
    AeadKey sessionKey(Credential user) {
        return Subkeys.ofSession(ciphers(), method, user, header, 0);
    }

    /// AES: appends the body to `into`; false where the tag is wrong.
    ///
    /// @param bodyOffset of the sealed body, from the packet's beginning
    boolean openBody(AeadKey key, Buf packet, int bodyOffset, Buf into) {
        int bytes =
                ciphers()
                        .open(
                                key,
                                header,
                                NONCE_OFFSET,
                                packet.array(),
                                packet.start() + bodyOffset,
                                packet.length() - bodyOffset,
                                into.array(),
                                into.end());
        if (bytes < 0) {
            return false;
        }
        into.extend(bytes);
        return true;
    }

    /// ChaCha: reads the ids and appends the body to `into`, which is empty; false where the tag is
    /// wrong.
    boolean openWhole(Credential user, Buf packet, Buf into) {
        int bytes =
                ciphers()
                        .open(
                                user.direct(),
                                packet.array(),
                                packet.start(),
                                packet.array(),
                                packet.start() + NONCE_BYTES,
                                packet.length() - NONCE_BYTES,
                                into.array(),
                                into.end());
        if (bytes < 0) {
            return false;
        }
        into.extend(bytes);
        System.arraycopy(into.array(), into.start(), header, 0, Wire.SEPARATE_HEADER_BYTES);
        into.consume(Wire.SEPARATE_HEADER_BYTES);
        return true;
    }

    /// Consumes everything before the data. False for a body that must be dropped; [#bodyFault]
    /// says why.
    ///
    /// @param type which direction is expected
    /// @param clientSession compared where `type` is a response
    boolean readBody(Buf body, int type, long clientSession, DestinationReader reader) {
        byte[] array = body.array();
        int at = body.start();
        int fixed = BODY_FIXED_BYTES + (type == Wire.TYPE_RESPONSE ? 8 : 0);
        if (body.length() < fixed + ADDRESS_BYTES_MIN) {
            return refuse(TOO_SHORT);
        }
        if (array[at] != type) {
            return refuse("shadowsocks: a packet of the other direction");
        }
        if (!Wire.isFresh(Wire.getLong(array, at + 1), loop.wall().epochSeconds())) {
            return refuse("shadowsocks: the clocks differ by more than 30 s");
        }
        if (type == Wire.TYPE_RESPONSE && Wire.getLong(array, at + 9) != clientSession) {
            return refuse("shadowsocks: an answer to another session");
        }
        int padding = Wire.getShort(array, at + fixed - 2);
        if (padding > body.length() - fixed) {
            return refuse("shadowsocks: the padding is longer than the packet");
        }
        int address = reader.read(body, fixed + padding);
        if (address <= 0) {
            return refuse("shadowsocks: the address does not parse");
        }
        body.consume(fixed + padding + address);
        return true;
    }

    private boolean refuse(String reason) {
        bodyFault = reason;
        return false;
    }

    /// Why the last [#readBody] said no.
    String bodyFault() {
        return bodyFault;
    }

    // Sealing.

    /// Appends to `body`, which has room for it, everything before the data, and the data.
    private void writeBody(
            Buf body, int type, long clientSession, int padding, Destination remote, Buf payload) {
        body.put(type);
        body.putLong(loop.wall().epochSeconds());
        if (type == Wire.TYPE_RESPONSE) {
            body.putLong(clientSession);
        }
        body.putShort(padding);
        Arrays.fill(body.array(), body.end(), body.end() + padding, (byte) 0);
        body.extend(padding);
        AddressForm.SOCKS.write(remote, body);
        body.put(payload.array(), payload.start(), payload.length());
    }

    /// One direction of one session, as its sender knows it.
    ///
    /// @param session its id
    /// @param headerKey what the separate header is sealed with (AES)
    /// @param bodyKey what the body is sealed with
    record Sender(long session, AeadKey headerKey, AeadKey bodyKey) {}

    /// Begins a direction of `user` under a random id that is not 0.
    ///
    /// @param headerOwner whose key seals the separate headers
    Sender newSender(Credential headerOwner, Credential user) {
        long id = 0;
        while (id == 0) {
            id = loop.entropy().nextLong();
        }
        if (!isAes()) {
            return new Sender(id, user.direct(), user.direct());
        }
        Wire.putLong(header, 0, id);
        return new Sender(id, headerOwner.direct(), sessionKey(user));
    }

    /// Appends a packet to `into`; false where it does not fit.
    ///
    /// @param identities those whose identity headers to write (requests); relays is empty
    ///   otherwise
    boolean seal(
            Sender sender,
            long packetId,
            int type,
            long clientSession,
            Dialling identities,
            Destination remote,
            Buf payload,
            Buf into) {
        int identityBytes = type == Wire.TYPE_REQUEST ? identities.identityBytes() : 0;
        int bare =
                bytesMin(identityBytes, type == Wire.TYPE_RESPONSE)
                        - ADDRESS_BYTES_MIN
                        + AddressForm.SOCKS.encodedBytes(remote)
                        + payload.length();
        int room = Math.min(into.tailroom(), Wire.DATAGRAM_BYTES_MAX);
        if (bare > room) {
            return false;
        }
        int padding = paddingFor(remote, Math.min(room, Wire.PADDED_DATAGRAM_BYTES_MAX) - bare);
        Buf body = loop.buffers().acquire(bare + padding);
        Wire.putLong(header, 0, sender.session());
        Wire.putLong(header, 8, packetId);
        if (isAes()) {
            int at = into.end();
            ciphers().encryptBlock(sender.headerKey(), header, 0, into.array(), at);
            into.extend(Wire.SEPARATE_HEADER_BYTES);
            if (identityBytes > 0) {
                sealIdentities(identities, into);
            }
            writeBody(body, type, clientSession, padding, remote, payload);
            into.extend(
                    ciphers()
                            .seal(
                                    sender.bodyKey(),
                                    header,
                                    NONCE_OFFSET,
                                    body.array(),
                                    body.start(),
                                    body.length(),
                                    into.array(),
                                    into.end()));
        } else {
            body.put(header);
            writeBody(body, type, clientSession, padding, remote, payload);
            sealWhole(sender.bodyKey(), body, into);
        }
        body.release();
        return true;
    }

    private void sealWhole(AeadKey key, Buf body, Buf into) {
        loop.entropy().fill(nonce, 0, NONCE_BYTES);
        into.put(nonce);
        into.extend(
                ciphers()
                        .seal(
                                key,
                                nonce,
                                0,
                                body.array(),
                                body.start(),
                                body.length(),
                                into.array(),
                                into.end()));
    }

    /// SIP023 §2.2: each block is the next key's identity, mixed with the separate header.
    private void sealIdentities(Dialling identities, Buf into) {
        for (int i = 0; i < identities.relays().size(); i++) {
            Credential named = identities.named(i);
            Wire.putLong(block, 0, named.identityHigh() ^ sessionId());
            Wire.putLong(block, 8, named.identityLow() ^ packetId());
            AeadKey key = identities.relays().get(i).direct();
            ciphers().encryptBlock(key, block, 0, into.array(), into.end());
            into.extend(Wire.IDENTITY_BYTES);
        }
    }

    /// DNS alone is padded, and never beyond what every path carries.
    private int paddingFor(Destination remote, int room) {
        boolean isDns = remote.port() == Wire.PADDED_PORT;
        return isDns && room > 0
                ? loop.entropy().below(Math.min(room, Wire.PADDING_BYTES_MAX) + 1)
                : 0;
    }

    /// AES, relays: appends to `into` the packet at hand without its identity block and with the
    /// separate header sealed for `next`; after [#openHeader].
    void passOn(Credential next, Buf packet, Buf into) {
        ciphers().encryptBlock(next.direct(), header, 0, into.array(), into.end());
        into.extend(Wire.SEPARATE_HEADER_BYTES);
        int gone = Wire.SEPARATE_HEADER_BYTES + Wire.IDENTITY_BYTES;
        into.put(packet.array(), packet.start() + gone, packet.length() - gone);
    }
}
