package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.IpAddress;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;

/// The accepting side of SIP004 streams.
///
///     ExpectSalt ──► ExpectAddress ──► Relay
///
/// Users are told apart by trying their keys on the first length, the one who last came from the same address
/// first. What fails before the address is complete ends as [Acceptance#badPeer] says.
final class AeadServer extends SealedStream {

    private enum Stage {
        EXPECT_SALT,
        EXPECT_ADDRESS,
        RELAY
    }

    private final Acceptance acceptance;
    private final IpAddress client;
    private Stage stage = Stage.EXPECT_SALT;
    private @Nullable Credential user;

    /// The beginning of an address that spreads over chunks; nobody is known to do that.
    private byte @Nullable [] head;

    AeadServer(LoopServices loop, Acceptance acceptance, IpAddress client) {
        super(loop, acceptance.method());
        this.acceptance = acceptance;
        this.client = client;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (stage == Stage.EXPECT_SALT && !takeSalt(in, nowNanos, out)) {
            noteMidway(in);
            return;
        }
        openChunks(in, nowNanos, out);
    }

    private boolean takeSalt(Buf in, long nowNanos, Effects out) {
        int saltBytes = method.keyBytes();
        if (in.length() < saltBytes + Wire.LENGTH_BYTES) {
            return false;
        }
        if (!findUser(in)) {
            refuse(PeerFault.Kind.UNAUTHENTICATED, "no user has this key", out);
            return false;
        }
        SeenSalts seen = acceptance.seenSalts();
        if (seen != null && !seen.add(in.array(), in.start(), saltBytes, nowNanos)) {
            refuse(PeerFault.Kind.UNAUTHENTICATED, "this salt was seen before", out);
            return false;
        }
        in.consume(saltBytes);
        stage = Stage.EXPECT_ADDRESS;
        return true;
    }

    private boolean findUser(Buf in) {
        Credential recent = acceptance.recentUserOrNull(client);
        if (recent != null && isKeyOf(recent, in)) {
            return true;
        }
        for (Credential each : acceptance.users()) {
            if (each != recent && isKeyOf(each, in)) {
                acceptance.remember(client, each);
                return true;
            }
        }
        return false;
    }

    private boolean isKeyOf(Credential each, Buf in) {
        AeadKey key = Subkeys.ofSalt(ciphers(), method, each, in.array(), in.start());
        if (ciphers().openShort(key, 0, in.array(), in.start() + method.keyBytes()) < 0) {
            return false;
        }
        user = each;
        openKey = key;
        return true;
    }

    @Override
    void onOpenedPayload(Buf owned, long nowNanos, Effects out) {
        if (stage == Stage.RELAY) {
            out.deliver(owned);
            return;
        }
        Buf all = withHead(owned, out);
        DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
        int bytes = reader.read(all, 0);
        if (bytes == DestinationReader.INCOMPLETE) {
            head = all.toBytes();
            all.release();
        } else if (bytes < 0) {
            all.release();
            refuse(PeerFault.Kind.MALFORMED, "the address does not parse", out);
        } else {
            stage = Stage.RELAY;
            all.consume(bytes);
            out.open(reader.destination(), user == null ? null : user.name());
            if (all.isEmpty()) {
                all.release();
            } else {
                out.deliver(all);
            }
        }
    }

    private Buf withHead(Buf owned, Effects out) {
        byte[] before = head;
        if (before == null) {
            return owned;
        }
        head = null;
        Buf all = out.acquire(before.length + owned.length());
        all.put(before);
        all.put(owned.array(), owned.start(), owned.length());
        owned.release();
        return all;
    }

    @Override
    void onBrokenChunk(PeerFault fault, Effects out) {
        if (stage == Stage.RELAY) {
            super.onBrokenChunk(fault, out);
        } else {
            fail(fault, acceptance.badPeer(), out);
        }
    }

    private void refuse(PeerFault.Kind kind, String reason, Effects out) {
        fail(new PeerFault(kind, "shadowsocks: " + reason), acceptance.badPeer(), out);
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (stage == Stage.RELAY) {
            endPayload(out);
        } else if (stage == Stage.EXPECT_SALT && !isMidway()) {
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
        if (key != null) {
            sendChunks(key, owned, out);
            return;
        }
        Credential known = user;
        if (known == null || owned.isEmpty()) {
            owned.release();
            return;
        }
        Buf first = out.acquire(method.keyBytes() + sealedBytes(owned.length()));
        key = beginSealing(known, first);
        sealChunks(key, owned.array(), owned.start(), owned.end(), first);
        owned.release();
        out.send(first);
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        out.end();
    }
}
