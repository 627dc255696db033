package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;

/// A relay of streams (SIP023 §2.1): takes its own identity block out and passes everything else on
/// untouched, both ways. It knows neither the user's key nor what is inside, so it looks for no
/// replay; the last server does.
final class IdentityRelay implements StreamMachine {

    private final LoopServices loop;
    private final Acceptance acceptance;
    private final Credential own;
    private boolean isAsked;
    private boolean isMidway;

    IdentityRelay(LoopServices loop, Acceptance acceptance, Credential own) {
        this.loop = loop;
        this.acceptance = acceptance;
        this.own = own;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (isAsked) {
            pass(in, in.length(), out);
            return;
        }
        int saltBytes = acceptance.method().keyBytes();
        if (in.length() < saltBytes + Wire.IDENTITY_BYTES) {
            isMidway = true;
            if (!acceptance.isSegmentedHeaderAllowed()) {
                refuse(PeerFault.Kind.MALFORMED, "the first read is shorter than a header", out);
            }
            return;
        }
        Credential named = namedOrNull(in, out);
        Destination next = named == null ? null : named.next();
        if (named == null || next == null) {
            refuse(PeerFault.Kind.UNAUTHENTICATED, "the identity header names no server", out);
            return;
        }
        isAsked = true;
        out.open(next, named.name());
        // Salt and rest go on without what stood between them.
        System.arraycopy(
                in.array(), in.start(), in.array(), in.start() + Wire.IDENTITY_BYTES, saltBytes);
        in.consume(Wire.IDENTITY_BYTES);
        pass(in, in.length(), out);
    }

    private @Nullable Credential namedOrNull(Buf in, Effects out) {
        Method method = acceptance.method();
        AeadKey key = Subkeys.ofIdentity(loop.ciphers(), method, own, in.array(), in.start());
        Buf block = out.acquire(Wire.IDENTITY_BYTES);
        int at = in.start() + method.keyBytes();
        loop.ciphers().decryptBlock(key, in.array(), at, block.array(), 0);
        Credential named =
                acceptance.userOrNull(
                        Wire.getLong(block.array(), 0), Wire.getLong(block.array(), 8));
        block.release();
        return named;
    }

    private static void pass(Buf in, int bytes, Effects out) {
        Buf payload = out.acquire(bytes);
        payload.put(in.array(), in.start(), bytes);
        in.consume(bytes);
        out.deliver(payload);
    }

    private void refuse(PeerFault.Kind kind, String reason, Effects out) {
        out.fail(new PeerFault(kind, "shadowsocks: " + reason), acceptance.badPeer());
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (isAsked) {
            out.deliverEnd();
        } else if (isMidway) {
            refuse(PeerFault.Kind.TRUNCATED, "the stream ended in the middle of a header", out);
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
