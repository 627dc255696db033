package sluice.protocol.socks;

import java.nio.charset.StandardCharsets;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;

/// The client's side of SOCKS 4 and 4a. IPv6 targets cannot be written; names can in 4a alone.
///
///     EXPECT_REPLY ──► OVER (transparent)
final class Socks4Client implements StreamMachine {

    private enum State {
        EXPECT_REPLY,
        OVER
    }

    private final Destination target;
    private final String user;
    private final boolean mayName;
    private State state = State.EXPECT_REPLY;

    /// @param user empty where none is configured
    /// @param mayName whether the server knows 4a
    Socks4Client(Destination target, String user, boolean mayName) {
        this.target = target;
        this.user = user;
        this.mayName = mayName;
    }

    @Override
    public void onStart(long nowNanos, Effects out) {
        switch (target.host()) {
            case IpAddress address -> {
                if (address.isV4()) {
                    sendRequest((int) address.low(), null, out);
                } else {
                    refuse("socks4: an IPv6 target cannot be written in version 4", out);
                }
            }
            case DomainName name -> {
                if (mayName) {
                    // 0.0.0.1: any non-zero last octet says that a name follows.
                    sendRequest(1, name.text(), out);
                } else {
                    refuse("socks4: a name cannot be written in version 4; use 4a or 5", out);
                }
            }
        }
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (state == State.OVER || in.isEmpty()) {
            return;
        }
        int version = in.unsigned(0);
        if (version != Socks4Wire.REPLY_VERSION && version != Socks4Wire.VERSION) {
            state = State.OVER;
            out.fail(
                    new PeerFault(PeerFault.Kind.MALFORMED, "socks4: the reply is not version 0"),
                    Farewell.FIN);
            return;
        }
        if (in.length() < 2) {
            return;
        }
        int code = in.unsigned(1);
        if (code != Socks4Wire.GRANTED) {
            // Some servers send four bytes of a failure; the code is what counts.
            refuse("socks4: the server replied " + code, out);
        } else if (in.length() >= Socks4Wire.REPLY_BYTES) {
            in.consume(Socks4Wire.REPLY_BYTES);
            state = State.OVER;
            out.becomeTransparent();
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (state != State.OVER) {
            state = State.OVER;
            out.fail(SocksFaults.truncated(), Farewell.FIN);
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        owned.release();
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {}

    private void sendRequest(
            int address, @org.jspecify.annotations.Nullable String name, Effects out) {
        byte[] userBytes = user.getBytes(StandardCharsets.UTF_8);
        byte[] nameBytes = name == null ? new byte[0] : name.getBytes(StandardCharsets.UTF_8);
        Buf request = out.acquire(Socks4Wire.USER_OFFSET + userBytes.length + nameBytes.length + 2);
        request.put(Socks4Wire.VERSION);
        request.put(Socks4Wire.COMMAND_CONNECT);
        request.putShort(target.port());
        request.putShort(address >>> 16);
        request.putShort(address);
        request.put(userBytes);
        request.put(0);
        if (name != null) {
            request.put(nameBytes);
            request.put(0);
        }
        out.send(request);
    }

    private void refuse(String reason, Effects out) {
        state = State.OVER;
        out.refuse(OpenOutcome.FAILED, reason);
    }
}
