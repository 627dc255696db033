package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.shadowsocks.Setup.EDITION_2022;
import static sluice.protocol.shadowsocks.Setup.EXAMPLE;
import static sluice.protocol.shadowsocks.Setup.concat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.secure.crypto.Ciphers;

/// SIP022 and SIP023 streams against vectors and against the tables of what to accept.
class Stream2022Test {

    private static final String GET = "GET / HTTP/1.1\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\n\r\n";
    private static final Method AES_128 = Method.BLAKE3_AES_128_GCM;

    private final LoopFixture loop = new LoopFixture(1);

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"BLAKE3_AES_128_GCM", "BLAKE3_AES_256_GCM", "BLAKE3_CHACHA20_POLY1305"})
    void serverTakesTheRequestAndAnswersAsTheVectorsSay(Method method) {
        String prefix = Setup.prefix(method);
        MachineSide side = server(Setup.acceptance(method));
        side.receive(EDITION_2022.get(prefix + ".req"), 0);
        assertThat(side.opened()).isEqualTo(EXAMPLE);
        side.receive(EDITION_2022.get(prefix + ".req.next"), 0);
        assertThat(side.deliveredText()).isEqualTo(GET + "ping");
        side.opened(OpenOutcome.OK, 0);

        loop.epochSeconds(1_700_000_001);
        loop.drawNext(Setup.counting(0x60, method.keyBytes()));
        side.payload(bytes(OK), 0);
        assertThat(side.takeSent()).isEqualTo(EDITION_2022.get(prefix + ".resp"));
        assertThat(side.sends()).hasSize(1);
        side.payload(bytes("pong"), 0);
        assertThat(side.takeSent()).isEqualTo(EDITION_2022.get(prefix + ".resp.next"));
        assertThat(loop.pool().inUse()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"BLAKE3_AES_128_GCM", "BLAKE3_AES_256_GCM", "BLAKE3_CHACHA20_POLY1305"})
    void clientAsksAndTakesTheAnswerAsTheVectorsSay(Method method) {
        String prefix = Setup.prefix(method);
        MachineSide side = client(Setup.dialling(method));
        loop.drawNext(Setup.counting(0x20, method.keyBytes()));
        side.payload(bytes(GET), 0);
        assertThat(side.takeSent()).isEqualTo(EDITION_2022.get(prefix + ".req"));
        assertThat(side.sends()).hasSize(1);
        side.payload(bytes("ping"), 0);
        assertThat(side.takeSent()).isEqualTo(EDITION_2022.get(prefix + ".req.next"));

        side.receive(EDITION_2022.get(prefix + ".resp"), 0);
        side.receive(EDITION_2022.get(prefix + ".resp.next"), 0);
        assertThat(side.deliveredText()).isEqualTo(OK + "pong");
        assertThat(loop.pool().inUse()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"BLAKE3_AES_128_GCM,tcp128", "BLAKE3_AES_256_GCM,tcp256"})
    void subkeysMatchTheVectors(Method method, String prefix) {
        Ciphers ciphers = new Ciphers();
        Credential user = Setup.user(method);
        byte[] salt1 = EDITION_2022.get(prefix + ".salt1");
        byte[] salt2 = EDITION_2022.get(prefix + ".salt2");
        assertThat(Subkeys.ofSalt(ciphers, method, user, salt1, 0).getEncoded())
                .isEqualTo(EDITION_2022.get(prefix + ".sub1"));
        assertThat(Subkeys.ofSalt(ciphers, method, user, salt2, 0).getEncoded())
                .isEqualTo(EDITION_2022.get(prefix + ".sub2"));
    }

    @ParameterizedTest
    @CsvSource({"BLAKE3_AES_128_GCM,eih128", "BLAKE3_AES_256_GCM,eih256"})
    void identityHeadersMatchTheVectors(Method method, String prefix) {
        Credential server = Setup.key(method, null, 0xa0);
        Credential user = Setup.key(method, "alice", 0);
        MachineSide client = client(new Dialling(method, List.of(server), user));
        loop.drawNext(Setup.counting(0x20, method.keyBytes()));
        client.payload(bytes(GET), 0);
        assertThat(client.sent()).isEqualTo(EDITION_2022.get(prefix + ".req"));

        Credential other = Setup.key(method, "bob", 1);
        MachineSide side = server(Setup.strict(method, server, List.of(other, user)));
        side.receive(EDITION_2022.get(prefix + ".req"), 0);
        assertThat(side.user()).isEqualTo("alice");
        assertThat(side.deliveredText()).isEqualTo(GET);
        side.opened(OpenOutcome.OK, 0);
        loop.epochSeconds(1_700_000_001);
        loop.drawNext(Setup.counting(0x60, method.keyBytes()));
        side.payload(bytes(OK), 0);
        assertThat(side.sent()).isEqualTo(EDITION_2022.get(prefix.replace("eih", "tcp") + ".resp"));
    }

    @Test
    void twoIdentityHeadersMatchTheVectors() {
        Credential first = Setup.key(AES_128, null, 0xa0);
        Credential second = Setup.key(AES_128, null, 0xc0);
        MachineSide client =
                client(new Dialling(AES_128, List.of(first, second), Setup.user(AES_128)));
        loop.drawNext(Setup.counting(0x20, 16));
        client.payload(bytes(GET), 0);
        byte[] sent = client.sent();
        assertThat(Arrays.copyOfRange(sent, 16, 32))
                .isEqualTo(EDITION_2022.get("chain128.tcp.eih1"));
        assertThat(Arrays.copyOfRange(sent, 32, 48))
                .isEqualTo(EDITION_2022.get("chain128.tcp.eih2"));
        byte[] plain = EDITION_2022.get("tcp128.req");
        assertThat(Arrays.copyOfRange(sent, 48, sent.length))
                .isEqualTo(Arrays.copyOfRange(plain, 16, plain.length));
    }

    @Test
    void aRelayTakesItsHeaderOutAndPassesTheRestOn() {
        Credential first = Setup.key(AES_128, null, 0xa0);
        Credential second = Setup.key(AES_128, "second", 0xc0).to(AES_128, EXAMPLE);
        Credential last = Setup.user(AES_128);
        MachineSide client = client(new Dialling(AES_128, List.of(first, second), last));
        client.payload(bytes(GET), 0);
        byte[] wire = client.sent();

        MachineSide relay =
                new MachineSide(
                        new IdentityRelay(
                                loop.services(),
                                Setup.strict(AES_128, first, List.of(second)),
                                first),
                        loop.pool());
        relay.start(0);
        relay.receive(wire, 0);
        assertThat(relay.opened()).isEqualTo(EXAMPLE);
        assertThat(relay.user()).isEqualTo("second");
        assertThat(relay.delivered())
                .isEqualTo(
                        concat(Arrays.copyOf(wire, 16), Arrays.copyOfRange(wire, 32, wire.length)));
        relay.opened(OpenOutcome.OK, 0);
        assertThat(relay.isTransparent()).isTrue();
        relay.payload(bytes("untouched"), 0);
        assertThat(relay.sent()).isEqualTo(bytes("untouched"));

        MachineSide server =
                server(Setup.strict(AES_128, Setup.key(AES_128, null, 0xc0), List.of(last)));
        server.receive(relay.delivered(), 0);
        assertThat(server.deliveredText()).isEqualTo(GET);
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void aRelayRefusesWhomItDoesNotKnow() {
        Credential own = Setup.key(AES_128, null, 0xa0);
        MachineSide relay =
                new MachineSide(
                        new IdentityRelay(
                                loop.services(),
                                Setup.strict(
                                        AES_128,
                                        own,
                                        List.of(Setup.key(AES_128, "x", 9).to(AES_128, EXAMPLE))),
                                own),
                        loop.pool());
        relay.start(0);
        relay.receive(EDITION_2022.get("eih128.req"), 0);
        assertThat(relay.fault().kind()).isEqualTo(PeerFault.Kind.UNAUTHENTICATED);
        assertThat(relay.farewell()).isEqualTo(Farewell.RESET);
        assertThat(relay.opens()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1699999970,true",
        "1700000000,true",
        "1700000030,true",
        "1699999969,false",
        "1700000031,false"
    })
    void clocksMayDifferByThirtySecondsAndNoMore(long now, boolean isAccepted) {
        loop.epochSeconds(now);
        MachineSide side = server(Setup.acceptance(AES_128));
        side.receive(EDITION_2022.get("tcp128.req"), 0);
        assertThat(side.opened() != null).isEqualTo(isAccepted);
        if (!isAccepted) {
            assertThat(side.farewell()).isEqualTo(Farewell.RESET);
            assertThat(side.fault().reason()).contains("differs by 31 s");
        }
    }

    @Test
    void aWrongClockIsNamedWithTheDifference() {
        loop.epochSeconds(1_700_000_123);
        MachineSide side = server(Setup.acceptance(AES_128));
        side.receive(EDITION_2022.get("tcp128.req"), 0);
        assertThat(side.fault().reason()).contains("client's clock differs by 123 s (behind)");

        loop.epochSeconds(1_700_000_000);
        MachineSide client = client(Setup.dialling(AES_128));
        loop.drawNext(Setup.counting(0x20, 16));
        client.payload(bytes(GET), 0);
        loop.epochSeconds(1_699_999_000);
        client.receive(EDITION_2022.get("tcp128.resp"), 0);
        assertThat(client.fault().reason()).contains("server's clock differs by 1001 s (ahead)");
        assertThat(client.farewell()).isEqualTo(Farewell.RESET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nopad", "padover", "type1", "ts31", "tshuge"})
    void refusesTheNegativeVectors(String name) {
        MachineSide side = server(Setup.acceptance(AES_128));
        side.receive(EDITION_2022.get("neg128." + name), 0);
        assertThat(side.fault()).isNotNull();
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
        assertThat(side.opens()).isZero();
        assertThat(side.sent()).isEmpty();
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void acceptsARequestThatIsAllPadding() {
        for (String prefix : new String[] {"tcp128", "tcp256", "tcpcc"}) {
            Method method =
                    prefix.equals("tcp128")
                            ? AES_128
                            : prefix.equals("tcp256")
                                    ? Method.BLAKE3_AES_256_GCM
                                    : Method.BLAKE3_CHACHA20_POLY1305;
            MachineSide side = server(Setup.acceptance(method));
            side.receive(EDITION_2022.get(prefix + ".req2"), 0);
            assertThat(side.opened()).isEqualTo(EXAMPLE);
            assertThat(side.deliveries()).isEmpty();
        }
    }

    @Test
    void takesMorePaddingThanItWouldSend() {
        MachineSide side = server(Setup.acceptance(AES_128));
        side.receive(request(variable(901, new byte[0])), 0);
        assertThat(side.opened()).isEqualTo(EXAMPLE);
    }

    @Test
    void headersDoNotReachBeyondTheirChunk() {
        // The padding would fit only if the chunk behind it were counted in.
        Sealing peer = new Sealing(AES_128, Setup.user(AES_128), Setup.counting(0x20, 16));
        byte[] variable = variable(0, new byte[0]);
        variable[variable.length - 1] = 10;
        byte[] wire =
                concat(
                        peer.salt(),
                        peer.record(fixed(0, 1_700_000_000, variable.length)),
                        peer.record(variable),
                        peer.chunk(new byte[100]));
        MachineSide side = server(Setup.acceptance(AES_128));
        side.receive(wire, 0);
        assertThat(side.fault().reason()).contains("does not parse");
        assertThat(side.opens()).isZero();
    }

    @Test
    void aFlippedBitAnywhereIsABadPeer() {
        for (String name : new String[] {"tcp128.req", "eih128.req"}) {
            byte[] request = EDITION_2022.get(name);
            for (int i = 0; i < request.length; i++) {
                byte[] bad = request.clone();
                bad[i] ^= 0x10;
                boolean isEih = name.startsWith("eih");
                MachineSide side =
                        server(
                                isEih
                                        ? eihAcceptance(true)
                                        : Setup.strict(
                                                AES_128, null, List.of(Setup.user(AES_128))));
                side.receive(bad, 0);
                assertThat(side.farewell()).isEqualTo(Farewell.RESET);
                assertThat(side.opens()).isZero();
                assertThat(side.sent()).isEmpty();
            }
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    /// Field case S07.
    @Test
    void theSameFirstPacketTwiceIsABadPeerAndLooksLikeGarbage() {
        Acceptance acceptance = Setup.strict(AES_128, null, List.of(Setup.user(AES_128)));
        MachineSide first = server(acceptance);
        first.receive(EDITION_2022.get("tcp128.req"), 0);
        assertThat(first.opened()).isEqualTo(EXAMPLE);

        MachineSide second = server(acceptance);
        second.receive(EDITION_2022.get("tcp128.req"), 25_000_000_000L);
        MachineSide garbage = server(acceptance);
        garbage.receive(Setup.random(1, EDITION_2022.get("tcp128.req").length), 0);
        assertThat(second.fault().reason()).contains("seen before");
        assertThat(second.farewell()).isEqualTo(garbage.farewell()).isEqualTo(Farewell.RESET);
        assertThat(second.sent()).isEqualTo(garbage.sent()).isEmpty();
        assertThat(second.opens()).isZero();
    }

    @Test
    void saltsAreInheritedByTheNextConfiguration() {
        Acceptance before = Setup.strict(AES_128, null, List.of(Setup.user(AES_128)));
        server(before).receive(EDITION_2022.get("tcp128.req"), 0);
        Acceptance after = Setup.strict(AES_128, null, List.of(Setup.user(AES_128)));
        new ShadowsocksInbound(after, true, true, false)
                .inherit(new ShadowsocksInbound(before, true, true, false));
        MachineSide side = server(after);
        side.receive(EDITION_2022.get("tcp128.req"), 1);
        assertThat(side.fault().reason()).contains("seen before");
    }

    @Test
    void saltsOfGarbageAreNotRemembered() {
        Acceptance acceptance = Setup.acceptance(AES_128);
        byte[] poison = EDITION_2022.get("tcp128.req");
        poison[20] ^= 1;
        MachineSide attacker = server(acceptance);
        attacker.receive(poison, 0);
        assertThat(attacker.fault()).isNotNull();
        MachineSide honest = server(acceptance);
        honest.receive(EDITION_2022.get("tcp128.req"), 0);
        assertThat(honest.opened()).isEqualTo(EXAMPLE);
    }

    @ParameterizedTest
    @CsvSource({"tcp128.req,42,43", "eih128.req,58,59"})
    void theFirstReadMustHoldTheHeaderUnlessSegmentsAreAllowed(String name, int less, int enough) {
        byte[] request = EDITION_2022.get(name);
        boolean isEih = name.startsWith("eih");
        MachineSide strict = server(isEih ? eihAcceptance(true) : strictAcceptance());
        strict.receive(Arrays.copyOf(request, less), 0);
        assertThat(strict.farewell()).isEqualTo(Farewell.RESET);

        MachineSide whole = server(isEih ? eihAcceptance(true) : strictAcceptance());
        whole.receive(Arrays.copyOf(request, enough), 0);
        assertThat(whole.fault()).isNull();
        whole.receive(Arrays.copyOfRange(request, enough, request.length), 0);
        assertThat(whole.opened()).isEqualTo(EXAMPLE);

        MachineSide lenient = server(isEih ? eihAcceptance(false) : Setup.acceptance(AES_128));
        lenient.receiveInPieces(request, 1, 0);
        assertThat(lenient.opened()).isEqualTo(EXAMPLE);
        assertThat(lenient.deliveredText()).isEqualTo(GET);
    }

    /// Field case S08: for every length and cut of garbage the same end, and no byte in answer.
    @Test
    void theEndDoesNotDependOnHowMuchGarbageCame() {
        for (int size = 1; size <= 221; size++) {
            for (int piece : new int[] {1, size}) {
                MachineSide side = server(strictAcceptance());
                side.receiveInPieces(Setup.random(size, size), piece, 0);
                assertThat(side.farewell()).isEqualTo(Farewell.RESET);
                assertThat(side.sent()).isEmpty();
            }
        }
    }

    @Test
    void unknownIdentitiesAreBadPeers() {
        MachineSide side =
                server(
                        Setup.strict(
                                AES_128,
                                Setup.key(AES_128, null, 0xa0),
                                List.of(Setup.key(AES_128, "bob", 1))));
        side.receive(EDITION_2022.get("eih128.req"), 0);
        assertThat(side.fault().reason()).contains("names no user");
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    @Test
    void emptyChunksAreRefusedAndFullOnesAreNot() {
        Sealing peer = new Sealing(AES_128, Setup.user(AES_128), Setup.counting(0x20, 16));
        byte[] variable = variable(1, new byte[0]);
        byte[] head =
                concat(
                        peer.salt(),
                        peer.record(fixed(0, 1_700_000_000, variable.length)),
                        peer.record(variable),
                        peer.chunk(new byte[0xffff]));
        MachineSide side = server(Setup.acceptance(AES_128));
        side.receive(head, 0);
        assertThat(side.delivered()).hasSize(0xffff);
        side.receive(peer.chunk(new byte[0]), 0);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    @Test
    void clientRefusesTheAnswerToAnotherRequest() {
        MachineSide side = client(Setup.dialling(AES_128));
        loop.drawNext(Setup.counting(0x20, 16));
        side.payload(bytes(GET), 0);
        side.receive(EDITION_2022.get("neg128.respsalt"), 0);
        assertThat(side.fault().reason()).contains("another request");
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    @Test
    void clientRefusesRequestsEmptyAnswersAndFlippedBits() {
        byte[] salt = Setup.counting(0x20, 16);
        Stream.of(
                        fixedResponse(0, 1_700_000_000, salt, 5),
                        fixedResponse(1, 1_700_000_031, salt, 5),
                        fixedResponse(1, 1_699_999_969, salt, 5),
                        fixedResponse(1, 1_700_000_000, salt, 0))
                .forEach(header -> {
                    Sealing peer =
                            new Sealing(AES_128, Setup.user(AES_128), Setup.counting(0x60, 16));
                    MachineSide side = client(Setup.dialling(AES_128));
                    loop.drawNext(salt);
                    side.payload(bytes(GET), 0);
                    side.receive(
                            concat(peer.salt(), peer.record(header), peer.record(new byte[5])), 0);
                    assertThat(side.farewell()).isEqualTo(Farewell.RESET);
                    assertThat(side.delivered()).isEmpty();
                });
        byte[] response = EDITION_2022.get("tcp128.resp");
        for (int i = 0; i < response.length; i++) {
            MachineSide side = client(Setup.dialling(AES_128));
            loop.drawNext(salt);
            side.payload(bytes(GET), 0);
            byte[] bad = response.clone();
            bad[i] ^= 1;
            side.receive(bad, 0);
            assertThat(side.farewell()).isEqualTo(Farewell.RESET);
            assertThat(side.delivered()).isEmpty();
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void anEndBeforeTheAnswerIsATargetThatClosedWithoutAWord() {
        MachineSide side = client(Setup.dialling(AES_128));
        side.payload(bytes(GET), 0);
        side.receiveEnd(0);
        assertThat(side.deliveredEnd()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void theFirstFlightIsPaddedAtRandomWhenTheApplicationIsSilent() {
        int shortest = Integer.MAX_VALUE;
        int longest = 0;
        for (int i = 0; i < 400; i++) {
            MachineSide side = client(Setup.dialling(AES_128));
            side.tick(Wire.FIRST_PAYLOAD_NANOS);
            assertThat(side.sends()).hasSize(1);
            int padding = side.sent().length - (16 + 27 + 15 + 2 + 16);
            assertThat(padding).isBetween(1, 900);
            shortest = Math.min(shortest, padding);
            longest = Math.max(longest, padding);
            MachineSide server = server(Setup.acceptance(AES_128));
            server.receive(side.sent(), 0);
            assertThat(server.opened()).isEqualTo(EXAMPLE);
        }
        assertThat(shortest).isLessThan(30);
        assertThat(longest).isGreaterThan(870);
    }

    @Test
    void aLargeFirstPayloadGoesInOneSend() {
        MachineSide client = client(Setup.dialling(AES_128));
        byte[] payload = Setup.random(1, 200_000);
        client.payload(payload, 0);
        assertThat(client.sends()).hasSize(1);
        MachineSide server = server(Setup.acceptance(AES_128));
        server.receive(client.sent(), 0);
        assertThat(server.delivered()).isEqualTo(payload);
        assertThat(server.deliveries()).hasSize(1);
        server.opened(OpenOutcome.OK, 0);
        server.payload(payload, 0);
        assertThat(server.sends()).hasSize(1);
        client.receive(server.sent(), 0);
        assertThat(client.delivered()).isEqualTo(payload);
        assertThat(loop.pool().inUse()).isZero();
    }

    private byte[] request(byte[] variable) {
        Sealing peer = new Sealing(AES_128, Setup.user(AES_128), Setup.counting(0x20, 16));
        return concat(
                peer.salt(),
                peer.record(fixed(0, 1_700_000_000, variable.length)),
                peer.record(variable));
    }

    private static byte[] fixed(int type, long timestamp, int length) {
        byte[] header = new byte[11];
        header[0] = (byte) type;
        Wire.putLong(header, 1, timestamp);
        Wire.putShort(header, 9, length);
        return header;
    }

    private static byte[] fixedResponse(int type, long timestamp, byte[] salt, int length) {
        byte[] header = new byte[11 + salt.length];
        header[0] = (byte) type;
        Wire.putLong(header, 1, timestamp);
        System.arraycopy(salt, 0, header, 9, salt.length);
        Wire.putShort(header, 9 + salt.length, length);
        return header;
    }

    /// A variable header for example.com:443.
    private static byte[] variable(int padding, byte[] payload) {
        byte[] address = Arrays.copyOf(EDITION_2022.get("tcp128.varplain"), 15);
        byte[] length = new byte[2];
        Wire.putShort(length, 0, padding);
        return concat(address, length, new byte[padding], payload);
    }

    private static Acceptance strictAcceptance() {
        return Setup.strict(AES_128, null, List.of(Setup.user(AES_128)));
    }

    private static Acceptance eihAcceptance(boolean isStrict) {
        Credential server = Setup.key(AES_128, null, 0xa0);
        List<Credential> users = List.of(Setup.key(AES_128, "alice", 0));
        return isStrict
                ? Setup.strict(AES_128, server, users)
                : Setup.acceptance(AES_128, server, users);
    }

    private MachineSide server(Acceptance acceptance) {
        MachineSide side =
                new MachineSide(new Server2022(loop.services(), acceptance), loop.pool());
        side.start(0);
        return side;
    }

    private MachineSide client(Dialling dialling) {
        MachineSide side =
                new MachineSide(new Client2022(loop.services(), dialling, EXAMPLE), loop.pool());
        side.start(0);
        return side;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
