package sluice.base.machine;

import sluice.base.buf.Buf;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.time.Deadline;

/// One layer of a stream, between the peer below it and the payload above it. It owns no socket,
/// thread, clock or random source: bytes and time come in, intentions go out through [Effects]. All
/// calls come from the one loop thread that owns the stream; every method may use `out` freely,
/// also to call back synchronously into the layers around it, but the machine itself is never
/// re-entered.
///
/// A machine never blocks and never throws on what a peer sent: it calls [Effects#fail]. After
/// `fail`, `close` or `becomeTransparent` it is not called again, except for payload that it must
/// release (none arrives after `becomeTransparent`).
///
/// Stacks: the lowest layer talks to the socket, the highest to the flow. The bytes a layer sends
/// are payload of the layer below; what it delivers are the bytes of the layer above.
public interface StreamMachine {

    /// The layer below is connected (dialling side) or accepted (accepting side). Called once,
    /// first.
    default void onStart(long nowNanos, Effects out) {}

    /// Bytes from the peer. Borrows `in`: consumes what it can from the front; what it leaves is
    /// offered again together with later bytes. Full batches: all complete records, not only the
    /// first.
    void onBytes(Buf in, long nowNanos, Effects out);

    /// The peer sends no more; all it sent was offered. Unconsumed bytes are lost after this call.
    void onEnd(long nowNanos, Effects out);

    /// Payload for the peer, from the other leg or the layer above. Takes `owned`; what cannot be
    /// used yet goes to [Effects#putBack]. The engine calls it only between [Effects#ready] and
    /// [Effects#end] (accepting side: after [#onOpened] said OK).
    void onPayload(Buf owned, long nowNanos, Effects out);

    /// No more payload will come for the peer. The usual answer is [Effects#end].
    void onPayloadEnd(long nowNanos, Effects out);

    /// Accepting side: the other leg broke off (reset, error, refused in mid-stream). Returns
    /// whether this machine has dealt with it, by an answer to its peer or by [Effects#detach];
    /// otherwise this leg is reset too, so that the peer does not take a part for the whole.
    default boolean onPayloadBroken(long nowNanos, Effects out) {
        return false;
    }

    /// Accepting side: how [Effects#open] or [Effects#openDatagrams] went.
    default void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {}

    /// Accepting side: [Effects#associate] succeeded; clients shall send datagrams to `bound`.
    default void onAssociated(Endpoint bound, long nowNanos, Effects out) {}

    /// A datagram for the peer, on streams that carry datagrams. Takes `owned`. `remote` is where
    /// it came from (accepting side) or where it shall go (dialling side).
    default void onDatagram(Destination remote, Buf owned, long nowNanos, Effects out) {
        owned.release();
    }

    /// The deadline last returned by [#deadlineNanos] has passed.
    default void onDeadline(long nowNanos, Effects out) {}

    /// When to call [#onDeadline], on the scale of `nowNanos`; [Deadline#NONE] for never. The
    /// engine asks after every call into the machine.
    default long deadlineNanos() {
        return Deadline.NONE;
    }
}
