package sluice.protocol.socks;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.protocol.access.EarlyPayload;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;

/// The server's side of SOCKS5, RFC 1928 §3 to §7 and RFC 1929. Only [#onBytes] and the answers of the
/// engine assign `state`.
///
///     ExpectGreeting ──► ExpectCredentials ──► ExpectRequest ──► Connecting ──► Over (transparent)
///             └──────────────────────────────────────▲  └──► Associating ──► Holding ──► Over
final class Socks5Server implements StreamMachine {

    private sealed interface State {
        record ExpectGreeting() implements State {}

        /// @param isChecked whether users are configured; otherwise any credentials do
        record ExpectCredentials(boolean isChecked) implements State {}

        record ExpectRequest(@Nullable String user) implements State {}

        record Connecting() implements State {}

        record Associating() implements State {}

        /// The association is there; the stream stays, carries nothing more, and takes it along
        /// when it ends.
        record Holding() implements State {}

        record Over() implements State {}
    }

    private static final State HOLDING = new State.Holding();
    private static final State OVER = new State.Over();

    private final SocksServerOptions options;
    private final Endpoint client;
    private State state = new State.ExpectGreeting();

    /// @param client the peer of the connection
    Socks5Server(SocksServerOptions options, Endpoint client) {
        this.options = options;
        this.client = client;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        State before;
        do {
            before = state;
            state =
                    switch (before) {
                        case State.ExpectGreeting s -> onGreeting(s, in, out);
                        case State.ExpectCredentials s -> onCredentials(s, in, out);
                        case State.ExpectRequest s -> onRequest(s, in, out);
                        case State.Connecting s -> {
                            EarlyPayload.deliver(in, out);
                            yield s;
                        }
                        case State.Associating s -> discard(s, in);
                        case State.Holding s -> discard(s, in);
                        case State.Over s -> discard(s, in);
                    };
        } while (state != before);
    }

    @Override
    public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
        if (state instanceof State.Over) {
            return;
        }
        boolean isAnswered = options.access().earlyReply() && state instanceof State.Connecting;
        state = OVER;
        if (isAnswered && outcome != OpenOutcome.OK) {
            // A clean end would look like an empty answer of the target.
            out.fail(SocksFaults.unreachable(outcome), Farewell.RESET);
            return;
        }
        if (!isAnswered) {
            Socks5Wire.sendReply(Socks5Wire.codeFor(outcome), out);
        }
        if (outcome == OpenOutcome.OK) {
            out.becomeTransparent();
        } else {
            out.close();
        }
    }

    @Override
    public void onAssociated(Endpoint bound, long nowNanos, Effects out) {
        if (state instanceof State.Associating) {
            IpAddress advertised = options.udpAdvertise();
            Destination told =
                    new Destination(
                            advertised == null ? bound.address() : advertised, bound.port());
            state = HOLDING;
            Socks5Wire.sendReply(Socks5Wire.SUCCEEDED, told, out);
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        switch (state) {
            case State.ExpectGreeting _, State.ExpectCredentials _, State.ExpectRequest _ -> {
                state = OVER;
                out.fail(SocksFaults.truncated(), Farewell.FIN);
            }
            case State.Connecting _ -> out.deliverEnd();
            // RFC 1928 §7: the association ends with its control connection.
            case State.Associating _, State.Holding _ -> {
                state = OVER;
                out.close();
            }
            case State.Over _ -> {}
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

    private State onGreeting(State.ExpectGreeting s, Buf in, Effects out) {
        if (in.isEmpty()) {
            return s;
        }
        if (in.unsigned(0) != Socks5Wire.VERSION) {
            return fail(PeerFault.Kind.MALFORMED, "socks: the greeting is not version 5", out);
        }
        if (in.length() < 2 || in.length() < 2 + in.unsigned(1)) {
            return s;
        }
        int count = in.unsigned(1);
        boolean none = false;
        boolean password = false;
        for (int i = 0; i < count; i++) {
            int method = in.unsigned(2 + i);
            none |= method == Socks5Wire.METHOD_NONE;
            password |= method == Socks5Wire.METHOD_PASSWORD;
        }
        in.consume(2 + count);
        boolean isOpen = options.access().users().isEmpty();
        if (isOpen && none) {
            Socks5Wire.sendPair(Socks5Wire.VERSION, Socks5Wire.METHOD_NONE, out);
            return new State.ExpectRequest(null);
        }
        if (password) {
            Socks5Wire.sendPair(Socks5Wire.VERSION, Socks5Wire.METHOD_PASSWORD, out);
            return new State.ExpectCredentials(!isOpen);
        }
        Socks5Wire.sendPair(Socks5Wire.VERSION, Socks5Wire.METHOD_UNACCEPTABLE, out);
        return fail(
                isOpen ? PeerFault.Kind.UNSUPPORTED : PeerFault.Kind.UNAUTHENTICATED,
                "socks: no acceptable authentication method offered",
                out);
    }

    private State onCredentials(State.ExpectCredentials s, Buf in, Effects out) {
        if (in.isEmpty()) {
            return s;
        }
        if (in.unsigned(0) != Socks5Wire.PASSWORD_VERSION) {
            Socks5Wire.sendPair(Socks5Wire.PASSWORD_VERSION, Socks5Wire.PASSWORD_WRONG, out);
            return fail(PeerFault.Kind.MALFORMED, "socks: password message is not version 1", out);
        }
        if (in.length() < 2 || in.length() < 3 + in.unsigned(1)) {
            return s;
        }
        int nameBytes = in.unsigned(1);
        int passwordBytes = in.unsigned(2 + nameBytes);
        int bytes = 3 + nameBytes + passwordBytes;
        if (in.length() < bytes) {
            return s;
        }
        String user = null;
        if (s.isChecked) {
            user =
                    options.access()
                            .users()
                            .nameOrNull(
                                    in.array(),
                                    in.start() + 2,
                                    nameBytes,
                                    in.start() + 3 + nameBytes,
                                    passwordBytes);
            if (user == null) {
                in.consume(bytes);
                Socks5Wire.sendPair(Socks5Wire.PASSWORD_VERSION, Socks5Wire.PASSWORD_WRONG, out);
                return fail(
                        PeerFault.Kind.UNAUTHENTICATED, "socks: wrong user name or password", out);
            }
        }
        in.consume(bytes);
        Socks5Wire.sendPair(Socks5Wire.PASSWORD_VERSION, Socks5Wire.PASSWORD_OK, out);
        return new State.ExpectRequest(user);
    }

    private State onRequest(State.ExpectRequest s, Buf in, Effects out) {
        if (in.isEmpty()) {
            return s;
        }
        if (in.unsigned(0) != Socks5Wire.VERSION) {
            return fail(PeerFault.Kind.MALFORMED, "socks: the request is not version 5", out);
        }
        if (in.length() <= Socks5Wire.ADDRESS_OFFSET) {
            return s;
        }
        int command = in.unsigned(1);
        boolean isAssociate = command == Socks5Wire.COMMAND_ASSOCIATE;
        if (command != Socks5Wire.COMMAND_CONNECT && !isAssociate
                || isAssociate && !options.udp()) {
            return refuse(
                    Socks5Wire.COMMAND_UNSUPPORTED,
                    PeerFault.Kind.UNSUPPORTED,
                    isAssociate ? "socks: UDP is switched off" : "socks: unsupported command",
                    out);
        }
        DestinationReader reader = new DestinationReader(AddressForm.SOCKS);
        int bytes = reader.read(in, Socks5Wire.ADDRESS_OFFSET);
        if (bytes == DestinationReader.INCOMPLETE) {
            return s;
        }
        if (bytes == DestinationReader.UNKNOWN_TYPE) {
            return refuse(
                    Socks5Wire.ADDRESS_TYPE_UNSUPPORTED,
                    PeerFault.Kind.UNSUPPORTED,
                    "socks: unknown address type",
                    out);
        }
        if (bytes < 0) {
            return refuse(
                    Socks5Wire.GENERAL_FAILURE,
                    PeerFault.Kind.MALFORMED,
                    "socks: the host name is empty or not a name",
                    out);
        }
        in.consume(Socks5Wire.ADDRESS_OFFSET + bytes);
        if (isAssociate) {
            // The address in the request says from where the client thinks it will send; clients
            // put targets,
            // loopback and zeros there, so it decides nothing.
            out.associate(
                    new Socks5Datagrams(client.address(), s.user, options.udpSourceCheck()),
                    s.user);
            return new State.Associating();
        }
        if (options.access().earlyReply()) {
            Socks5Wire.sendReply(Socks5Wire.SUCCEEDED, out);
        }
        out.open(reader.destination(), s.user);
        return new State.Connecting();
    }

    private static State refuse(int code, PeerFault.Kind kind, String reason, Effects out) {
        Socks5Wire.sendReply(code, out);
        return fail(kind, reason, out);
    }

    private static State fail(PeerFault.Kind kind, String reason, Effects out) {
        out.fail(new PeerFault(kind, reason), Farewell.FIN);
        return OVER;
    }

    private static State discard(State s, Buf in) {
        in.consume(in.length());
        return s;
    }
}
