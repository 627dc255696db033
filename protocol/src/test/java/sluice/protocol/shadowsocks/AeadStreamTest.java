package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.shadowsocks.Setup.AEAD;
import static sluice.protocol.shadowsocks.Setup.CLIENT;
import static sluice.protocol.shadowsocks.Setup.concat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;

/// SIP004 streams against vectors and against the table of what to accept.
class AeadStreamTest {

    private static final Destination WEB = new Destination(Host.parse("example.com"), 80);
    private static final String GET = "GET / HTTP/1.0\r\n\r\n";

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
    void serverTakesThePublishedRequest(Method method) {
        MachineSide side = server(method);
        side.receive(AEAD.get(method + ".req"), 0);
        assertThat(side.opened()).isEqualTo(WEB);
        side.opened(OpenOutcome.OK, 0);
        side.receive(AEAD.get(method + ".chunk2"), 0);
        assertThat(side.deliveredText()).isEqualTo(GET + "ping");
        assertThat(loop.pool().inUse()).isZero();
    }

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
    void clientSendsThePublishedRequestInOneWrite(Method method) {
        MachineSide side = client(method);
        loop.drawNext(Setup.aeadSalt(method));
        side.payload(GET.getBytes(StandardCharsets.UTF_8), 0);
        assertThat(side.takeSent()).isEqualTo(AEAD.get(method + ".req"));
        assertThat(side.sends()).hasSize(1);
        side.payload("ping".getBytes(StandardCharsets.UTF_8), 0);
        assertThat(side.takeSent()).isEqualTo(AEAD.get(method + ".chunk2"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"AES_128_GCM", "AES_192_GCM", "AES_256_GCM", "CHACHA20_IETF_POLY1305"})
    void fullChunksMatchThePublishedDigests(Method method) throws Exception {
        for (int size : new int[] {16_383, 16_384}) {
            MachineSide side = server(method);
            side.receive(AEAD.get(method + ".req"), 0);
            side.opened(OpenOutcome.OK, 0);
            loop.drawNext(Setup.aeadSalt(method));
            side.payload(Setup.counting(0, size), 0);
            byte[] sent = side.sent();
            byte[] wire = Arrays.copyOfRange(sent, method.keyBytes(), sent.length);
            assertThat(MessageDigest.getInstance("SHA-256").digest(wire))
                    .isEqualTo(AEAD.get(method + ".sha256of" + size));
        }
    }

    @Test
    void responseCarriesTheSaltTogetherWithTheFirstPayload() {
        MachineSide side = server(Method.AES_128_GCM);
        side.receive(AEAD.get("aes-128-gcm.req"), 0);
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.sent()).isEmpty();
        loop.drawNext(Setup.aeadSalt(Method.AES_128_GCM));
        side.payload(new byte[] {0x41}, 0);
        assertThat(side.sent())
                .isEqualTo(concat(Setup.aeadSalt(Method.AES_128_GCM), AEAD.get("aes-128-gcm.one")));
        assertThat(side.sends()).hasSize(1);
    }

    @Test
    void emptyChunksAreSkipped() {
        MachineSide side = client(Method.AES_128_GCM);
        side.receive(AEAD.get("aead128.zerochunk"), 0);
        assertThat(side.fault()).isNull();
        assertThat(side.delivered()).isEmpty();
        side.receiveEnd(0);
        assertThat(side.deliveredEnd()).isTrue();
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void manyEmptyChunksAreNot() {
        Sealing peer = new Sealing(Method.AES_128_GCM);
        byte[] flood = peer.salt();
        for (int i = 0; i < 17; i++) {
            flood = concat(flood, peer.chunk(new byte[0]));
        }
        MachineSide side = client(Method.AES_128_GCM);
        side.receive(flood, 0);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    @Test
    void lengthsAboveTheLimitAreRefused() {
        MachineSide side = client(Method.AES_128_GCM);
        side.receive(AEAD.get("negaead128.len4000"), 0);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TOO_LARGE);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);

        MachineSide server = server(Method.AES_128_GCM);
        server.receive(AEAD.get("negaead128.len4000"), 0);
        assertThat(server.fault().kind()).isEqualTo(PeerFault.Kind.TOO_LARGE);
        assertThat(server.farewell()).isEqualTo(Farewell.DRAIN);
    }

    @Test
    void anAddressMaySpreadOverChunks() {
        Sealing peer = new Sealing(Method.AES_128_GCM);
        byte[] address = {
            3, 11, 'e', 'x', 'a', 'm', 'p', 'l', 'e', '.', 'c', 'o', 'm', 0, 80, 'h', 'i'
        };
        byte[] wire = peer.salt();
        for (byte each : address) {
            wire = concat(wire, peer.chunk(new byte[] {each}));
        }
        for (int piece : new int[] {1, 7, 35, wire.length}) {
            MachineSide side = server(Method.AES_128_GCM);
            side.receiveInPieces(wire, piece, 0);
            assertThat(side.opened()).isEqualTo(WEB);
            assertThat(side.deliveredText()).isEqualTo("hi");
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void badAddressesAreBadPeers() {
        for (byte[] address :
                new byte[][] {{5, 1, 2, 3, 4, 0, 80}, {3, 0, 0, 80}, {0x11, 1, 2, 3, 4, 0, 80}}) {
            Sealing peer = new Sealing(Method.AES_128_GCM);
            MachineSide side = server(Method.AES_128_GCM);
            side.receive(concat(peer.salt(), peer.chunk(address), peer.chunk(new byte[3])), 0);
            assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
            assertThat(side.farewell()).isEqualTo(Farewell.DRAIN);
            assertThat(side.opened()).isNull();
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void aFlippedBitBeforeTheAddressIsABadPeerAndABreakBehindIt() {
        byte[] request = AEAD.get("aes-128-gcm.req");
        for (int i = 0; i < request.length; i++) {
            byte[] bad = request.clone();
            bad[i] ^= 4;
            MachineSide side = server(Method.AES_128_GCM);
            side.receive(bad, 0);
            assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.UNAUTHENTICATED);
            assertThat(side.farewell()).isEqualTo(Farewell.DRAIN);
            assertThat(side.sent()).isEmpty();
            assertThat(side.opens()).isZero();
        }
        byte[] chunk = AEAD.get("aes-128-gcm.chunk2");
        for (int i = 0; i < chunk.length; i++) {
            byte[] bad = chunk.clone();
            bad[i] ^= 4;
            MachineSide side = server(Method.AES_128_GCM);
            side.receive(concat(request, bad), 0);
            assertThat(side.opened()).isEqualTo(WEB);
            assertThat(side.farewell()).isEqualTo(Farewell.RESET);
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    /// Field case S07: the same first packet twice looks like garbage the second time.
    @Test
    void theSameFirstPacketTwiceIsABadPeer() {
        Acceptance acceptance = Setup.acceptance(Method.AES_128_GCM);
        MachineSide first = server(acceptance);
        first.receive(AEAD.get("aes-128-gcm.req"), 0);
        assertThat(first.fault()).isNull();
        MachineSide second = server(acceptance);
        second.receive(AEAD.get("aes-128-gcm.req"), 1);
        MachineSide garbage = server(acceptance);
        garbage.receive(Setup.random(1, AEAD.get("aes-128-gcm.req").length), 1);

        assertThat(second.fault().reason()).contains("seen before");
        assertThat(second.farewell()).isEqualTo(Farewell.DRAIN).isEqualTo(garbage.farewell());
        assertThat(second.sent()).isEqualTo(garbage.sent()).isEmpty();
        assertThat(second.opens()).isZero();
    }

    @Test
    void garbageDoesNotPoisonTheSaltsOfOthers() {
        Acceptance acceptance = Setup.acceptance(Method.AES_128_GCM);
        byte[] poison = AEAD.get("aes-128-gcm.req");
        poison[40] ^= 1;
        poison[20] ^= 1;
        MachineSide attacker = server(acceptance);
        attacker.receive(poison, 0);
        assertThat(attacker.fault()).isNotNull();
        MachineSide honest = server(acceptance);
        honest.receive(AEAD.get("aes-128-gcm.req"), 0);
        assertThat(honest.opened()).isEqualTo(WEB);
    }

    /// Field case S08: for every length and cut of garbage the same end, and no byte in answer.
    @Test
    void theEndDoesNotDependOnHowMuchGarbageCame() {
        for (Method method : List.of(Method.AES_128_GCM, Method.CHACHA20_IETF_POLY1305)) {
            for (int size = 1; size <= 221; size++) {
                for (int piece : new int[] {1, size}) {
                    MachineSide side = server(method);
                    side.receiveInPieces(Setup.random(size, size), piece, 0);
                    boolean isDecided = side.isOver();
                    assertThat(side.farewell()).isEqualTo(isDecided ? Farewell.DRAIN : null);
                    assertThat(side.sent()).isEmpty();
                    assertThat(side.isClosed()).isFalse();
                    side.receiveEnd(0);
                    assertThat(side.farewell()).isEqualTo(Farewell.DRAIN);
                }
            }
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void theEndOnAChunksBoundaryIsAHalfClose() {
        MachineSide side = server(Method.AES_256_GCM);
        side.receive(AEAD.get("aes-256-gcm.req"), 0);
        side.opened(OpenOutcome.OK, 0);
        side.receiveEnd(0);
        assertThat(side.deliveredEnd()).isTrue();
        side.payload(new byte[10], 0);
        side.payloadEnd(0);
        assertThat(side.ended()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void theEndInsideAChunkIsACut() {
        byte[] chunk = AEAD.get("aes-256-gcm.chunk2");
        for (int cut = 1; cut < chunk.length; cut++) {
            MachineSide side = server(Method.AES_256_GCM);
            side.receive(AEAD.get("aes-256-gcm.req"), 0);
            side.receive(Arrays.copyOf(chunk, cut), 0);
            side.receiveEnd(0);
            assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TRUNCATED);
            assertThat(side.farewell()).isEqualTo(Farewell.RESET);
            assertThat(side.deliveredEnd()).isFalse();
        }
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void anEndWithoutAWordIsNoFault() {
        MachineSide silentClient = server(Method.AES_128_GCM);
        silentClient.receiveEnd(0);
        assertThat(silentClient.isClosed()).isTrue();
        assertThat(silentClient.fault()).isNull();

        MachineSide silentServer = client(Method.AES_128_GCM);
        silentServer.receiveEnd(0);
        assertThat(silentServer.deliveredEnd()).isTrue();
    }

    @Test
    void anEndInsideTheSaltIsACutForTheClient() {
        MachineSide side = client(Method.AES_128_GCM);
        side.receive(new byte[15], 0);
        side.receiveEnd(0);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TRUNCATED);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    @Test
    void aFailedDialIsAPlainClose() {
        MachineSide side = server(Method.AES_128_GCM);
        side.receive(AEAD.get("aes-128-gcm.req"), 0);
        side.opened(OpenOutcome.REFUSED, 0);
        assertThat(side.isClosed()).isTrue();
        assertThat(side.sent()).isEmpty();
    }

    @Test
    void theAddressGoesAloneWhenTheApplicationIsSilent() {
        MachineSide side = client(Method.AES_128_GCM);
        side.tick(Wire.FIRST_PAYLOAD_NANOS - 1);
        assertThat(side.sent()).isEmpty();
        side.tick(Wire.FIRST_PAYLOAD_NANOS);
        assertThat(side.sent()).hasSize(16 + 18 + 15 + 16);
        assertThat(side.sends()).hasSize(1);
        MachineSide server = server(Method.AES_128_GCM);
        server.receive(side.sent(), 0);
        assertThat(server.opened()).isEqualTo(WEB);
        assertThat(server.deliveries()).isEmpty();
    }

    @Test
    void anEarlyEndSendsTheAddressAndEnds() {
        MachineSide side = client(Method.AES_128_GCM);
        side.payloadEnd(5);
        assertThat(side.sends()).hasSize(1);
        assertThat(side.ended()).isTrue();
    }

    @Test
    void severalUsersAreToldApartByTheirKeys() {
        List<Credential> users = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            users.add(Credential.ofPassword(Method.AES_128_GCM, "user" + i, "password" + i));
        }
        Acceptance acceptance = Setup.acceptance(Method.AES_128_GCM, null, users);
        for (int i : new int[] {7, 7, 0, 19}) {
            MachineSide client =
                    new MachineSide(
                            new AeadClient(
                                    loop.services(),
                                    new Dialling(Method.AES_128_GCM, List.of(), users.get(i)),
                                    WEB),
                            loop.pool());
            client.start(0);
            client.payload(new byte[5], 0);
            MachineSide server = server(acceptance);
            server.receive(client.sent(), 0);
            assertThat(server.user()).isEqualTo("user" + i);
            assertThat(acceptance.recentUserOrNull(CLIENT.address())).isSameAs(users.get(i));
            server.payload(new byte[7], 0);
            client.receive(server.sent(), 0);
            assertThat(client.delivered()).hasSize(7);
        }
    }

    @Test
    void aBatchIsOneDeliveryAndOneSend() {
        MachineSide server = server(Method.AES_128_GCM);
        server.receive(AEAD.get("aes-128-gcm.req"), 0);
        server.opened(OpenOutcome.OK, 0);
        MachineSide client = client(Method.AES_128_GCM);
        client.payload(new byte[1], 0);
        byte[] batch = Setup.random(3, 16 * 16_383);
        server.payload(batch, 0);
        assertThat(server.sends()).containsExactly(16 + batch.length + 16 * 34);
        client.receive(server.sent(), 0);
        assertThat(client.delivered()).isEqualTo(batch);
        assertThat(client.deliveries()).hasSize(1);
        assertThat(loop.pool().inUse()).isZero();
    }

    private MachineSide server(Method method) {
        return server(Setup.acceptance(method));
    }

    private MachineSide server(Acceptance acceptance) {
        MachineSide side =
                new MachineSide(
                        new AeadServer(loop.services(), acceptance, CLIENT.address()), loop.pool());
        side.start(0);
        return side;
    }

    private MachineSide client(Method method) {
        MachineSide side =
                new MachineSide(
                        new AeadClient(loop.services(), Setup.dialling(method), WEB), loop.pool());
        side.start(0);
        assertThat(side.isReady()).isTrue();
        return side;
    }
}
