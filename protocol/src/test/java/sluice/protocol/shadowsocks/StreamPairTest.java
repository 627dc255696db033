package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachinePair;
import sluice.protocol.MachineSide;
import sluice.testkit.Seeds;

/// Both ends of every method, wire to wire.
class StreamPairTest {

    static List<Method> sealedMethods() {
        return Setup.sealedMethods();
    }

    @ParameterizedTest
    @Seeds(40)
    void carriesAnythingHoweverItIsCut(long seed) {
        for (Method method : Setup.sealedMethods()) {
            LoopFixture loop = new LoopFixture(seed);
            Random random = new Random(seed);
            MachinePair pair =
                    MachinePair.cut(
                            Setup.client(loop, Setup.dialling(method), target(random)),
                            Setup.server(loop, Setup.acceptance(method)),
                            loop.pool(),
                            seed);
            byte[] up = Setup.random(seed, size(random));
            byte[] down = Setup.random(seed + 1, size(random));
            pair.up(up).down(down).upEnd().downEnd().run().advance(200_000_000L).finish();

            assertThat(pair.server().fault()).as(method.text()).isNull();
            assertThat(pair.client().fault()).as(method.text()).isNull();
            assertThat(pair.server().delivered()).isEqualTo(up);
            assertThat(pair.client().delivered()).isEqualTo(down);
            assertThat(pair.server().deliveredEnd()).isTrue();
            assertThat(pair.client().deliveredEnd()).isTrue();
            assertThat(loop.pool().inUse()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("sealedMethods")
    void serverSpeaksFirst(Method method) {
        LoopFixture loop = new LoopFixture(3);
        MachinePair pair =
                MachinePair.of(
                        Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE),
                        Setup.server(loop, Setup.acceptance(method)),
                        loop.pool());
        pair.down("220 hello".getBytes(java.nio.charset.StandardCharsets.US_ASCII)).run();
        assertThat(pair.server().opened()).isNull();
        pair.advance(Wire.FIRST_PAYLOAD_NANOS);
        assertThat(pair.client().deliveredText()).isEqualTo("220 hello");
        pair.up(new byte[3]).run().finish();
        assertThat(pair.server().delivered()).hasSize(3);
        assertThat(loop.pool().inUse()).isZero();
    }

    @ParameterizedTest
    @MethodSource("sealedMethods")
    void aFailedDialEndsTheClientWithoutAByte(Method method) {
        LoopFixture loop = new LoopFixture(4);
        MachinePair pair =
                MachinePair.of(
                                Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE),
                                Setup.server(loop, Setup.acceptance(method)),
                                loop.pool())
                        .outcome(OpenOutcome.HOST_UNREACHABLE);
        pair.up(new byte[9]).run().finish();
        assertThat(pair.client().deliveredEnd()).isTrue();
        assertThat(pair.client().fault()).isNull();
        assertThat(pair.server().sent()).isEmpty();
        assertThat(loop.pool().inUse()).isZero();
    }

    @ParameterizedTest
    @MethodSource("sealedMethods")
    void theOtherMethodsKeyDoesNotFit(Method method) {
        for (Method other : Setup.sealedMethods()) {
            if (other == method || other.edition() != method.edition()) {
                continue;
            }
            LoopFixture loop = new LoopFixture(5);
            MachinePair pair =
                    MachinePair.of(
                            Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE),
                            Setup.server(loop, Setup.acceptance(other)),
                            loop.pool());
            pair.up(new byte[500]).run().finish();
            assertThat(pair.server().opens()).isZero();
            assertThat(pair.server().fault()).isNotNull();
        }
    }

    /// The transcript of both machines does not depend on how the other side's bytes are cut.
    @ParameterizedTest
    @Seeds(30)
    void behaviourDoesNotDependOnCuts(long seed) {
        for (Method method : Setup.sealedMethods()) {
            byte[] request = requestOf(method, seed);
            byte[] bad = request.clone();
            bad[new Random(seed).nextInt(bad.length)] ^= 1;
            for (byte[] wire : List.of(request, bad, Arrays.copyOf(request, request.length - 1))) {
                assertThat(serverTranscript(method, wire, seed))
                        .isEqualTo(serverTranscript(method, wire, 0));
            }
            assertThat(clientTranscript(method, seed)).isEqualTo(clientTranscript(method, 0));
        }
    }

    @Test
    void plainStreamsAreAnAddressAndNothingElse() {
        LoopFixture loop = new LoopFixture(6);
        for (int seed = 0; seed < 30; seed++) {
            MachinePair pair =
                    MachinePair.cut(
                            new PlainClient(Setup.EXAMPLE),
                            new PlainServer(Farewell.DRAIN),
                            loop.pool(),
                            seed);
            byte[] payload = Setup.random(seed, 70_000);
            pair.up(payload).down(payload).upEnd().downEnd().run().finish();
            assertThat(pair.server().opened()).isEqualTo(Setup.EXAMPLE);
            assertThat(pair.server().delivered()).isEqualTo(payload);
            assertThat(pair.client().delivered()).isEqualTo(payload);
            assertThat(pair.server().isTransparent()).isTrue();
            assertThat(pair.client().isTransparent()).isTrue();
            assertThat(pair.server().deliveredEnd()).isTrue();
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void plainServersRefuseWhatIsNoAddress() {
        LoopFixture loop = new LoopFixture(7);
        MachineSide side = new MachineSide(new PlainServer(Farewell.DRAIN), loop.pool());
        side.start(0);
        side.receive(new byte[] {9, 9, 9}, 0);
        assertThat(side.farewell()).isEqualTo(Farewell.DRAIN);

        MachineSide cut = new MachineSide(new PlainServer(Farewell.DRAIN), loop.pool());
        cut.start(0);
        cut.receive(new byte[] {1, 9, 9}, 0);
        cut.receiveEnd(0);
        assertThat(cut.farewell()).isEqualTo(Farewell.DRAIN);
        assertThat(loop.pool().inUse()).isZero();
    }

    private static byte[] requestOf(Method method, long seed) {
        LoopFixture loop = new LoopFixture(seed);
        MachineSide client =
                new MachineSide(
                        Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE), loop.pool());
        client.start(0);
        client.payload(Setup.random(seed, 300), 0);
        client.payload(Setup.random(seed, 40_000), 0);
        return client.sent();
    }

    private static String serverTranscript(Method method, byte[] wire, long cuts) {
        LoopFixture loop = new LoopFixture(8);
        MachineSide server =
                new MachineSide(Setup.server(loop, Setup.acceptance(method)), loop.pool());
        server.start(0);
        feed(server, wire, cuts);
        server.receiveEnd(0);
        server.discard();
        assertThat(loop.pool().inUse()).isZero();
        return server.transcript();
    }

    private static String clientTranscript(Method method, long cuts) {
        LoopFixture loop = new LoopFixture(9);
        MachineSide client =
                new MachineSide(
                        Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE), loop.pool());
        client.start(0);
        client.payload(new byte[10], 0);
        MachineSide server =
                new MachineSide(Setup.server(loop, Setup.acceptance(method)), loop.pool());
        server.start(0);
        server.receive(client.sent(), 0);
        server.opened(OpenOutcome.OK, 0);
        server.payload(Setup.random(1, 100), 0);
        server.payload(Setup.random(2, 70_000), 0);
        feed(client, server.sent(), cuts);
        client.receiveEnd(0);
        assertThat(loop.pool().inUse()).isZero();
        return client.transcript();
    }

    private static void feed(MachineSide side, byte[] wire, long cuts) {
        if (cuts == 0) {
            side.receive(wire, 0);
            return;
        }
        Random random = new Random(cuts);
        for (int at = 0; at < wire.length; ) {
            int size =
                    Math.min(
                            wire.length - at,
                            1 + random.nextInt(random.nextBoolean() ? 40 : 9_000));
            side.receive(wire, at, size, 0);
            at += size;
        }
    }

    private static int size(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3);
            case 1 -> random.nextInt(2_000);
            case 2 -> 65_530 + random.nextInt(10);
            default -> random.nextInt(600_000);
        };
    }

    private static Destination target(Random random) {
        List<String> hosts = new ArrayList<>(List.of("example.com", "1.2.3.4", "2001:db8::1"));
        hosts.add(
                "a".repeat(63)
                        + "."
                        + "b".repeat(63)
                        + "."
                        + "c".repeat(63)
                        + "."
                        + "d".repeat(63));
        return new Destination(
                Host.parse(hosts.get(random.nextInt(hosts.size()))), 1 + random.nextInt(65_535));
    }
}
