package sluice.lab.engine;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.config.Secret;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;

/// A toy protocol with all that matters to an engine: a handshake, framing, a key stream that
/// notices lost and misplaced bytes, and an end of its own. A frame is a big-endian u16 and that
/// many bytes, each xored with the next of the key stream; an empty frame ends the payload. The
/// first frame of a client says `host port user`, the first of a server is one byte: the outcome.
final class Xor {

    private static final int FRAME_BYTES_MAX = 16_000;

    private Xor() {}

    /// The accepting side.
    ///
    /// @param users who may come in
    /// @param secret what all of them are said to have shown
    record In(Set<String> users, String secret) implements Inbound {

        In(Set<String> users) {
            this(users, "");
        }

        @Override
        public boolean acceptsStreams() {
            return true;
        }

        @Override
        public boolean acceptsDatagrams() {
            return false;
        }

        @Override
        public boolean isUserKnown(String user) {
            return users.contains(user);
        }

        @Override
        public Secret secretOrNull(@Nullable String user) {
            return Secret.of(secret);
        }

        @Override
        public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
            return new Server(users);
        }
    }

    /// The dialling side.
    ///
    /// @param server where the accepting side is
    /// @param user who comes
    record Out(Destination server, String user) implements Outbound {

        @Override
        public StreamMachine dialStream(LoopServices loop, Destination target) {
            return new Client(target, user);
        }

        @Override
        public Datagrams datagrams() {
            return Datagrams.NONE;
        }
    }

    /// The first bytes of a client.
    static byte[] hello(Destination target, String user) {
        byte[] body =
                (target.host() + " " + target.port() + " " + user).getBytes(StandardCharsets.UTF_8);
        byte[] hello = new byte[2 + body.length];
        hello[1] = (byte) body.length;
        System.arraycopy(body, 0, hello, 2, body.length);
        Side.crypt(hello, 2, body.length, 0);
        return hello;
    }

    /// What both sides share: frames in, frames out.
    private abstract static class Side implements StreamMachine {

        private int sealed;
        private int opened;
        boolean isOver;
        private boolean isEnded;

        /// A whole first frame.
        abstract boolean onFirst(byte[] body, Effects out);

        boolean isGreeted;

        @Override
        public final void onBytes(Buf in, long nowNanos, Effects out) {
            Buf payload = null;
            while (!isOver && in.length() >= 2 && in.length() >= 2 + in.unsignedShort(0)) {
                int length = in.unsignedShort(0);
                in.consume(2);
                if (!isGreeted) {
                    byte[] body = new byte[length];
                    System.arraycopy(in.array(), in.start(), body, 0, length);
                    in.consume(length);
                    opened = crypt(body, 0, length, opened);
                    isGreeted = true;
                    isOver = !onFirst(body, out);
                    continue;
                }
                if (length == 0) {
                    isEnded = true;
                    break;
                }
                if (payload == null) {
                    payload = out.acquire(in.length());
                }
                int at = payload.end();
                payload.put(in.array(), in.start(), length);
                in.consume(length);
                opened = crypt(payload.array(), at, length, opened);
            }
            if (payload != null) {
                out.deliver(payload);
            }
            if (isEnded) {
                in.consume(in.length());
                out.deliverEnd();
            }
        }

        @Override
        public final void onEnd(long nowNanos, Effects out) {
            if (!isEnded && !isOver) {
                isOver = true;
                out.fail(new PeerFault(PeerFault.Kind.TRUNCATED, "xor: cut off"), Farewell.RESET);
            }
        }

        @Override
        public final void onPayload(Buf owned, long nowNanos, Effects out) {
            int frames = Math.ceilDiv(owned.length(), FRAME_BYTES_MAX);
            Buf sealing = out.acquire(owned.length() + 2 * frames);
            while (!owned.isEmpty()) {
                int length = Math.min(FRAME_BYTES_MAX, owned.length());
                seal(owned.array(), owned.start(), length, sealing);
                owned.consume(length);
            }
            owned.release();
            out.send(sealing);
        }

        @Override
        public final void onPayloadEnd(long nowNanos, Effects out) {
            send(new byte[0], out);
            out.end();
        }

        final void send(byte[] body, Effects out) {
            Buf frame = out.acquire(2 + body.length);
            seal(body, 0, body.length, frame);
            out.send(frame);
        }

        private void seal(byte[] body, int offset, int length, Buf into) {
            into.putShort(length);
            int at = into.end();
            into.put(body, offset, length);
            sealed = crypt(into.array(), at, length, sealed);
        }

        static int crypt(byte[] array, int offset, int length, int from) {
            int key = from;
            for (int i = offset; i < offset + length; i++) {
                array[i] ^= (byte) (key * 31 >>> 3);
                key++;
            }
            return key;
        }
    }

    private static final class Server extends Side {

        private final Set<String> users;

        Server(Set<String> users) {
            this.users = users;
        }

        @Override
        boolean onFirst(byte[] body, Effects out) {
            String[] words = new String(body, StandardCharsets.UTF_8).split(" ", 3);
            if (words.length != 3 || !users.contains(words[2])) {
                out.fail(
                        new PeerFault(PeerFault.Kind.UNAUTHENTICATED, "xor: stranger"),
                        Farewell.DRAIN);
                return false;
            }
            out.open(new Destination(Host.parse(words[0]), Integer.parseInt(words[1])), words[2]);
            return true;
        }

        @Override
        public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
            send(new byte[] {(byte) outcome.ordinal()}, out);
            if (outcome != OpenOutcome.OK) {
                isOver = true;
                out.close();
            }
        }
    }

    private static final class Client extends Side {

        private final Destination target;
        private final @Nullable String user;

        Client(Destination target, @Nullable String user) {
            this.target = target;
            this.user = user;
        }

        @Override
        public void onStart(long nowNanos, Effects out) {
            send(
                    (target.host() + " " + target.port() + " " + user)
                            .getBytes(StandardCharsets.UTF_8),
                    out);
        }

        @Override
        boolean onFirst(byte[] body, Effects out) {
            OpenOutcome outcome = OpenOutcome.values()[body[0]];
            if (outcome == OpenOutcome.OK) {
                out.ready();
                return true;
            }
            out.refuse(outcome, "xor: the server says " + outcome);
            return false;
        }
    }
}
