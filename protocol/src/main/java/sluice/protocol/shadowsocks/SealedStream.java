package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.StreamMachine;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.AeadKey;
import sluice.secure.crypto.Ciphers;

/// The part that all encrypted streams share once their keys are known: chunks, in batches.
///
///     chunk = AEAD(length u16be) | AEAD(payload)          SIP004 "TCP", SIP022 §3.1.2
///
/// One call of [#onBytes] opens every complete chunk there is into one buffer; one call of [#onPayload]
/// seals everything into one buffer, in chunks as full as the edition allows. Nothing is
/// allocated per chunk but what the JDK's cipher allocates. Nonces count AEAD operations, from 0, each
/// direction for itself.
///
/// Subclasses do the handshakes; they set [#openKey] and [#sealKey]. Owned by one loop thread.
abstract class SealedStream implements StreamMachine {

    /// What stands at the front of the input.
    private static final int INCOMPLETE = 0;

    private static final int CHUNK = 1;
    private static final int WRONG_TAG = -1;
    private static final int TOO_LONG = -2;
    private static final int EMPTY = -3;

    final LoopServices loop;
    final Method method;

    /// Opens what the peer sends; null until its salt came.
    @Nullable AeadKey openKey;

    /// Seals what the peer gets; null until the first payload.
    @Nullable AeadKey sealKey;

    private long openCounter;
    private long sealCounter;

    /// Payload bytes of the chunk whose length was opened already, or -1.
    private int pending = -1;

    private int emptyChunks;

    /// Whether the peer stopped in the middle of something, as far as it was heard.
    private boolean isMidway;

    private boolean isOver;

    SealedStream(LoopServices loop, Method method) {
        this.loop = loop;
        this.method = method;
    }

    final Ciphers ciphers() {
        return loop.ciphers();
    }

    // Opening.

    /// Opens a record that is no chunk, such as a header, and writes it behind what is in `into`.
    /// Returns false where the tag is wrong.
    final boolean openRecord(AeadKey key, byte[] in, int offset, int sealedBytes, Buf into) {
        int bytes =
                ciphers()
                        .open(
                                key,
                                openCounter++,
                                in,
                                offset,
                                sealedBytes,
                                into.array(),
                                into.end());
        if (bytes < 0) {
            return false;
        }
        into.extend(bytes);
        return true;
    }

    /// A header told the payload bytes of the chunk that comes next.
    final void expectPayload(int bytes) {
        pending = bytes;
    }

    /// Opens the lengths and payloads at the front of `in`, as far as they are complete, into one
    /// buffer that [#onOpenedPayload] gets. Afterwards reports what was wrong, if anything, to
    /// [#onBrokenChunk].
    final void openChunks(Buf in, long nowNanos, Effects out) {
        AeadKey key = openKey;
        if (key == null) {
            throw new AssertionError("no key yet");
        }
        int front = nextChunk(key, in);
        if (front == CHUNK) {
            Buf payload = out.acquire(in.length());
            do {
                front = openPayload(key, in, payload);
            } while (front == CHUNK);
            if (payload.isEmpty()) {
                payload.release();
            } else {
                onOpenedPayload(payload, nowNanos, out);
            }
        }
        isMidway = pending >= 0 || !in.isEmpty();
        if (front < 0 && !isOver) {
            onBrokenChunk(faultOf(front), out);
        }
    }

    private int nextChunk(AeadKey key, Buf in) {
        if (pending < 0) {
            if (in.length() < Wire.LENGTH_BYTES) {
                return INCOMPLETE;
            }
            int length = ciphers().openShort(key, openCounter++, in.array(), in.start());
            if (length < 0) {
                return WRONG_TAG;
            }
            if (length == 0 && (method.is2022() || ++emptyChunks > Wire.EMPTY_CHUNKS_MAX)) {
                return EMPTY;
            }
            if (length > payloadBytesMax()) {
                return TOO_LONG;
            }
            in.consume(Wire.LENGTH_BYTES);
            pending = length;
        }
        return in.length() >= pending + Wire.TAG_BYTES ? CHUNK : INCOMPLETE;
    }

    private int openPayload(AeadKey key, Buf in, Buf payload) {
        int sealed = pending + Wire.TAG_BYTES;
        if (!openRecord(key, in.array(), in.start(), sealed, payload)) {
            return WRONG_TAG;
        }
        if (pending > 0) {
            emptyChunks = 0;
        }
        in.consume(sealed);
        pending = -1;
        return nextChunk(key, in);
    }

    private static PeerFault faultOf(int front) {
        return switch (front) {
            case WRONG_TAG ->
                    new PeerFault(
                            PeerFault.Kind.UNAUTHENTICATED,
                            "shadowsocks: a chunk does not authenticate (wrong key, or damaged)");
            case TOO_LONG ->
                    new PeerFault(
                            PeerFault.Kind.TOO_LARGE,
                            "shadowsocks: a chunk is longer than "
                                    + Wire.AEAD_PAYLOAD_BYTES_MAX
                                    + " bytes");
            default -> new PeerFault(PeerFault.Kind.MALFORMED, "shadowsocks: empty chunks");
        };
    }

    /// Payload from the peer. Takes `owned`, which is not empty.
    void onOpenedPayload(Buf owned, long nowNanos, Effects out) {
        out.deliver(owned);
    }

    /// A chunk was wrong; whatever was right before it has been handed on.
    void onBrokenChunk(PeerFault fault, Effects out) {
        fail(fault, Farewell.RESET, out);
    }

    /// Ends the stream, once.
    final void fail(PeerFault fault, Farewell farewell, Effects out) {
        isOver = true;
        out.fail(fault, farewell);
    }

    /// Notes that what is left in `in` is the beginning of something.
    final void noteMidway(Buf in) {
        isMidway = !in.isEmpty();
    }

    /// Whether the peer stopped in the middle of something, as far as it was heard.
    final boolean isMidway() {
        return isMidway;
    }

    /// The peer's end behind the handshake: a half-close on a chunk's boundary, else a cut.
    final void endPayload(Effects out) {
        if (isMidway) {
            fail(truncated(), Farewell.RESET, out);
        } else {
            out.deliverEnd();
        }
    }

    static PeerFault truncated() {
        return new PeerFault(
                PeerFault.Kind.TRUNCATED, "shadowsocks: the stream ended in the middle of a chunk");
    }

    // Sealing.

    /// Most payload bytes of a chunk.
    final int payloadBytesMax() {
        return method.is2022() ? Wire.PAYLOAD_BYTES_MAX_2022 : Wire.AEAD_PAYLOAD_BYTES_MAX;
    }

    /// Bytes that `payloadBytes` take in chunks.
    final int sealedBytes(int payloadBytes) {
        int chunks = Math.ceilDiv(payloadBytes, payloadBytesMax());
        return payloadBytes + chunks * Wire.CHUNK_OVERHEAD_BYTES;
    }

    /// Draws a salt, appends it to `into` and derives the key that seals what follows.
    final AeadKey beginSealing(Credential credential, Buf into) {
        int at = into.end();
        loop.entropy().fill(into.array(), at, method.keyBytes());
        into.extend(method.keyBytes());
        AeadKey key = Subkeys.ofSalt(ciphers(), method, credential, into.array(), at);
        sealKey = key;
        return key;
    }

    /// Seals a record that is no chunk and appends it to `into`.
    final void sealRecord(AeadKey key, byte[] in, int offset, int bytes, Buf into) {
        into.extend(
                ciphers().seal(key, sealCounter++, in, offset, bytes, into.array(), into.end()));
    }

    /// Seals `[from, to)` of `in` in full chunks and appends them to `into`.
    final void sealChunks(AeadKey key, byte[] in, int from, int to, Buf into) {
        Ciphers ciphers = ciphers();
        byte[] array = into.array();
        int end = into.end();
        int max = payloadBytesMax();
        for (int at = from; at < to; ) {
            int bytes = Math.min(max, to - at);
            end += ciphers.sealShort(key, sealCounter++, bytes, array, end);
            end += ciphers.seal(key, sealCounter++, in, at, bytes, array, end);
            at += bytes;
        }
        into.range(into.start(), end);
    }

    /// Seals all of `owned` into one buffer and sends it. Takes `owned`.
    final void sendChunks(AeadKey key, Buf owned, Effects out) {
        if (!owned.isEmpty()) {
            Buf sealed = out.acquire(sealedBytes(owned.length()));
            sealChunks(key, owned.array(), owned.start(), owned.end(), sealed);
            out.send(sealed);
        }
        owned.release();
    }
}
