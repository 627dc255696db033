package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.DatagramSession;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.testkit.Allocations;

/// What connections, packets and users cost in memory.
class FootprintTest {

    private static final int CONNECTIONS = 2_500;

    /// Chosen: an idle pair of sockets costs the kernel several times as much.
    private static final long CONNECTION_BYTES_MAX = 700;

    /// Per record; see the figures at Ciphers.
    private static final long CIPHER_BYTES_MAX = 2_600;

    static List<Method> sealedMethods() {
        return Setup.sealedMethods();
    }

    @ParameterizedTest
    @MethodSource("sealedMethods")
    void anIdleConnectionAtTheServerIsSmall(Method method) {
        LoopFixture loop = new LoopFixture(1);
        Acceptance acceptance = Setup.acceptance(method);
        byte[][] requests = new byte[CONNECTIONS][];
        for (int i = 0; i < CONNECTIONS; i++) {
            MachineSide client =
                    new MachineSide(
                            Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE), loop.pool());
            client.start(0);
            client.payload(new byte[10], 0);
            requests[i] = client.sent();
        }
        SealedStream[] machines = new SealedStream[CONNECTIONS];
        for (int i = 0; i < CONNECTIONS; i++) {
            machines[i] = connected(loop, acceptance, requests[i]);
        }
        assertThat(machines[CONNECTIONS - 1].sealKey).isNotNull();
        usedBytes();
        long with = usedBytes();
        Arrays.fill(machines, null);
        long each = (with - usedBytes()) / CONNECTIONS;
        assertThat(acceptance.users()).hasSize(1);
        assertThat(each)
                .as("bytes for a connection of %s", method)
                .isBetween(150L, CONNECTION_BYTES_MAX);
    }

    /// A connection that has carried bytes both ways.
    private static SealedStream connected(LoopFixture loop, Acceptance acceptance, byte[] request) {
        SealedStream machine = Setup.server(loop, acceptance);
        MachineSide side = new MachineSide(machine, loop.pool());
        side.start(0);
        side.receive(request, 0);
        side.opened(OpenOutcome.OK, 0);
        side.payload(new byte[10], 0);
        return machine;
    }

    @ParameterizedTest
    @MethodSource("sealedMethods")
    void recordsAllocateWhatTheCipherAllocatesAndNoMore(Method method) {
        LoopFixture loop = new LoopFixture(1);
        Forwarding forwarding = new Forwarding(loop);
        SealedStream client = Setup.client(loop, Setup.dialling(method), Setup.EXAMPLE);
        SealedStream server = Setup.server(loop, Setup.acceptance(method));
        client.onStart(0, forwarding);
        client.onPayload(payload(loop, 10), 0, forwarding);
        server.onBytes(forwarding.take(), 0, forwarding);
        int batch = 20_000;
        long perBatch =
                Allocations.bytesPerRun(() -> {
                    client.onPayload(payload(loop, batch), 0, forwarding);
                    Buf wire = forwarding.take();
                    server.onBytes(wire, 0, forwarding);
                    wire.release();
                });
        int records = 2 * 2 * Math.ceilDiv(batch, client.payloadBytesMax());
        assertThat(perBatch / records).isLessThan(CIPHER_BYTES_MAX);
        assertThat(loop.pool().inUse()).isOne();
    }

    @ParameterizedTest
    @MethodSource("sealedMethods")
    void packetsAllocateWhatTheCipherAllocatesAndNoMore(Method method) {
        LoopFixture loop = new LoopFixture(1);
        Dialling dialling = Setup.dialling(method);
        DatagramClient client =
                method.is2022()
                        ? new PacketClient2022(loop.services(), dialling)
                        : new PacketClient(loop.services(), method, dialling.user());
        DatagramServer server =
                new ShadowsocksInbound(Setup.acceptance(method), true, true, false)
                        .serveDatagrams(loop.services(), Setup.LOCAL);
        CountingSink sink = new CountingSink(loop);
        Buf payload = payload(loop, 1200);
        Destination target = Setup.EXAMPLE;
        long perPacket =
                Allocations.bytesPerRun(() -> {
                    Buf packet = loop.pool().acquire(2_000);
                    client.seal(target, payload, packet, 0);
                    server.onPacket(Setup.CLIENT, packet, 0, sink);
                    packet.release();
                });
        assertThat(sink.count).isGreaterThan(1_000);
        // One record sealed and one opened; SIP004 derives a key for each besides.
        long keys = method.is2022() ? 0 : 2 * 160;
        assertThat(perPacket).isLessThan(2 * CIPHER_BYTES_MAX + keys);
    }

    /// Field case M07: finding a user costs the same with ten and with ten thousand.
    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"BLAKE3_AES_128_GCM", "BLAKE3_AES_256_GCM"})
    void tenThousandUsersAreFoundAsFastAsTen(Method method) {
        long few = probes(method, 10);
        long many = probes(method, 10_000);
        assertThat(few).isLessThan(32);
        assertThat(many).isLessThan(32);
    }

    /// The longest chain of slots that a look-up walks, for users and for strangers.
    private static long probes(Method method, int count) {
        List<Credential> users = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            users.add(Credential.of(method, "user" + i, Setup.random(i, method.keyBytes())));
        }
        Credentials credentials = new Credentials(users);
        for (Credential user : users) {
            assertThat(credentials.findOrNull(user.identityHigh(), user.identityLow()))
                    .isSameAs(user);
            assertThat(credentials.findOrNull(user.identityHigh() + 1, user.identityLow()))
                    .isNull();
        }
        return credentials.probesMax();
    }

    @Test
    void lookingUpAUserAllocatesNothing() {
        List<Credential> users = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            users.add(Credential.of(Method.BLAKE3_AES_128_GCM, "user" + i, Setup.random(i, 16)));
        }
        Credentials credentials = new Credentials(users);
        Credential wanted = users.get(777);
        Allocations.assertNone(
                () -> credentials.findOrNull(wanted.identityHigh(), wanted.identityLow()));
    }

    @Test
    void lookingUpASessionAllocatesNothing() {
        SessionTable<SessionTable.Session> table = new SessionTable<>(0);
        for (int i = 0; i < 100; i++) {
            Endpoint client = new Endpoint(IpAddress.v4(i), 9);
            table.findOrNull(0, client, null);
            table.add(new SessionTable.Session(table.probedKey(), client, null) {}, 0);
        }
        Endpoint wanted = new Endpoint(IpAddress.v4(50), 9);
        assertThat(table.findOrNull(0, wanted, null)).isNotNull();
        Allocations.assertNone(() -> table.findOrNull(0, wanted, null));
    }

    private static Buf payload(LoopFixture loop, int bytes) {
        Buf buf = loop.pool().acquire(bytes);
        Arrays.fill(buf.array(), 0, bytes, (byte) 7);
        buf.extend(bytes);
        return buf;
    }

    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    private static final class CountingSink implements DatagramServer.Sink {
        private final LoopFixture loop;
        private int count;

        CountingSink(LoopFixture loop) {
            this.loop = loop;
        }

        @Override
        public Buf acquire(int bytes) {
            return loop.pool().acquire(bytes);
        }

        @Override
        public void deliver(DatagramSession session, Destination target, Buf owned) {
            count++;
            owned.release();
        }

        @Override
        public void drop(Endpoint from, String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void sendRaw(Endpoint to, Buf owned) {
            owned.release();
        }
    }
}
