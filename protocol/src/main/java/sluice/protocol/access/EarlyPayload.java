package sluice.protocol.access;

import sluice.base.buf.Buf;
import sluice.base.machine.Effects;

/// Payload that a client sends before its stream is open. It is delivered at once and waits at the
/// other leg, so that it survives a client that ends its side early.
public final class EarlyPayload {

    private EarlyPayload() {}

    /// Consumes and delivers all of `in`. Borrows `in`.
    public static void deliver(Buf in, Effects out) {
        int bytes = in.length();
        if (bytes > 0) {
            Buf payload = out.acquire(bytes);
            payload.put(in.array(), in.start(), bytes);
            in.consume(bytes);
            out.deliver(payload);
        }
    }
}
