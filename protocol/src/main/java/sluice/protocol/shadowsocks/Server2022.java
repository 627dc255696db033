package sluice.protocol.shadowsocks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;

/// The accepting side of SIP022 streams, with one user or with users behind identity headers (SIP023).
///
///     request  = salt | identity block, if any | AEAD(fixed header) | AEAD(address, padding, payload) | chunks
///     response = salt | AEAD(fixed header) | AEAD(payload) | chunks
///
///     ExpectFixed ──► ExpectVariable ──► Relay
///
/// The checks come in the order of SIP022 §3.1.5: a salt is remembered only after its header proved authentic and
/// fresh. What fails before the relay ends as [Acceptance#badPeer] says, whatever it was.
final class Server2022 extends SealedStream {

    private enum Stage {
        EXPECT_FIXED,
        EXPECT_VARIABLE,
        RELAY
    }

    private final Acceptance acceptance;
    private Stage stage = Stage.EXPECT_FIXED;
    private @Nullable Credential user;

    /// Plaintext of the variable header, payload included.
    private int variableBytes;

    /// Until the response repeats it.
    private byte @Nullable [] requestSalt;

    Server2022(LoopServices loop, Acceptance acceptance) {
        super(loop, acceptance.method());
        this.acceptance = acceptance;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (stage == Stage.EXPECT_FIXED) {
            int need = headBytes();
            if (in.length() < need) {
                noteMidway(in);
                if (!acceptance.isSegmentedHeaderAllowed()) {
                    refuse(
                            PeerFault.Kind.MALFORMED,
                            "the first read is shorter than a header",
                            out);
                }
                return;
            }
            if (!takeFixedHeader(in, nowNanos, out)) {
                return;
            }
            in.consume(need);
            stage = Stage.EXPECT_VARIABLE;
        }
        openChunks(in, nowNanos, out);
    }

    /// Salt, identity block and fixed header.
    private int headBytes() {
        int identity = acceptance.serverOrNull() == null ? 0 : Wire.IDENTITY_BYTES;
        return method.keyBytes() + identity + Wire.REQUEST_HEADER_BYTES + Wire.TAG_BYTES;
    }

    private boolean takeFixedHeader(Buf in, long nowNanos, Effects out) {
        byte[] array = in.array();
        int salt = in.start();
        Credential known = userOrNull(array, salt, out);
        if (known == null) {
            return refuse(PeerFault.Kind.UNAUTHENTICATED, "the identity header names no user", out);
        }
        AeadKey key = Subkeys.ofSalt(ciphers(), method, known, array, salt);
        int sealed = Wire.REQUEST_HEADER_BYTES + Wire.TAG_BYTES;
        Buf header = out.acquire(sealed);
        boolean isAuthentic = openRecord(key, array, salt + headBytes() - sealed, sealed, header);
        int type = header.array()[0];
        long timestamp = Wire.getLong(header.array(), 1);
        int length = Wire.getShort(header.array(), 9);
        header.release();
        if (!isAuthentic) {
            return refuse(
                    PeerFault.Kind.UNAUTHENTICATED,
                    "the header does not authenticate (wrong key or method)",
                    out);
        }
        if (type != Wire.TYPE_REQUEST) {
            return refuse(PeerFault.Kind.OUT_OF_ORDER, "the header is not a request's", out);
        }
        long nowSeconds = loop.wall().epochSeconds();
        if (!Wire.isFresh(timestamp, nowSeconds)) {
            String reason = Wire.clockReason("the client's", timestamp, nowSeconds);
            fail(new PeerFault(PeerFault.Kind.UNAUTHENTICATED, reason), acceptance.badPeer(), out);
            return false;
        }
        SeenSalts seen = acceptance.seenSalts();
        if (seen != null && !seen.add(array, salt, method.keyBytes(), nowNanos)) {
            return refuse(PeerFault.Kind.UNAUTHENTICATED, "this salt was seen before", out);
        }
        requestSalt = Arrays.copyOfRange(array, salt, salt + method.keyBytes());
        user = known;
        openKey = key;
        variableBytes = length;
        expectPayload(length);
        return true;
    }

    private @Nullable Credential userOrNull(byte[] array, int salt, Effects out) {
        Credential server = acceptance.serverOrNull();
        if (server == null) {
            return acceptance.user();
        }
        AeadKey key = Subkeys.ofIdentity(ciphers(), method, server, array, salt);
        Buf block = out.acquire(Wire.IDENTITY_BYTES);
        ciphers().decryptBlock(key, array, salt + method.keyBytes(), block.array(), 0);
        long high = Wire.getLong(block.array(), 0);
        long low = Wire.getLong(block.array(), 8);
        block.release();
        return acceptance.userOrNull(high, low);
    }

    @Override
    void onOpenedPayload(Buf owned, long nowNanos, Effects out) {
        if (stage == Stage.RELAY) {
            out.deliver(owned);
        } else {
            takeVariableHeader(owned, out);
        }
    }

    /// The variable header is the first chunk; what was opened behind it in the same call is
    /// payload as well, so its own end has to be known.
    private void takeVariableHeader(Buf owned, Effects out) {
        DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
        int end = owned.start() + variableBytes;
        int address = reader.read(owned.array(), owned.start(), end);
        int at = owned.start() + address;
        int padding = address > 0 && end - at >= 2 ? Wire.getShort(owned.array(), at) : -1;
        int payload = end - at - 2 - padding;
        if (address <= 0 || padding < 0 || payload < 0) {
            owned.release();
            refuse(PeerFault.Kind.MALFORMED, "the variable header does not parse", out);
        } else if (padding == 0 && payload == 0) {
            owned.release();
            refuse(
                    PeerFault.Kind.MALFORMED,
                    "the variable header has neither payload nor padding",
                    out);
        } else {
            stage = Stage.RELAY;
            owned.consume(address + 2 + padding);
            out.open(reader.destination(), user == null ? null : user.name());
            if (owned.isEmpty()) {
                owned.release();
            } else {
                out.deliver(owned);
            }
        }
    }

    @Override
    void onBrokenChunk(PeerFault fault, Effects out) {
        fail(fault, stage == Stage.RELAY ? Farewell.RESET : acceptance.badPeer(), out);
    }

    private boolean refuse(PeerFault.Kind kind, String reason, Effects out) {
        fail(new PeerFault(kind, "shadowsocks: " + reason), acceptance.badPeer(), out);
        return false;
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (stage == Stage.RELAY) {
            endPayload(out);
        } else if (stage == Stage.EXPECT_FIXED && !isMidway()) {
            out.close();
        } else {
            fail(truncated(), acceptance.badPeer(), out);
        }
    }

    @Override
    public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
        if (outcome != OpenOutcome.OK) {
            out.close();
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        AeadKey key = sealKey;
        byte[] salt = requestSalt;
        Credential known = user;
        if (key != null) {
            sendChunks(key, owned, out);
        } else if (salt == null || known == null || owned.isEmpty()) {
            owned.release();
        } else {
            sendFirst(known, salt, owned, out);
        }
    }

    /// The fixed header of a response is the length of the first payload at the same time (SIP022
    /// §3.1.4).
    private void sendFirst(Credential known, byte[] salt, Buf owned, Effects out) {
        int headerBytes = Wire.REQUEST_HEADER_BYTES + salt.length;
        int firstBytes = Math.min(owned.length(), payloadBytesMax());
        Buf header = out.acquire(headerBytes);
        header.put(Wire.TYPE_RESPONSE);
        header.putLong(loop.wall().epochSeconds());
        header.put(salt);
        header.putShort(firstBytes);
        Buf first =
                out.acquire(
                        salt.length + headerBytes + Wire.TAG_BYTES + sealedBytes(owned.length()));
        AeadKey key = beginSealing(known, first);
        sealRecord(key, header.array(), header.start(), headerBytes, first);
        header.release();
        sealRecord(key, owned.array(), owned.start(), firstBytes, first);
        sealChunks(key, owned.array(), owned.start() + firstBytes, owned.end(), first);
        owned.release();
        requestSalt = null;
        out.send(first);
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        out.end();
    }
}
