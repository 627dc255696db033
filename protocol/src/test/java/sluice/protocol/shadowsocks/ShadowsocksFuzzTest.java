package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.testkit.Seeds;

/// What strangers send ends in a fault or in silence, never in an exception, and every buffer comes
/// back.
class ShadowsocksFuzzTest {

    @ParameterizedTest
    @Seeds(300)
    void garbageEndsServersAndClientsWithAFaultOnly(long seed) {
        Random random = new Random(seed);
        for (Method method : Method.values()) {
            LoopFixture loop = new LoopFixture(seed);
            for (StreamMachine machine : machines(loop, method)) {
                MachineSide side = new MachineSide(machine, loop.pool());
                side.start(0);
                if (!side.isTransparent()) {
                    feed(side, random, Setup.random(random.nextLong(), random.nextInt(3_000)));
                    side.receiveEnd(0);
                }
                side.discard();
                if (method != Method.NONE) {
                    assertThat(side.delivered()).isEmpty();
                    assertThat(side.opens()).isZero();
                }
                assertThat(loop.pool().inUse()).isZero();
            }
        }
    }

    /// A valid conversation with one thing wrong in it.
    @ParameterizedTest
    @Seeds(200)
    void damagedStreamsDeliverNothingThatWasNotSent(long seed) {
        Random random = new Random(seed);
        for (Method method : Setup.sealedMethods()) {
            LoopFixture loop = new LoopFixture(seed);
            MachineSide client =
                    new MachineSide(
                            Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE), loop.pool());
            MachineSide server =
                    new MachineSide(Setup.server(loop, Setup.acceptance(method)), loop.pool());
            client.start(0);
            server.start(0);
            byte[] up = Setup.random(seed, 1 + random.nextInt(40_000));
            client.payload(Arrays.copyOf(up, up.length / 2 + 1), 0);
            client.payload(Arrays.copyOfRange(up, up.length / 2 + 1, up.length), 0);
            byte[] wire = damaged(client.takeSent(), random);
            feed(server, random, wire);
            server.receiveEnd(0);
            byte[] got = server.delivered();
            assertThat(got).isEqualTo(Arrays.copyOf(up, got.length));
            if (server.opens() == 0) {
                assertThat(server.sent()).isEmpty();
            }
            if (server.opens() > 0 && !server.isOver()) {
                server.opened(OpenOutcome.OK, 0);
                byte[] down = Setup.random(seed + 1, 1 + random.nextInt(40_000));
                server.payload(down, 0);
                feed(client, random, damaged(server.takeSent(), random));
                client.receiveEnd(0);
                got = client.delivered();
                assertThat(got).isEqualTo(Arrays.copyOf(down, got.length));
            }
            server.discard();
            client.discard();
            assertThat(loop.pool().inUse()).isZero();
        }
    }

    @ParameterizedTest
    @Seeds(300)
    void garbageIsSilenceForDatagrams(long seed) {
        Random random = new Random(seed);
        for (Method method : Setup.sealedMethods()) {
            LoopFixture loop = new LoopFixture(seed);
            Dialling dialling = Setup.dialling(method);
            PacketBench bench =
                    new PacketBench(
                            new ShadowsocksInbound(Setup.acceptance(method), true, true, false)
                                    .serveDatagrams(loop.services(), Setup.LOCAL),
                            loop.pool());
            DatagramClient client =
                    method.is2022()
                            ? new PacketClient2022(loop.services(), dialling)
                            : new PacketClient(loop.services(), method, dialling.user());
            Buf payload = buf(loop, Setup.random(seed, random.nextInt(2_000)));
            Buf packet = loop.pool().acquire(4_000);
            client.seal(Setup.EXAMPLE, payload, packet, 0);
            for (byte[] bad :
                    List.of(
                            Setup.random(seed, random.nextInt(2_000)),
                            damaged(packet.toBytes(), random))) {
                boolean isUntouched = Arrays.equals(bad, packet.toBytes());
                assertThat(bench.receive(Setup.CLIENT, bad, 0) != null).isEqualTo(isUntouched);
                Buf in = buf(loop, bad);
                Buf into = loop.pool().acquire(4_000);
                if (client.open(in, into, 0) != null) {
                    // In SIP004 both directions look alike, so only what was not damaged may pass.
                    assertThat(isUntouched).isTrue();
                }
                in.release();
                into.release();
            }
            packet.release();
            payload.release();
            assertThat(loop.pool().inUse()).isZero();
        }
    }

    private static List<StreamMachine> machines(LoopFixture loop, Method method) {
        if (method == Method.NONE) {
            return List.of(new PlainServer(Farewell.DRAIN));
        }
        Credential own = method.is2022() ? Setup.key(method, null, 0xa0) : null;
        StreamMachine server = Setup.server(loop, Setup.acceptance(method));
        StreamMachine client = Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE);
        if (own == null || !method.hasIdentities()) {
            return List.of(server, client);
        }
        Acceptance behind = Setup.acceptance(method, own, List.of(Setup.key(method, "a", 9)));
        return List.of(
                server,
                client,
                new Server2022(loop.services(), behind),
                new IdentityRelay(loop.services(), behind, own));
    }

    private static void feed(MachineSide side, Random random, byte[] wire) {
        for (int at = 0; at < wire.length; ) {
            int size =
                    Math.min(
                            wire.length - at,
                            1 + random.nextInt(random.nextBoolean() ? 50 : 60_000));
            side.receive(wire, at, size, 0);
            at += size;
        }
    }

    private static byte[] damaged(byte[] wire, Random random) {
        byte[] bad = wire.clone();
        int at = random.nextInt(bad.length);
        switch (random.nextInt(4)) {
            case 0 -> bad[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bad = Arrays.copyOf(bad, at);
            case 2 -> bad = Setup.concat(Arrays.copyOf(bad, at), Setup.random(at, 20));
            default -> bad = Setup.concat(bad, Setup.random(at, 1 + random.nextInt(100)));
        }
        return bad;
    }

    private static Buf buf(LoopFixture loop, byte[] bytes) {
        Buf buf = loop.pool().acquire(Math.max(1, bytes.length));
        buf.put(bytes);
        return buf;
    }
}
