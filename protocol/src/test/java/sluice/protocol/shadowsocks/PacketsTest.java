package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.shadowsocks.Setup.AEAD;
import static sluice.protocol.shadowsocks.Setup.CLIENT;
import static sluice.protocol.shadowsocks.Setup.DNS;
import static sluice.protocol.shadowsocks.Setup.EDITION_2022;
import static sluice.protocol.shadowsocks.Setup.ELSEWHERE;
import static sluice.protocol.shadowsocks.Setup.EXAMPLE;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.buf.Buf;
import sluice.base.machine.DatagramClient;
import sluice.base.machine.DatagramServer;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.LoopFixture;
import sluice.protocol.shadowsocks.PacketBench.Delivered;

/// Datagrams of all editions against vectors and against the table of what to accept.
class PacketsTest {

    private static final Method AES_128 = Method.BLAKE3_AES_128_GCM;
    private static final Method AES_256 = Method.BLAKE3_AES_256_GCM;
    private static final Method CHACHA = Method.BLAKE3_CHACHA20_POLY1305;
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);
    private static final byte[] WORLD = "world".getBytes(StandardCharsets.UTF_8);

    private final LoopFixture loop = new LoopFixture(1);

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {
                "AES_128_GCM",
                "AES_192_GCM",
                "AES_256_GCM",
                "CHACHA20_IETF_POLY1305",
                "XCHACHA20_IETF_POLY1305"
            })
    void takesAndMakesThePublishedAeadPacket(Method method) {
        Destination target = new Destination(Host.parse("1.2.3.4"), 53);
        PacketBench bench = bench(Setup.acceptance(method));
        Delivered got = bench.receive(CLIENT, AEAD.get(method + ".udp"), 0);
        assertThat(got.bytes()).isEqualTo(HELLO);
        assertThat(got.target()).isEqualTo(target);

        loop.drawNext(Setup.aeadSalt(method));
        assertThat(seal(client(Setup.dialling(method)), target, HELLO))
                .isEqualTo(AEAD.get(method + ".udp"));
        assertThat(loop.pool().inUse()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"BLAKE3_AES_128_GCM,udp128", "BLAKE3_AES_256_GCM,udp256"})
    void takesTheRequestOfTheVectorsAndAnswersAsTheySay(Method method, String prefix) {
        PacketBench bench = bench(Setup.acceptance(method));
        Delivered got = bench.receive(CLIENT, EDITION_2022.get(prefix + ".req"), 0);
        assertThat(got.bytes()).isEqualTo(HELLO);
        assertThat(got.target()).isEqualTo(DNS);

        loop.epochSeconds(1_700_000_001);
        loop.drawNext(Setup.concat(Setup.counting(0x11, 8), new byte[4]));
        byte[] answer = bench.answer(got.session(), DNS, WORLD);
        assertThat(answer).isEqualTo(EDITION_2022.get(prefix + ".resp"));
    }

    @ParameterizedTest
    @CsvSource({"BLAKE3_AES_128_GCM,udp128", "BLAKE3_AES_256_GCM,udp256"})
    void clientAsksAndTakesTheAnswerAsTheVectorsSay(Method method, String prefix) {
        loop.drawNext(Setup.concat(Setup.counting(1, 8), new byte[4]));
        DatagramClient client = client(Setup.dialling(method));
        assertThat(seal(client, DNS, HELLO)).isEqualTo(EDITION_2022.get(prefix + ".req"));
        loop.epochSeconds(1_700_000_001);
        assertThat(open(client, EDITION_2022.get(prefix + ".resp"), 0)).isEqualTo(WORLD);
        assertThat(client.open(buf(EDITION_2022.get(prefix + ".resp")), buf(new byte[0]), 0))
                .isNull();
        assertThat(client.dropReason()).contains("repeated");
    }

    @Test
    void chachaPacketsMatchTheVectors() {
        PacketBench bench = bench(Setup.acceptance(CHACHA));
        Delivered got = bench.receive(CLIENT, EDITION_2022.get("udpcc.req"), 0);
        assertThat(got.bytes()).isEqualTo(HELLO);
        assertThat(got.target()).isEqualTo(DNS);
        loop.epochSeconds(1_700_000_001);
        loop.drawNext(Setup.concat(Setup.counting(0x11, 8), new byte[4], Setup.counting(0x80, 24)));
        assertThat(bench.answer(got.session(), DNS, WORLD))
                .isEqualTo(EDITION_2022.get("udpcc.resp"));

        loop.epochSeconds(1_700_000_000);
        loop.drawNext(Setup.concat(Setup.counting(1, 8), new byte[4], Setup.counting(0x40, 24)));
        DatagramClient client = client(Setup.dialling(CHACHA));
        assertThat(seal(client, DNS, HELLO)).isEqualTo(EDITION_2022.get("udpcc.req"));
        loop.epochSeconds(1_700_000_001);
        assertThat(open(client, EDITION_2022.get("udpcc.resp"), 0)).isEqualTo(WORLD);
    }

    @ParameterizedTest
    @CsvSource({"BLAKE3_AES_128_GCM,128", "BLAKE3_AES_256_GCM,256"})
    void identityHeadersMatchTheVectors(Method method, String bits) {
        Credential server = Setup.key(method, null, 0xa0);
        Credential user = Setup.key(method, "alice", 0);
        loop.drawNext(Setup.concat(Setup.counting(1, 8), new byte[4]));
        DatagramClient client = client(new Dialling(method, List.of(server), user));
        byte[] request = EDITION_2022.get("udpeih" + bits + ".req");
        assertThat(seal(client, DNS, HELLO)).isEqualTo(request);

        PacketBench bench =
                bench(Setup.acceptance(method, server, List.of(Setup.key(method, "bob", 1), user)));
        Delivered got = bench.receive(CLIENT, request, 0);
        assertThat(got.bytes()).isEqualTo(HELLO);
        assertThat(got.session().user()).isEqualTo("alice");
        loop.epochSeconds(1_700_000_001);
        loop.drawNext(Setup.concat(Setup.counting(0x11, 8), new byte[4]));
        byte[] answer = bench.answer(got.session(), DNS, WORLD);
        assertThat(answer).isEqualTo(EDITION_2022.get("udp" + bits + ".resp"));
        assertThat(open(client, answer, 0)).isEqualTo(WORLD);
    }

    @ParameterizedTest
    @CsvSource({"BLAKE3_AES_128_GCM,128", "BLAKE3_AES_256_GCM,256"})
    void aRelayPassesPacketsOnAsTheVectorsSay(Method method, String bits) {
        Credential own = Setup.key(method, null, 0xa0);
        Credential next = Setup.key(method, "next", 0).to(method, EXAMPLE);
        PacketRelay relay =
                new PacketRelay(loop.services(), Setup.acceptance(method, own, List.of(next)), own);
        PacketBench bench = new PacketBench(relay, loop.pool());
        Delivered got = bench.receive(CLIENT, EDITION_2022.get("udpeih" + bits + ".req"), 0);
        assertThat(got.target()).isEqualTo(EXAMPLE);
        assertThat(got.bytes()).isEqualTo(EDITION_2022.get("udpeih" + bits + ".relayed"));
        byte[] answer = EDITION_2022.get("udp" + bits + ".resp");
        assertThat(bench.answer(got.session(), EXAMPLE, answer)).isEqualTo(answer);
        assertThat(bench.receive(CLIENT, EDITION_2022.get("udpeih" + bits + ".req"), 5).session())
                .isSameAs(got.session());
    }

    @Test
    void aChainOfRelaysMatchesTheVectors() {
        Credential first = Setup.key(AES_128, null, 0xa0);
        Credential second = Setup.key(AES_128, null, 0xc0);
        loop.drawNext(Setup.concat(Setup.counting(1, 8), new byte[4]));
        DatagramClient client =
                client(new Dialling(AES_128, List.of(first, second), Setup.user(AES_128)));
        byte[] packet = seal(client, DNS, HELLO);
        assertThat(packet).isEqualTo(EDITION_2022.get("chain128.udp.atclient"));

        PacketBench one =
                new PacketBench(
                        new PacketRelay(
                                loop.services(),
                                Setup.acceptance(
                                        AES_128, first, List.of(second.to(AES_128, EXAMPLE))),
                                first),
                        loop.pool());
        packet = one.receive(CLIENT, packet, 0).bytes();
        assertThat(packet).isEqualTo(EDITION_2022.get("chain128.udp.afterrelay"));
        PacketBench two =
                new PacketBench(
                        new PacketRelay(
                                loop.services(),
                                Setup.acceptance(
                                        AES_128,
                                        second,
                                        List.of(Setup.user(AES_128).to(AES_128, EXAMPLE))),
                                second),
                        loop.pool());
        packet = two.receive(CLIENT, packet, 0).bytes();
        assertThat(packet).isEqualTo(EDITION_2022.get("chain128.udp.aftersecond"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"padover", "type1", "addrshort"})
    void dropsTheNegativeVectors(String name) {
        PacketBench bench = bench(Setup.acceptance(AES_128));
        assertThat(bench.receive(CLIENT, EDITION_2022.get("negudp128." + name), 0)).isNull();
        assertThat(bench.drops).hasSize(1);
        assertThat(bench.receive(CLIENT, EDITION_2022.get("udp128.req"), 0))
                .as("nothing is left of it")
                .isNotNull();
        assertThat(loop.pool().inUse()).isZero();
    }

    /// Field case S07, for datagrams.
    @Test
    void theSamePacketTwiceIsOneDatagram() {
        for (Method method : List.of(AES_128, AES_256, CHACHA)) {
            String name =
                    method == AES_128
                            ? "udp128.req"
                            : method == AES_256 ? "udp256.req" : "udpcc.req";
            PacketBench bench = bench(Setup.acceptance(method));
            assertThat(bench.receive(CLIENT, EDITION_2022.get(name), 0)).isNotNull();
            assertThat(bench.receive(ELSEWHERE, EDITION_2022.get(name), 1)).isNull();
            assertThat(bench.drops).containsExactly("shadowsocks: a repeated or old packet");
            assertThat(bench.delivered.getFirst().session().client())
                    .as("a replay from elsewhere does not hijack the answers")
                    .isEqualTo(CLIENT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1699999970,true",
        "1700000030,true",
        "1699999969,false",
        "1700000031,false",
        "0,false"
    })
    void clocksMayDifferByThirtySecondsAndNoMore(long now, boolean isAccepted) {
        loop.epochSeconds(now);
        for (Method method : List.of(AES_128, CHACHA)) {
            PacketBench bench = bench(Setup.acceptance(method));
            byte[] packet = EDITION_2022.get(method == AES_128 ? "udp128.req" : "udpcc.req");
            assertThat(bench.receive(CLIENT, packet, 0) != null).isEqualTo(isAccepted);
        }
    }

    @Test
    void aFlippedBitAnywhereIsSilence() {
        List<byte[]> packets =
                List.of(
                        EDITION_2022.get("udp128.req"),
                        EDITION_2022.get("udpcc.req"),
                        EDITION_2022.get("udpeih128.req"),
                        AEAD.get("aes-128-gcm.udp"));
        for (int p = 0; p < packets.size(); p++) {
            for (int i = 0; i < packets.get(p).length; i++) {
                byte[] bad = packets.get(p).clone();
                bad[i] ^= 0x20;
                PacketBench bench =
                        switch (p) {
                            case 0 -> bench(Setup.acceptance(AES_128));
                            case 1 -> bench(Setup.acceptance(CHACHA));
                            case 2 ->
                                    bench(
                                            Setup.acceptance(
                                                    AES_128,
                                                    Setup.key(AES_128, null, 0xa0),
                                                    List.of(Setup.key(AES_128, "alice", 0))));
                            default -> bench(Setup.acceptance(Method.AES_128_GCM));
                        };
                assertThat(bench.receive(CLIENT, bad, 0)).isNull();
                assertThat(bench.drops).hasSize(1);
            }
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void anythingTooShortIsDroppedBeforeAnyCipherSeesIt() {
        List<PacketBench> benches =
                List.of(
                        bench(Setup.acceptance(AES_128)),
                        bench(Setup.acceptance(CHACHA)),
                        bench(
                                Setup.acceptance(
                                        AES_128,
                                        Setup.key(AES_128, null, 0xa0),
                                        List.of(Setup.key(AES_128, "alice", 0)))),
                        bench(Setup.acceptance(Method.AES_256_GCM)),
                        bench(plain()));
        int[] shortest = {48, 24 + 48, 64, 32 + 16 + 5, 5};
        for (int b = 0; b < benches.size(); b++) {
            for (int size = 0; size < shortest[b]; size++) {
                assertThat(benches.get(b).receive(CLIENT, new byte[size], 0)).isNull();
            }
            assertThat(new HashSet<>(benches.get(b).drops))
                    .containsExactly("shadowsocks: too short");
            assertThat(benches.get(b).receive(CLIENT, new byte[shortest[b]], 0)).isNull();
            assertThat(benches.get(b).drops.getLast()).isNotEqualTo("shadowsocks: too short");
        }
    }

    @Test
    void answersFollowAClientThatMoved() {
        loop.drawNext(Setup.concat(Setup.counting(1, 8), new byte[4]));
        DatagramClient client = client(Setup.dialling(AES_128));
        PacketBench bench = bench(Setup.acceptance(AES_128));
        Delivered first = bench.receive(CLIENT, seal(client, EXAMPLE, HELLO), 0);
        Delivered second = bench.receive(ELSEWHERE, seal(client, EXAMPLE, HELLO), 1);
        assertThat(second.session()).isSameAs(first.session());
        assertThat(second.session().client()).isEqualTo(ELSEWHERE);
    }

    @Test
    void aKnownSessionIdOfAnotherUserIsAnotherSession() {
        Credential server = Setup.key(AES_128, null, 0xa0);
        Credential alice = Setup.key(AES_128, "alice", 0);
        Credential bob = Setup.key(AES_128, "bob", 50);
        PacketBench bench = bench(Setup.acceptance(AES_128, server, List.of(alice, bob)));
        byte[] id = Setup.concat(Setup.counting(1, 8), new byte[4]);
        loop.drawNext(id);
        DatagramClient first = client(new Dialling(AES_128, List.of(server), alice));
        loop.drawNext(id);
        DatagramClient second = client(new Dialling(AES_128, List.of(server), bob));
        Delivered one = bench.receive(CLIENT, seal(first, EXAMPLE, HELLO), 0);
        Delivered two = bench.receive(CLIENT, seal(second, EXAMPLE, HELLO), 0);
        assertThat(one.session()).isNotSameAs(two.session());
        assertThat(two.session().user()).isEqualTo("bob");
        assertThat(open(first, bench.answer(one.session(), EXAMPLE, WORLD), 0)).isEqualTo(WORLD);
        assertThat(open(second, bench.answer(two.session(), EXAMPLE, WORLD), 0)).isEqualTo(WORLD);
    }

    /// Field case S04: two users at once, each gets its own answers and nobody else's.
    @Test
    void everyUserGetsAnswersUnderItsOwnKey() {
        Credential server = Setup.key(AES_256, null, 0xa0);
        List<Credential> users =
                List.of(Setup.key(AES_256, "alice", 0), Setup.key(AES_256, "bob", 50));
        PacketBench bench = bench(Setup.acceptance(AES_256, server, users));
        List<DatagramClient> clients = new ArrayList<>();
        for (Credential user : users) {
            clients.add(client(new Dialling(AES_256, List.of(server), user)));
        }
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 2; i++) {
                byte[] payload = {(byte) round, (byte) i};
                Delivered got =
                        bench.receive(CLIENT, seal(clients.get(i), EXAMPLE, payload), round);
                assertThat(got.session().user()).isEqualTo(users.get(i).name());
                byte[] answer = bench.answer(got.session(), EXAMPLE, payload);
                assertThat(open(clients.get(i), answer, round)).isEqualTo(payload);
                Buf into = loop.pool().acquire(2000);
                assertThat(clients.get(1 - i).open(buf(answer), into, round)).isNull();
                into.release();
            }
        }
    }

    /// Field case S05: a hundred datagrams, reordered by fifty and doubled, a counter that jumps.
    @Test
    void reorderedDoubledAndJumpingPacketsPassOnce() {
        for (Method method : List.of(AES_128, CHACHA)) {
            DatagramClient client = client(Setup.dialling(method));
            PacketBench bench = bench(Setup.acceptance(method));
            List<byte[]> packets = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                packets.add(seal(client, EXAMPLE, new byte[] {(byte) i}));
            }
            List<byte[]> order = new ArrayList<>(packets.subList(50, 100));
            order.addAll(packets.subList(0, 50));
            order.addAll(packets);
            order.forEach(packet -> bench.receive(CLIENT, packet, 0));
            assertThat(bench.delivered).hasSize(100);
            assertThat(bench.drops).hasSize(100);
            assertThat(bench.delivered.stream().map(Delivered::session).distinct()).hasSize(1);

            for (int i = 0; i < 3_000; i++) {
                seal(client, EXAMPLE, HELLO);
            }
            assertThat(bench.receive(CLIENT, seal(client, EXAMPLE, HELLO), 0)).isNotNull();
        }
    }

    /// Field case S05: the server starts anew in mid-session.
    @Test
    void clientTakesAServerThatStartedAnewAndNoThirdOneAtOnce() {
        for (Method method : List.of(AES_128, CHACHA)) {
            DatagramClient client = client(Setup.dialling(method));
            List<PacketBench> lives = new ArrayList<>();
            List<Delivered> sessions = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                lives.add(bench(Setup.acceptance(method)));
                sessions.add(lives.get(i).receive(CLIENT, seal(client, EXAMPLE, HELLO), 0));
            }
            long second = 1_000_000_000L;
            assertThat(open(client, answer(lives, sessions, 0), 0)).isEqualTo(WORLD);
            assertThat(open(client, answer(lives, sessions, 1), second)).isEqualTo(WORLD);
            assertThat(open(client, answer(lives, sessions, 0), 2 * second)).isEqualTo(WORLD);
            assertThat(open(client, answer(lives, sessions, 2), 61 * second)).isNull();
            assertThat(client.dropReason()).contains("third session");
            assertThat(open(client, answer(lives, sessions, 2), 62 * second)).isEqualTo(WORLD);
            assertThat(open(client, answer(lives, sessions, 1), 63 * second)).isEqualTo(WORLD);
        }
    }

    @Test
    void clientDropsAnswersToAnotherSessionAndForgetsThem() {
        for (Method method : List.of(AES_128, CHACHA)) {
            DatagramClient one = client(Setup.dialling(method));
            DatagramClient two = client(Setup.dialling(method));
            PacketBench bench = bench(Setup.acceptance(method));
            Delivered got = bench.receive(CLIENT, seal(one, EXAMPLE, HELLO), 0);
            byte[] answer = bench.answer(got.session(), EXAMPLE, WORLD);
            assertThat(open(two, answer, 0)).isNull();
            assertThat(two.dropReason()).contains("another session");
            assertThat(open(one, answer, 0)).isEqualTo(WORLD);
        }
    }

    @Test
    void sessionsOutliveTheirFlowByAMinute() {
        DatagramClient client = client(Setup.dialling(AES_128));
        PacketBench bench = bench(Setup.acceptance(AES_128));
        byte[] packet = seal(client, EXAMPLE, HELLO);
        Delivered got = bench.receive(CLIENT, packet, 0);
        bench.server().onFlowEnd(got.session(), 1);
        sweepUntil(bench.server(), 59_000_000_000L);
        assertThat(bench.receive(CLIENT, packet, 59_000_000_000L)).as("still a replay").isNull();
        assertThat(bench.receive(CLIENT, seal(client, EXAMPLE, HELLO), 59_000_000_000L).session())
                .isSameAs(got.session());
        sweepUntil(bench.server(), 130_000_000_000L);
        assertThat(bench.server().deadlineNanos()).isEqualTo(sluice.base.time.Deadline.NONE);
    }

    @Test
    void sessionsWithALivingFlowStay() {
        DatagramClient client = client(Setup.dialling(AES_128));
        PacketBench bench = bench(Setup.acceptance(AES_128));
        Delivered got = bench.receive(CLIENT, seal(client, EXAMPLE, HELLO), 0);
        got.session().flow("alive");
        sweepUntil(bench.server(), 600_000_000_000L);
        assertThat(bench.receive(CLIENT, seal(client, EXAMPLE, HELLO), 1).session())
                .isSameAs(got.session());
    }

    /// Field case M03: 100,000 sources, a table that stays bounded.
    @Test
    void theTableOfSessionsIsBoundedTheSilentOnesGoFirst() {
        SessionTable<CountedSession> table = new SessionTable<>(Wire.MEMORY_NANOS);
        for (int i = 0; i < 100_000; i++) {
            assertThat(table.findOrNull(i, null, null)).isNull();
            table.add(new CountedSession(table.probedKey()), i);
            assertThat(table.findOrNull(0, null, null)).as("kept by use").isNotNull();
        }
        assertThat(table.count()).isEqualTo(SessionTable.SESSIONS_MAX);
        assertThat(table.findOrNull(99_999, null, null)).isNotNull();
        assertThat(table.findOrNull(1, null, null)).isNull();
    }

    /// Field case S09: one session, so one socket, for whatever a client sends from one port.
    @Test
    void oneClientAddressIsOneSessionWhateverTheTarget() {
        for (Method method : List.of(Method.AES_128_GCM, AES_128, CHACHA)) {
            DatagramClient client = client(Setup.dialling(method));
            PacketBench bench = bench(Setup.acceptance(method));
            for (int i = 0; i < 50; i++) {
                Destination target = new Destination(Host.parse("192.0.2." + i % 2), 7);
                assertThat(bench.receive(CLIENT, seal(client, target, HELLO), i).target())
                        .isEqualTo(target);
            }
            assertThat(bench.delivered.stream().map(Delivered::session).distinct()).hasSize(1);
        }
    }

    @Test
    void aeadSessionsAreClientAddressesAndUsers() {
        List<Credential> users = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            users.add(Credential.ofPassword(Method.AES_128_GCM, "user" + i, "password" + i));
        }
        PacketBench bench = bench(Setup.acceptance(Method.AES_128_GCM, null, users));
        for (int i : new int[] {3, 3, 0, 4}) {
            DatagramClient client =
                    client(new Dialling(Method.AES_128_GCM, List.of(), users.get(i)));
            Delivered got = bench.receive(CLIENT, seal(client, EXAMPLE, HELLO), 0);
            assertThat(got.session().user()).isEqualTo("user" + i);
            assertThat(open(client, bench.answer(got.session(), EXAMPLE, WORLD), 0))
                    .isEqualTo(WORLD);
        }
        assertThat(bench.delivered.get(0).session()).isSameAs(bench.delivered.get(1).session());
        bench.server().onFlowEnd(bench.delivered.get(0).session(), 0);
        DatagramClient client = client(new Dialling(Method.AES_128_GCM, List.of(), users.get(3)));
        assertThat(bench.receive(CLIENT, seal(client, EXAMPLE, HELLO), 0).session())
                .isNotSameAs(bench.delivered.get(0).session());
    }

    @Test
    void plainPacketsAreAnAddressAndData() {
        PacketBench bench = bench(plain());
        DatagramClient client = new PacketClient(loop.services(), Method.NONE, null);
        byte[] packet = seal(client, DNS, HELLO);
        assertThat(packet).isEqualTo(new byte[] {1, 8, 8, 8, 8, 0, 53, 'h', 'e', 'l', 'l', 'o'});
        Delivered got = bench.receive(CLIENT, packet, 0);
        assertThat(got.target()).isEqualTo(DNS);
        assertThat(got.bytes()).isEqualTo(HELLO);
        assertThat(open(client, bench.answer(got.session(), DNS, WORLD), 0)).isEqualTo(WORLD);
    }

    @Test
    void dnsIsPaddedAndNothingElse() {
        DatagramClient client = client(Setup.dialling(AES_128));
        Set<Integer> sizes = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            byte[] packet = seal(client, DNS, HELLO);
            sizes.add(packet.length);
            assertThat(packet.length).isLessThanOrEqualTo(Wire.PADDED_DATAGRAM_BYTES_MAX);
            assertThat(seal(client, EXAMPLE, HELLO)).hasSize(16 + 11 + 15 + 5 + 16);
        }
        assertThat(sizes).hasSizeGreaterThan(150);
        PacketBench bench = bench(Setup.acceptance(AES_128));
        Delivered got = bench.receive(CLIENT, seal(client, DNS, HELLO), 0);
        assertThat(got.bytes()).isEqualTo(HELLO);
    }

    @ParameterizedTest
    @EnumSource(Method.class)
    void packetsOfAllSizesGoThereAndBack(Method method) {
        DatagramClient client =
                method == Method.NONE
                        ? new PacketClient(loop.services(), Method.NONE, null)
                        : client(Setup.dialling(method));
        PacketBench bench = bench(method == Method.NONE ? plain() : Setup.acceptance(method));
        Random random = new Random(4);
        for (int size : new int[] {0, 1, 2, 63, 1200, 1472, 9000, 65_000}) {
            byte[] payload = Setup.random(size, size);
            Destination target =
                    List.of(DNS, EXAMPLE, new Destination(Host.parse("2001:db8::7"), 443))
                            .get(random.nextInt(3));
            Delivered got = bench.receive(CLIENT, seal(client, target, payload), 0);
            assertThat(got.bytes()).isEqualTo(payload);
            assertThat(got.target()).isEqualTo(target);
            byte[] answer = bench.answer(got.session(), target, payload);
            assertThat(answer.length - size).isLessThanOrEqualTo(bench.server().overheadBytes());
            assertThat(open(client, answer, 0)).isEqualTo(payload);
        }
        assertThat(seal(client, EXAMPLE, new byte[65_507])).isNull();
        assertThat(loop.pool().inUse()).isZero();
    }

    private Acceptance plain() {
        return new Acceptance(
                Method.NONE, null, List.of(), sluice.base.machine.Farewell.DRAIN, true, null);
    }

    private byte[] answer(List<PacketBench> lives, List<Delivered> sessions, int life) {
        return lives.get(life).answer(sessions.get(life).session(), EXAMPLE, WORLD);
    }

    private static void sweepUntil(DatagramServer server, long nowNanos) {
        for (int i = 0; i < 100 && server.deadlineNanos() - nowNanos <= 0; i++) {
            server.onDeadline(server.deadlineNanos());
        }
    }

    private PacketBench bench(Acceptance acceptance) {
        return new PacketBench(
                new ShadowsocksInbound(acceptance, true, true, false)
                        .serveDatagrams(loop.services(), Setup.LOCAL),
                loop.pool());
    }

    private DatagramClient client(Dialling dialling) {
        return dialling.method().is2022()
                ? new PacketClient2022(loop.services(), dialling)
                : new PacketClient(loop.services(), dialling.method(), dialling.user());
    }

    private byte @Nullable [] seal(DatagramClient client, Destination target, byte[] payload) {
        Buf in = buf(payload);
        Buf out = loop.pool().acquire(payload.length + client.overheadBytes());
        byte[] packet = client.seal(target, in, out, 0) ? out.toBytes() : null;
        in.release();
        out.release();
        return packet;
    }

    private byte @Nullable [] open(DatagramClient client, byte[] packet, long nowNanos) {
        Buf in = buf(packet);
        Buf out = loop.pool().acquire(packet.length);
        byte[] payload = client.open(in, out, nowNanos) == null ? null : out.toBytes();
        in.release();
        out.release();
        return payload;
    }

    private Buf buf(byte[] bytes) {
        Buf buf = loop.pool().acquire(bytes.length);
        buf.put(bytes);
        return buf;
    }

    private static final class CountedSession extends SessionTable.Session {
        CountedSession(SessionKey key) {
            super(key, CLIENT, null);
        }
    }
}
