package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.shadowsocks.Setup.CLIENT;
import static sluice.protocol.shadowsocks.Setup.DNS;
import static sluice.protocol.shadowsocks.Setup.ELSEWHERE;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.protocol.LoopFixture;
import sluice.protocol.shadowsocks.PacketBench.Delivered;

/// What a machine for datagrams takes over from the one whose place it takes.
final class PacketReloadTest {

    private static final Method METHOD = Method.BLAKE3_AES_128_GCM;
    private static final byte[] PAYLOAD = {1, 2, 3};

    private final LoopFixture loop = new LoopFixture(1);
    private final Credential server = Setup.key(METHOD, null, 0xa0);
    private final DatagramClient alice =
            new PacketClient2022(
                    loop.services(),
                    new Dialling(METHOD, List.of(server), Setup.key(METHOD, "alice", 1)));

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"BLAKE3_AES_128_GCM", "BLAKE3_AES_256_GCM", "BLAKE3_CHACHA20_POLY1305"})
    void anOldPacketIsStillOldAndTheSessionGoesOn(Method method) {
        DatagramClient client = new PacketClient2022(loop.services(), Setup.dialling(method));
        byte[] first = seal(client);
        PacketBench before = bench(Setup.acceptance(method));
        Delivered got = receive(before, first);
        assertThat(before.answer(got.session(), DNS, PAYLOAD)).isNotNull();

        PacketBench after = bench(Setup.acceptance(method));
        after.server().inherit(before.server());
        assertThat(after.receive(ELSEWHERE, first, 1)).isNull();
        assertThat(after.drops).containsExactly("shadowsocks: a repeated or old packet");
        assertThat(receive(after, seal(client)).session()).isSameAs(got.session());
        assertThat(after.server().deadlineNanos()).isEqualTo(before.server().deadlineNanos());
        assertThat(after.answer(got.session(), DNS, PAYLOAD)).isNotNull();
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void usersKeepTheirWindowsByTheirKeys() {
        byte[] first = seal(alice);
        PacketBench before = bench(acceptance("alice", "bob"));
        Delivered got = receive(before, first);
        assertThat(got.session().user()).isEqualTo("alice");

        PacketBench renamed = bench(acceptance("carol", "bob"));
        renamed.server().inherit(before.server());
        assertThat(renamed.receive(CLIENT, first, 1)).as("a replay").isNull();
        Delivered next = receive(renamed, seal(alice));
        assertThat(next.session().user()).isEqualTo("carol");
        assertThat(next.session()).isNotSameAs(got.session());
    }

    @Test
    void anotherKeyTakesNothingOver() {
        PacketBench before = bench(acceptance("alice", "bob"));
        byte[] first = seal(alice);
        receive(before, first);
        PacketBench after =
                bench(Setup.acceptance(METHOD, server, List.of(Setup.key(METHOD, "alice", 9))));
        after.server().inherit(before.server());
        assertThat(after.receive(CLIENT, first, 1)).isNull();
        assertThat(after.drops).containsExactly("shadowsocks: the identity header names no user");
    }

    private Acceptance acceptance(String first, String second) {
        return Setup.acceptance(
                METHOD, server, List.of(Setup.key(METHOD, first, 1), Setup.key(METHOD, second, 2)));
    }

    private PacketBench bench(Acceptance acceptance) {
        return new PacketBench(
                new ShadowsocksInbound(acceptance, true, true, false)
                        .serveDatagrams(loop.services(), Setup.LOCAL),
                loop.pool());
    }

    private static Delivered receive(PacketBench bench, byte[] packet) {
        Delivered got = bench.receive(CLIENT, packet, 0);
        assertThat(got).as("%s", bench.drops).isNotNull();
        return got;
    }

    private byte[] seal(DatagramClient client) {
        Buf in = loop.pool().acquire(PAYLOAD.length);
        in.put(PAYLOAD);
        Buf out = loop.pool().acquire(PAYLOAD.length + client.overheadBytes());
        assertThat(client.seal(DNS, in, out, 0)).isTrue();
        byte[] packet = out.toBytes();
        in.release();
        out.release();
        return packet;
    }
}
