package sluice.protocol.socks;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.access.Access;
import sluice.protocol.access.EarlyPayload;

/// The server's side of SOCKS 4 and 4a. BIND is refused.
///
///     ExpectRequest ──► Connecting ──► Over (transparent)
final class Socks4Server implements StreamMachine {

    private enum State {
        EXPECT_REQUEST,
        CONNECTING,
        OVER
    }

    private static final int MORE = -1;
    private static final int TOO_LONG = -2;

    private final Access access;
    private State state = State.EXPECT_REQUEST;

    Socks4Server(SocksServerOptions options) {
        this.access = options.access();
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (state == State.EXPECT_REQUEST) {
            state = onRequest(in, out);
        }
        switch (state) {
            case EXPECT_REQUEST -> {}
            case CONNECTING -> EarlyPayload.deliver(in, out);
            case OVER -> in.consume(in.length());
        }
    }

    @Override
    public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
        if (state == State.OVER) {
            return;
        }
        state = State.OVER;
        if (outcome != OpenOutcome.OK && access.earlyReply()) {
            out.fail(SocksFaults.unreachable(outcome), Farewell.RESET);
            return;
        }
        if (!access.earlyReply()) {
            boolean isOpen = outcome == OpenOutcome.OK;
            Socks4Wire.sendReply(isOpen ? Socks4Wire.GRANTED : Socks4Wire.REJECTED, out);
        }
        if (outcome == OpenOutcome.OK) {
            out.becomeTransparent();
        } else {
            out.close();
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        switch (state) {
            case EXPECT_REQUEST -> {
                state = State.OVER;
                out.fail(SocksFaults.truncated(), Farewell.FIN);
            }
            case CONNECTING -> out.deliverEnd();
            case OVER -> {}
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

    private State onRequest(Buf in, Effects out) {
        if (in.length() < Socks4Wire.USER_OFFSET) {
            return State.EXPECT_REQUEST;
        }
        if (in.unsigned(1) != Socks4Wire.COMMAND_CONNECT) {
            return refuse(PeerFault.Kind.UNSUPPORTED, "socks4: unsupported command", out);
        }
        int port = in.unsignedShort(Socks4Wire.PORT_OFFSET);
        IpAddress address = IpAddress.of(in.array(), in.start() + Socks4Wire.ADDRESS_OFFSET, 4);
        if (address.isAny()) {
            return refuse(PeerFault.Kind.MALFORMED, "socks4: 0.0.0.0 is no target", out);
        }
        int userEnd = endOfText(in, Socks4Wire.USER_OFFSET);
        if (userEnd == MORE) {
            return State.EXPECT_REQUEST;
        }
        if (userEnd == TOO_LONG) {
            return refuse(PeerFault.Kind.TOO_LARGE, "socks4: user name over 255 bytes", out);
        }
        Host host = address;
        int end = userEnd;
        if (address.low() >>> 8 == 0) {
            end = endOfText(in, userEnd + 1);
            if (end == MORE) {
                return State.EXPECT_REQUEST;
            }
            if (end == TOO_LONG) {
                return refuse(PeerFault.Kind.TOO_LARGE, "socks4: host name over 255 bytes", out);
            }
            host = hostOrNull(in, userEnd + 1, end);
            if (host == null) {
                return refuse(
                        PeerFault.Kind.MALFORMED,
                        "socks4: the host name is empty or not a name",
                        out);
            }
        }
        String user = null;
        if (!access.users().isEmpty()) {
            // There is no password on the wire, so only a user with an empty one can be meant.
            int offset = in.start() + Socks4Wire.USER_OFFSET;
            user =
                    access.users()
                            .nameOrNull(
                                    in.array(),
                                    offset,
                                    userEnd - Socks4Wire.USER_OFFSET,
                                    offset,
                                    0);
            if (user == null) {
                return refuse(
                        PeerFault.Kind.UNAUTHENTICATED,
                        "socks4: no user of that name without a password",
                        out);
            }
        }
        in.consume(end + 1);
        if (access.earlyReply()) {
            Socks4Wire.sendReply(Socks4Wire.GRANTED, out);
        }
        out.open(new Destination(host, port), user);
        return State.CONNECTING;
    }

    /// Index of the NUL that ends the text at `from`, or [#MORE], or [#TOO_LONG].
    private static int endOfText(Buf in, int from) {
        int last = Math.min(in.length(), from + Socks4Wire.TEXT_BYTES_MAX + 1);
        for (int i = from; i < last; i++) {
            if (in.unsigned(i) == 0) {
                return i;
            }
        }
        return last == from + Socks4Wire.TEXT_BYTES_MAX + 1 ? TOO_LONG : MORE;
    }

    private static @Nullable Host hostOrNull(Buf in, int from, int to) {
        String text = new String(in.array(), in.start() + from, to - from, StandardCharsets.UTF_8);
        if (text.indexOf('\ufffd') >= 0) {
            return null;
        }
        try {
            return Host.parse(text);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static State refuse(PeerFault.Kind kind, String reason, Effects out) {
        Socks4Wire.sendReply(Socks4Wire.REJECTED, out);
        out.fail(new PeerFault(kind, reason), Farewell.FIN);
        return State.OVER;
    }
}
