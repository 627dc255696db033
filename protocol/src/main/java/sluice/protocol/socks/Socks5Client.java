package sluice.protocol.socks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.IpAddress;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;

/// The client's side of SOCKS5, RFC 1928 and RFC 1929: a connection, or the control stream of an association.
/// Nothing is sent ahead of an answer; payload goes out after the success reply alone.
///
///     ExpectMethod ──► ExpectStatus ──► ExpectReply ──► Over (transparent)
///            └─────────────────────────────▲  └──► Holding ──► Over
final class Socks5Client implements StreamMachine {

    private enum State {
        EXPECT_METHOD,
        EXPECT_STATUS,
        EXPECT_REPLY,
        HOLDING,
        OVER
    }

    private final int command;
    private final Destination target;
    private final @Nullable Login login;
    private State state = State.EXPECT_METHOD;
    private @Nullable Destination bound;

    private Socks5Client(int command, Destination target, @Nullable Login login) {
        this.command = command;
        this.target = target;
        this.login = login;
    }

    /// A stream to `target`.
    static Socks5Client connect(Destination target, @Nullable Login login) {
        return new Socks5Client(Socks5Wire.COMMAND_CONNECT, target, login);
    }

    /// The control stream of an association. The request names 0.0.0.0:0: from where datagrams will
    /// come is not known.
    static Socks5Client associate(@Nullable Login login) {
        return new Socks5Client(
                Socks5Wire.COMMAND_ASSOCIATE, new Destination(IpAddress.ANY_V4, 0), login);
    }

    /// Where the server takes datagrams; known once the machine called `ready`.
    Destination bound() {
        Destination known = bound;
        if (known == null) {
            throw new AssertionError("the association is not ready");
        }
        return known;
    }

    @Override
    public void onStart(long nowNanos, Effects out) {
        Buf greeting = out.acquire(4);
        greeting.put(Socks5Wire.VERSION);
        greeting.put(login == null ? 1 : 2);
        greeting.put(Socks5Wire.METHOD_NONE);
        if (login != null) {
            greeting.put(Socks5Wire.METHOD_PASSWORD);
        }
        out.send(greeting);
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        State before;
        do {
            before = state;
            state =
                    switch (before) {
                        case EXPECT_METHOD -> onMethod(in, out);
                        case EXPECT_STATUS -> onStatus(in, out);
                        case EXPECT_REPLY -> onReply(in, out);
                        case HOLDING -> {
                            in.consume(in.length());
                            yield before;
                        }
                        // Behind a success reply stands payload, which is left to the engine.
                        case OVER -> before;
                    };
        } while (state != before);
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        State before = state;
        state = State.OVER;
        switch (before) {
            case EXPECT_METHOD, EXPECT_STATUS, EXPECT_REPLY ->
                    out.fail(SocksFaults.truncated(), Farewell.FIN);
            case HOLDING -> out.close();
            case OVER -> {}
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        owned.release();
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        if (state == State.HOLDING) {
            out.end();
        }
    }

    private State onMethod(Buf in, Effects out) {
        if (in.isEmpty()) {
            return State.EXPECT_METHOD;
        }
        if (in.unsigned(0) != Socks5Wire.VERSION) {
            return fail(PeerFault.Kind.MALFORMED, "socks: the server is not version 5", out);
        }
        if (in.length() < 2) {
            return State.EXPECT_METHOD;
        }
        int method = in.unsigned(1);
        if (method == Socks5Wire.METHOD_UNACCEPTABLE) {
            // What may follow does not matter: some servers go on as if nothing had happened.
            return fail(
                    PeerFault.Kind.UNAUTHENTICATED,
                    login == null
                            ? "socks: the server wants a user name and password"
                            : "socks: the server takes no user name and password",
                    out);
        }
        in.consume(2);
        if (method == Socks5Wire.METHOD_PASSWORD && login != null) {
            sendLogin(login, out);
            return State.EXPECT_STATUS;
        }
        if (method != Socks5Wire.METHOD_NONE) {
            return fail(
                    PeerFault.Kind.MALFORMED,
                    "socks: the server chose a method that was not offered",
                    out);
        }
        sendRequest(out);
        return State.EXPECT_REPLY;
    }

    private State onStatus(Buf in, Effects out) {
        if (in.length() < 2) {
            return State.EXPECT_STATUS;
        }
        // Servers differ in the version octet of this answer; the status alone decides.
        int status = in.unsigned(1);
        in.consume(2);
        if (status != Socks5Wire.PASSWORD_OK) {
            return fail(PeerFault.Kind.UNAUTHENTICATED, "socks: wrong user name or password", out);
        }
        sendRequest(out);
        return State.EXPECT_REPLY;
    }

    private State onReply(Buf in, Effects out) {
        if (in.isEmpty()) {
            return State.EXPECT_REPLY;
        }
        if (in.unsigned(0) != Socks5Wire.VERSION) {
            return fail(PeerFault.Kind.MALFORMED, "socks: the reply is not version 5", out);
        }
        if (in.length() < 2) {
            return State.EXPECT_REPLY;
        }
        int code = in.unsigned(1);
        if (code != Socks5Wire.SUCCEEDED) {
            // Some servers leave out the address behind a failure.
            out.refuse(
                    Socks5Wire.outcomeFor(code),
                    "socks: the server replied " + code + " (" + Socks5Wire.nameOf(code) + ")");
            return State.OVER;
        }
        int bytes = replyBytes(in);
        if (bytes == DestinationReader.INCOMPLETE) {
            return State.EXPECT_REPLY;
        }
        if (bytes < 0) {
            return fail(PeerFault.Kind.MALFORMED, "socks: unknown address type in reply", out);
        }
        return command == Socks5Wire.COMMAND_ASSOCIATE
                ? onAssociated(in, bytes, out)
                : onConnected(in, bytes, out);
    }

    private State onConnected(Buf in, int bytes, Effects out) {
        in.consume(bytes);
        out.becomeTransparent();
        return State.OVER;
    }

    private State onAssociated(Buf in, int bytes, Effects out) {
        DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
        int read = reader.read(in, Socks5Wire.ADDRESS_OFFSET);
        in.consume(bytes);
        if (read < 0 || reader.destination().port() == 0) {
            return fail(PeerFault.Kind.MALFORMED, "socks: no usable relay address", out);
        }
        bound = reader.destination();
        out.ready();
        return State.HOLDING;
    }

    /// Size of a whole reply by its address type alone: nobody needs the address of a connection,
    /// and some servers put odd names there.
    private static int replyBytes(Buf in) {
        int at = Socks5Wire.ADDRESS_OFFSET;
        if (in.length() < at + 2) {
            return DestinationReader.INCOMPLETE;
        }
        int type = in.unsigned(at);
        int bytes;
        if (type == AddressForm.SOCKS.ipv4()) {
            bytes = at + AddressForm.IPV4_BYTES;
        } else if (type == AddressForm.SOCKS.ipv6()) {
            bytes = at + AddressForm.IPV6_BYTES;
        } else if (type == AddressForm.SOCKS.name()) {
            bytes = at + 2 + in.unsigned(at + 1) + 2;
        } else {
            return DestinationReader.UNKNOWN_TYPE;
        }
        return in.length() < bytes ? DestinationReader.INCOMPLETE : bytes;
    }

    private static void sendLogin(Login login, Effects out) {
        byte[] name = login.name();
        byte[] password = login.password().revealBytes();
        Buf message = out.acquire(3 + name.length + password.length);
        message.put(Socks5Wire.PASSWORD_VERSION);
        message.put(name.length);
        message.put(name);
        message.put(password.length);
        message.put(password);
        out.send(message);
    }

    private void sendRequest(Effects out) {
        Buf request = out.acquire(Socks5Wire.ADDRESS_OFFSET + AddressForm.ENCODED_BYTES_MAX);
        request.put(Socks5Wire.VERSION);
        request.put(command);
        request.put(0);
        AddressForm.SOCKS.write(target, request);
        out.send(request);
    }

    private static State fail(PeerFault.Kind kind, String reason, Effects out) {
        out.fail(new PeerFault(kind, reason), Farewell.FIN);
        return State.OVER;
    }
}
