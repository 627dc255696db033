package sluice.protocol.uot;

import org.jspecify.annotations.Nullable;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Effects;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.time.Deadline;
import sluice.protocol.address.AddressForm;
import sluice.protocol.address.DestinationReader;

/// The accepting side of UDP over TCP; the highest layer of an inbound's leg. One stream is one UDP session.
///
///     EXPECT_REQUEST (version 2) ──► PACKETS or CONNECTED ──► OVER
final class UotServer implements StreamMachine {

    private enum State {
        EXPECT_REQUEST,
        PACKETS,
        CONNECTED,
        OVER
    }

    /// Chosen: the first packet comes when the client's application sends one; as long as an idle
    /// UDP session may live elsewhere.
    private static final long FIRST_PACKET_NANOS = 300_000_000_000L;

    private final @Nullable String user;
    private final DestinationReader reader = new DestinationReader(AddressForm.UDP_OVER_TCP);
    private State state;
    private @Nullable Destination target;
    private boolean isOpening;
    private long deadlineNanos = Deadline.NONE;

    /// @param version 1 or 2
    UotServer(int version, @Nullable String user) {
        this.user = user;
        this.state = version == UotWire.VERSION_1 ? State.PACKETS : State.EXPECT_REQUEST;
    }

    @Override
    public void onStart(long nowNanos, Effects out) {
        deadlineNanos = nowNanos + FIRST_PACKET_NANOS;
    }

    @Override
    public void onBytes(Buf in, long nowNanos, Effects out) {
        if (state == State.EXPECT_REQUEST) {
            readRequest(in, out);
        }
        switch (state) {
            case EXPECT_REQUEST -> {}
            case PACKETS -> readPackets(in, out);
            case CONNECTED -> readConnected(in, out);
            case OVER -> in.consume(in.length());
        }
    }

    @Override
    public void onEnd(long nowNanos, Effects out) {
        if (state != State.OVER) {
            state = State.OVER;
            out.close();
        }
    }

    @Override
    public void onPayload(Buf owned, long nowNanos, Effects out) {
        owned.release();
    }

    @Override
    public void onPayloadEnd(long nowNanos, Effects out) {
        out.end();
    }

    @Override
    public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
        if (outcome != OpenOutcome.OK && state != State.OVER) {
            state = State.OVER;
            out.close();
        }
    }

    @Override
    public void onDatagram(Destination remote, Buf owned, long nowNanos, Effects out) {
        if (state == State.OVER) {
            owned.release();
            return;
        }
        UotWire.sendPacket(state == State.CONNECTED ? null : remote, null, owned, out);
    }

    @Override
    public void onDeadline(long nowNanos, Effects out) {
        if (Deadline.isPast(deadlineNanos(), nowNanos)) {
            state = State.OVER;
            out.fail(
                    new PeerFault(PeerFault.Kind.TOO_SLOW, "udp over tcp: no packet came"),
                    Farewell.FIN);
        }
    }

    @Override
    public long deadlineNanos() {
        return isOpening || state == State.OVER ? Deadline.NONE : deadlineNanos;
    }

    private void readRequest(Buf in, Effects out) {
        DestinationReader request = new DestinationReader(AddressForm.SOCKS);
        int bytes = in.isEmpty() ? DestinationReader.INCOMPLETE : request.read(in, 1);
        if (bytes == DestinationReader.INCOMPLETE) {
            return;
        }
        if (bytes < 0) {
            fail(out);
            return;
        }
        boolean isConnect = in.unsigned(0) != UotWire.NOT_CONNECTED;
        in.consume(1 + bytes);
        if (isConnect) {
            state = State.CONNECTED;
            target = request.destination();
            isOpening = true;
            out.connectDatagrams(request.destination(), user);
        } else {
            // The address is a hint, often 0.0.0.0:0; the first packet says where it goes.
            state = State.PACKETS;
        }
    }

    private void readPackets(Buf in, Effects out) {
        if (!isOpening) {
            int header = reader.read(in, 0);
            if (header > 0) {
                open(reader.destination(), out);
            }
        }
        if (!UotWire.deliverPackets(in, reader, out)) {
            fail(out);
        }
    }

    private void readConnected(Buf in, Effects out) {
        Destination connected = target;
        if (connected == null) {
            throw new AssertionError("connected to nothing");
        }
        boolean isWhole;
        do {
            isWhole = UotWire.deliverPacket(in, 0, connected, out);
        } while (isWhole);
    }

    private void open(Destination first, Effects out) {
        isOpening = true;
        out.openDatagrams(first, user);
    }

    private void fail(Effects out) {
        state = State.OVER;
        out.fail(
                new PeerFault(PeerFault.Kind.MALFORMED, "udp over tcp: the address cannot be read"),
                Farewell.FIN);
    }
}
