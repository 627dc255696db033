package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.time.Deadline;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;

/// Failures of our own code end what they concern, and nothing else.
final class FailureTest {

    /// Where a machine throws.
    enum Where {
        START,
        BYTES,
        OPENED,
        PAYLOAD,
        PAYLOAD_END,
        END,
        DEADLINE,
        DEADLINE_QUESTION
    }

    /// Passes everything on and throws at one place, where it is told to by a byte `!`.
    private static class Faulty extends Through {
        private final Where where;
        private final Destination target;
        private boolean isArmed;

        Faulty(Where where, Destination target) {
            this.where = where;
            this.target = target;
        }

        private void failIn(Where place) {
            if (place == where) {
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void onStart(long nowNanos, Effects out) {
            failIn(Where.START);
            out.open(target, null);
        }

        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {
            isArmed |= in.unsigned(0) == '!';
            if (isArmed) {
                failIn(Where.BYTES);
            }
            super.onBytes(in, nowNanos, out);
        }

        @Override
        public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
            failIn(Where.OPENED);
        }

        @Override
        public void onPayload(Buf owned, long nowNanos, Effects out) {
            if (where == Where.PAYLOAD) {
                owned.release();
                failIn(Where.PAYLOAD);
            }
            super.onPayload(owned, nowNanos, out);
        }

        @Override
        public void onPayloadEnd(long nowNanos, Effects out) {
            failIn(Where.PAYLOAD_END);
            super.onPayloadEnd(nowNanos, out);
        }

        @Override
        public void onEnd(long nowNanos, Effects out) {
            failIn(Where.END);
            super.onEnd(nowNanos, out);
        }

        @Override
        public void onDeadline(long nowNanos, Effects out) {
            failIn(Where.DEADLINE);
        }

        @Override
        public long deadlineNanos() {
            if (isArmed) {
                failIn(Where.DEADLINE_QUESTION);
                return where == Where.DEADLINE ? 1 : Deadline.NONE;
            }
            return Deadline.NONE;
        }
    }

    @ParameterizedTest
    @EnumSource(Where.class)
    void aMachineThatThrowsEndsItsFlowAlone(Where where) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(Driver.LINUX)
                                .loops(1)
                                .inbound(
                                        "faulty",
                                        new Through.In(
                                                () -> new Faulty(where, origin.destination())))
                                .inbound("in", Forward.to(origin.destination()))
                                .outbound(Ways.direct("direct"))
                                .expectInternalErrors(1)
                                .start()) {
            try (Socket bystander = rig.connect("in");
                    Socket server = origin.accept()) {
                try (Socket client = rig.connect("faulty")) {
                    if (where != Where.START) {
                        try (Socket other = origin.accept()) {
                            awaitOpen(rig, where);
                            if (where != Where.OPENED) {
                                client.getOutputStream().write('!');
                            }
                            if (where == Where.PAYLOAD) {
                                other.getOutputStream().write(1);
                            } else if (where == Where.PAYLOAD_END) {
                                other.shutdownOutput();
                            } else if (where == Where.END) {
                                client.shutdownOutput();
                            }
                            assertThat(Tcp.end(other)).isEqualTo(Tcp.End.RESET);
                        }
                    }
                    assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
                }
                assertThat(rig.counters().internalErrors).isOne();
                bystander.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
                server.getOutputStream().write(2);
                assertThat(bystander.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    /// Until the faulty flow relays; a dial that is cancelled ends with FIN.
    private static void awaitOpen(Rig rig, Where where) throws Exception {
        if (where != Where.OPENED) {
            Thread.sleep(100);
            assertThat(rig.engine().conversations()).isEqualTo(2);
        }
    }

    /// The same on the target's leg, in the midst of the client's machine.
    @ParameterizedTest
    @CsvSource({"START", "BYTES", "PAYLOAD", "DEADLINE"})
    void aMachineOfTheTargetThatThrowsEndsTheFlow(Where where) throws Exception {
        try (Acceptor proxy = new Acceptor();
                Rig rig =
                        Rig.on(Driver.LINUX)
                                .inbound("in", Forward.to(proxy.destination()).staying())
                                .outbound(
                                        Ways.through(
                                                "faulty",
                                                new Through.Out(
                                                        proxy.destination(),
                                                        () -> new FaultyClient(where)),
                                                null))
                                .expectInternalErrors(1)
                                .start()) {
            try (Socket client = rig.connect("in");
                    Socket server = proxy.accept()) {
                if (where == Where.PAYLOAD) {
                    client.getOutputStream().write(1);
                } else if (where != Where.START) {
                    server.getOutputStream().write('!');
                }
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
                assertThat(Tcp.end(server)).isEqualTo(Tcp.End.RESET);
            }
        }
    }

    /// As [Faulty], for a dialling side that is ready at once.
    private static final class FaultyClient extends Faulty {
        private final Where where;

        FaultyClient(Where where) {
            super(where, null);
            this.where = where;
        }

        @Override
        public void onStart(long nowNanos, Effects out) {
            if (where == Where.START) {
                throw new IllegalStateException("on purpose");
            }
            out.ready();
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void anInboundThatCannotMakeAMachineLosesTheConnectionAlone(Driver driver) throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (Acceptor origin = new Acceptor()) {
            Inbound works = Forward.to(origin.destination());
            Inbound failsFirst =
                    new Inbound() {
                        @Override
                        public boolean acceptsStreams() {
                            return true;
                        }

                        @Override
                        public boolean acceptsDatagrams() {
                            return false;
                        }

                        @Override
                        public StreamMachine acceptStream(
                                LoopServices loop, Endpoint client, Endpoint local) {
                            if (made.getAndIncrement() < 3) {
                                throw new IllegalStateException("on purpose");
                            }
                            return works.acceptStream(loop, client, local);
                        }
                    };
            try (Rig rig =
                    Rig.on(driver)
                            .inbound("in", failsFirst)
                            .outbound(Ways.direct("direct"))
                            .expectInternalErrors(3)
                            .start()) {
                for (int i = 0; i < 3; i++) {
                    try (Socket client = rig.connect("in")) {
                        assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
                    }
                }
                try (Socket client = rig.connect("in");
                        Socket server = origin.accept()) {
                    client.getOutputStream().write(1);
                    assertThat(server.getInputStream().read()).isOne();
                }
            }
        }
    }

    /// A record that never ends must not fill memory, at whatever layer it stands.
    @Test
    void aMachineThatWaitsForEverEndsWithItsPatience() throws Exception {
        for (boolean isBelow : new boolean[] {false, true}) {
            try (Rig rig = Rig.on(Driver.LINUX).outbound(Ways.direct("direct"))) {
                Inbound hungry = new Through.In(Hungry::new);
                var plan = Rig.inboundPlan("in", hungry);
                rig.inbound(
                                new sluice.engine.plan.InboundPlan(
                                        plan.tag(),
                                        plan.at(),
                                        plan.listen(),
                                        _ -> isBelow ? new Through() : null,
                                        plan.protocol(),
                                        plan.identity(),
                                        plan.handshakeNanos(),
                                        plan.datagramIdleNanos()))
                        .start();
                try (Socket client = rig.connect("in")) {
                    Work<Boolean> feeding =
                            Work.of(() -> {
                                try {
                                    for (int i = 0; i < 100; i++) {
                                        client.getOutputStream().write(new byte[100_000]);
                                    }
                                    return true;
                                } catch (java.net.SocketException reset) {
                                    return false;
                                }
                            });
                    assertThat(feeding.result()).isFalse();
                }
                rig.awaitIdle();
                assertThat(rig.counters().peerFaults).isOne();
                assertThat(rig.engine().budget().peakBytes()).isLessThan(4 << 20);
            }
        }
    }

    /// Understands nothing.
    private static final class Hungry extends Through {
        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {}
    }

    @Test
    void aTaskThatThrowsDoesNotEndTheLoop() throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig =
                        Rig.on(Driver.LINUX)
                                .loops(1)
                                .inbound("in", new Xor.In(Set.of("alice")))
                                .outbound(Ways.direct("direct"))
                                .expectInternalErrors(1)
                                .start()) {
            try (Socket client = rig.connect("in")) {
                // A plan without the outbound that its router names: the configuration was not
                // checked.
                rig.without("direct").reload();
                client.getOutputStream().write(Xor.hello(origin.destination(), "alice"));
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
            rig.outbound(Ways.direct("direct")).reload();
            try (Socket client = rig.connect("in")) {
                client.getOutputStream().write(Xor.hello(origin.destination(), "alice"));
                origin.accept().close();
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.FIN);
            }
        }
    }
}
