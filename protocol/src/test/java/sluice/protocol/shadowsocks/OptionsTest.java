package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.ConfigNode;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.config.Secret;
import sluice.base.machine.Farewell;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.LoopFixture;
import sluice.protocol.spi.Outbound;

/// What an operator may say, and what is said to him.
class OptionsTest {

    private static final Place PLACE = new Place("config.json", 4, 9);
    private static final String AES_128 = "2022-blake3-aes-128-gcm";
    private static final String AES_256 = "2022-blake3-aes-256-gcm";
    private static final String CHACHA = "2022-blake3-chacha20-poly1305";

    private final Findings findings = new Findings();
    private final LoopFixture loop = new LoopFixture(1);

    /// Field case S02: keys of the wrong length or form are refused with the reason and the mend.
    @ParameterizedTest
    @CsvSource({AES_128 + ",16", AES_256 + ",32", CHACHA + ",32"})
    void keysOfWrongLengthOrFormAreRefusedHelpfully(String method, int needed) {
        Map<String, String> keys = new TreeMap<>();
        for (int length : new int[] {15, 16, 17, 24, 32, 33}) {
            if (length != needed) {
                keys.put(base64(length), "decodes to " + length + " bytes");
            }
        }
        keys.put("correct horse", "decodes to 9 bytes");
        keys.put("correct horse!", "is not base64 (14 characters)");
        keys.put("0123456789abcdef".repeat(needed / 8), "looks like hexadecimal");
        keys.put("  ", "is empty");
        keys.forEach((key, reason) -> {
            Findings each = new Findings();
            assertThat(inbound(each, "method", method, "password", key)).isNull();
            assertThat(each.errorCount()).isEqualTo(1);
            String text = each.all().getFirst().toString();
            assertThat(text)
                    .contains("in.password")
                    .contains(method)
                    .contains(reason)
                    .contains("base64 of exactly " + needed + " bytes")
                    .contains("sluice generate ss-key " + method)
                    .contains("config.json");
            if (!key.isBlank()) {
                assertThat(text).as("keys stay out of messages").doesNotContain(key);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({AES_128 + ",16", AES_256 + ",32", CHACHA + ",32"})
    void rightKeysPassInEveryForm(String method, int bytes) {
        byte[] key = new byte[bytes];
        java.util.Arrays.fill(key, (byte) 0xfb);
        String strict = Base64.getEncoder().encodeToString(key);
        for (String form :
                List.of(
                        strict,
                        strict.replace("=", ""),
                        Base64.getUrlEncoder().encodeToString(key),
                        Base64.getUrlEncoder().withoutPadding().encodeToString(key),
                        strict + "\n",
                        strict + "\r\n")) {
            ShadowsocksInbound inbound = inbound(findings, "method", method, "password", form);
            assertThat(inbound).isNotNull();
            assertThat(inbound.acceptance().user().key()).isEqualTo(key);
            assertThat(outbound(findings, method, form)).isNotNull();
        }
        assertThat(findings.hasErrors()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"aes-256-gcm", AES_128})
    void emptyAndMissingPasswordsAreRefused(String method) {
        assertThat(inbound(findings, "method", method)).isNull();
        assertThat(inbound(findings, "method", method, "password", "")).isNull();
        assertThat(outbound(findings, method, "")).isNull();
        assertThat(findings.errorCount()).isEqualTo(3);
        assertThat(findings.all().get(0).toString()).contains("needs a password");
        assertThat(findings.all().get(1).toString()).contains("is empty");
    }

    /// Field case S03: several keys in one password.
    @Test
    void chainsOfKeysAreReadAndWrongOnesNamedByPosition() {
        String good = base64(16);
        ShadowsocksOutbound two = outbound(findings, AES_128, good + ":" + base64(16, 7));
        assertThat(two.dialling().relays()).hasSize(1);
        assertThat(two.dialling().relays().getFirst().key()).isEqualTo(new byte[16]);
        assertThat(two.dialling().user().key()[0]).isEqualTo((byte) 7);
        ShadowsocksOutbound three =
                outbound(findings, AES_256, base64(32) + ":" + base64(32, 1) + ":" + base64(32, 2));
        assertThat(three.dialling().relays()).hasSize(2);
        assertThat(findings.hasErrors()).isFalse();

        assertThat(outbound(findings, AES_128, base64(32) + ":" + base64(32))).isNull();
        assertThat(findings.all().get(0).toString())
                .contains("key 1 of 2 decodes to 32 bytes")
                .contains("exactly 16");
        assertThat(findings.all().get(1).toString()).contains("key 2 of 2 decodes to 32 bytes");
    }

    @Test
    void chachaTakesNoChainBecauseIdentityHeadersNeedAes() {
        assertThat(outbound(findings, CHACHA, base64(32) + ":" + base64(32))).isNull();
        assertThat(findings.all().getFirst().toString()).contains("identity headers are AES");
        assertThat(
                        inbound(
                                findings,
                                "method",
                                CHACHA,
                                "password",
                                base64(32),
                                "users",
                                List.of(peer("name", "a", "password", base64(32, 1)))))
                .isNull();
        assertThat(findings.all().get(1).toString()).contains("identity headers");
    }

    @Test
    void serversHaveOneKey() {
        assertThat(
                        inbound(
                                findings,
                                "method",
                                AES_128,
                                "password",
                                base64(16) + ":" + base64(16, 1)))
                .isNull();
        assertThat(findings.all().getFirst().toString()).contains("a server has one");
    }

    @Test
    void usersAreReadAndKnownByName() {
        ShadowsocksInbound inbound =
                inbound(
                        findings,
                        "method",
                        AES_128,
                        "password",
                        base64(16),
                        "users",
                        List.of(
                                peer("name", "alice", "password", base64(16, 1)),
                                peer("password", base64(16, 2))));
        assertThat(findings.hasErrors()).isFalse();
        assertThat(inbound.isUserKnown("alice")).isTrue();
        assertThat(inbound.isUserKnown("1")).as("named by its index").isTrue();
        assertThat(inbound.isUserKnown("bob")).isFalse();
        assertThat(inbound.secretOrNull("alice"))
                .isEqualTo(Secret.of(base64(16, 1)))
                .hasToString("***");
        assertThat(inbound.secretOrNull("bob")).isNull();
        assertThat(inbound.secretOrNull(null)).isNull();
        assertThat(inbound.acceptance().serverOrNull()).isNotNull();
    }

    @Test
    void usersWithOneKeyOrNoneAreRefusedWithTheirPlace() {
        assertThat(
                        inbound(
                                findings,
                                "method",
                                AES_128,
                                "password",
                                base64(16),
                                "users",
                                List.of(
                                        peer("name", "a", "password", base64(16, 1)),
                                        peer("name", "b", "password", base64(16, 1)),
                                        peer("name", "c", "password", base64(15)),
                                        peer("name", "d", "password", ""))))
                .isNull();
        assertThat(findings.errorCount()).isEqualTo(3);
        assertThat(findings.all().get(0).toString()).contains("in.users[1]").contains("same key");
        assertThat(findings.all().get(1).toString()).contains("in.users[2]").contains("15 bytes");
        assertThat(findings.all().get(2).toString()).contains("in.users[3]").contains("empty");
    }

    @Test
    void aeadUsersWithEqualPasswordsAndTooManyOfThemAreRefused() {
        assertThat(
                        inbound(
                                findings,
                                "method",
                                "aes-128-gcm",
                                "users",
                                List.of(
                                        peer("name", "a", "password", "x"),
                                        peer("name", "b", "password", "x"))))
                .isNull();
        List<ConfigNode> many = new ArrayList<>();
        for (int i = 0; i <= InboundOptions.AEAD_USERS_MAX; i++) {
            many.add(peer("name", "u" + i, "password", "p" + i));
        }
        assertThat(inbound(findings, "method", "aes-128-gcm", "users", many)).isNull();
        assertThat(findings.all().get(1).toString())
                .contains("256 is the most")
                .contains("2022-blake3-aes-128-gcm");
    }

    @Test
    void relaysAreReadAndNeedIdentityHeaders() {
        ConfigNode next =
                peer(
                        "name",
                        "next",
                        "password",
                        base64(16, 1),
                        "server",
                        "192.0.2.1",
                        "server_port",
                        8388);
        ShadowsocksInbound relay =
                inbound(
                        findings,
                        "method",
                        AES_128,
                        "password",
                        base64(16),
                        "destinations",
                        List.of(next));
        assertThat(findings.hasErrors()).isFalse();
        assertThat(relay.isRelay()).isTrue();
        assertThat(relay.acceptStream(loop.services(), Setup.CLIENT, Setup.LOCAL))
                .isInstanceOf(IdentityRelay.class);
        assertThat(relay.serveDatagrams(loop.services(), Setup.LOCAL))
                .isInstanceOf(PacketRelay.class);
        assertThat(relay.acceptance().users().getFirst().next())
                .isEqualTo(new Destination(Host.parse("192.0.2.1"), 8388));

        assertThat(
                        inbound(
                                findings,
                                "method",
                                "aes-128-gcm",
                                "password",
                                "x",
                                "destinations",
                                List.of(next)))
                .isNull();
        assertThat(findings.all().getFirst().toString()).contains("a relay needs identity headers");
    }

    @Test
    void badPeersAreTreatedAsTheMethodSaysUnlessTheOperatorDoes() {
        assertThat(badPeer("method", "aes-128-gcm", "password", "x")).isEqualTo(Farewell.DRAIN);
        assertThat(badPeer("method", AES_128, "password", base64(16))).isEqualTo(Farewell.RESET);
        assertThat(badPeer("method", "aes-128-gcm", "password", "x", "bad_peer", "reset"))
                .isEqualTo(Farewell.RESET);
        assertThat(badPeer("method", AES_128, "password", base64(16), "bad_peer", "drain"))
                .isEqualTo(Farewell.DRAIN);
    }

    @Test
    void replayProtectionCanBeLeftOutInSip004Alone() {
        ShadowsocksInbound old =
                inbound(
                        findings,
                        "method",
                        "aes-128-gcm",
                        "password",
                        "x",
                        "replay_protection",
                        false);
        assertThat(old.acceptance().seenSalts()).isNull();
        ShadowsocksInbound new2022 =
                inbound(
                        findings,
                        "method",
                        AES_128,
                        "password",
                        base64(16),
                        "replay_protection",
                        false);
        assertThat(new2022.acceptance().seenSalts()).isNotNull();
        assertThat(findings.hasErrors()).isFalse();
        assertThat(findings.all()).hasSize(1);
    }

    @Test
    void networksAndMultiplexAreReadAsSingBoxHasThem() {
        ShadowsocksInbound tcp = inbound(findings, "method", "none", "network", "tcp");
        assertThat(tcp.acceptsStreams()).isTrue();
        assertThat(tcp.acceptsDatagrams()).isFalse();
        ShadowsocksInbound off =
                inbound(findings, "method", "none", "multiplex", peer("enabled", false));
        assertThat(off.acceptsDatagrams()).isTrue();
        assertThat(findings.hasErrors()).isFalse();
        inbound(findings, "method", "none", "multiplex", peer("enabled", true));
        assertThat(findings.errorCount()).isEqualTo(1);
        inbound(findings, "method", "none", "password", "x");
        assertThat(findings.errorCount()).isEqualTo(2);
    }

    @Test
    void datagramsGoWhereTheOperatorSays() {
        assertThat(outbound(findings, "aes-128-gcm", "x").datagrams())
                .isEqualTo(Outbound.Datagrams.PACKETS);
        assertThat(outbound(findings, "aes-128-gcm", "x", "network", "tcp").datagrams())
                .isEqualTo(Outbound.Datagrams.NONE);
        ShadowsocksOutbound stream = outbound(findings, "aes-128-gcm", "x", "udp_over_tcp", true);
        assertThat(stream.datagrams()).isEqualTo(Outbound.Datagrams.STREAM);
        assertThat(stream.dialDatagramStream(loop.services(), Setup.DNS)).hasSize(2);
        assertThat(findings.hasErrors()).isFalse();
    }

    @Test
    void aPluginTakesTheServersPlaceForStreamsAlone() {
        ShadowsocksOutbound outbound =
                outbound(
                        findings,
                        "aes-128-gcm",
                        "x",
                        "plugin",
                        "obfs-local",
                        "plugin_opts",
                        "obfs=http");
        assertThat(outbound.plugin()).isEqualTo("obfs-local");
        assertThat(outbound.pluginOptions()).isEqualTo("obfs=http");
        Destination local = new Destination(Host.parse("127.0.0.1"), 4000);
        Destination server = new Destination(Host.parse("192.0.2.9"), 8388);
        assertThat(outbound.server()).isEqualTo(server);
        assertThat(outbound.throughPlugin(local).server()).isEqualTo(local);
        assertThat(outbound.throughPlugin(local).packetServer()).isEqualTo(server);
        assertThat(outbound(findings, "aes-128-gcm", "x").plugin()).isNull();
    }

    @Test
    void headersMayComeInPiecesBehindAPlugin() {
        ShadowsocksInbound raw = inbound(findings, "method", AES_128, "password", base64(16));
        assertThat(raw.acceptance().isSegmentedHeaderAllowed()).isFalse();
        ShadowsocksInbound behind = raw.behindCarrier();
        assertThat(behind.acceptance().isSegmentedHeaderAllowed()).isTrue();
        assertThat(behind.acceptance().seenSalts()).isSameAs(raw.acceptance().seenSalts());
        assertThat(
                        inbound(
                                        findings,
                                        "method",
                                        AES_128,
                                        "password",
                                        base64(16),
                                        "segmented_header",
                                        true)
                                .acceptance()
                                .isSegmentedHeaderAllowed())
                .isTrue();
    }

    @Test
    void noneHasNoKeysAndRunsPlainMachines() {
        ShadowsocksInbound inbound = inbound(findings, "method", "plain");
        assertThat(inbound.acceptStream(loop.services(), Setup.CLIENT, Setup.LOCAL))
                .isInstanceOf(PlainServer.class);
        ShadowsocksOutbound outbound = outbound(findings, "none", null);
        assertThat(outbound.dialStream(loop.services(), Setup.EXAMPLE))
                .isInstanceOf(PlainClient.class);
        assertThat(findings.hasErrors()).isFalse();
    }

    @Test
    void everythingWrongIsReportedAtOnceAndUnknownKeysToo() {
        assertThat(inbound(findings, "method", "rc4-md5", "passwort", "x", "bad_peer", "wave"))
                .isNull();
        assertThat(findings.errorCount()).isEqualTo(3);
    }

    private @Nullable Farewell badPeer(Object... keysAndValues) {
        return inbound(findings, keysAndValues).acceptance().badPeer();
    }

    private static @Nullable ShadowsocksInbound inbound(
            Findings findings, Object... keysAndValues) {
        return InboundOptions.SHAPE.read(peer(keysAndValues), "in", findings);
    }

    private static @Nullable ShadowsocksOutbound outbound(
            Findings findings, String method, @Nullable String password, Object... more) {
        List<Object> all =
                new ArrayList<>(
                        List.of("server", "192.0.2.9", "server_port", 8388, "method", method));
        if (password != null) {
            all.addAll(List.of("password", password));
        }
        all.addAll(List.of(more));
        return OutboundOptions.SHAPE.read(peer(all.toArray()), "out", findings);
    }

    private static ConfigNode peer(Object... keysAndValues) {
        List<ConfigNode.Mapping.Entry> entries = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.add(
                    new ConfigNode.Mapping.Entry(
                            (String) keysAndValues[i], PLACE, node(keysAndValues[i + 1])));
        }
        return new ConfigNode.Mapping(PLACE, entries);
    }

    private static ConfigNode node(Object value) {
        return switch (value) {
            case ConfigNode node -> node;
            case String text -> new ConfigNode.Scalar(PLACE, ConfigNode.Scalar.Type.TEXT, text);
            case Integer number ->
                    new ConfigNode.Scalar(PLACE, ConfigNode.Scalar.Type.NUMBER, number.toString());
            case Boolean flag ->
                    new ConfigNode.Scalar(PLACE, ConfigNode.Scalar.Type.FLAG, flag.toString());
            case List<?> list ->
                    new ConfigNode.Items(PLACE, list.stream().map(ConfigNode.class::cast).toList());
            default -> throw new AssertionError(value);
        };
    }

    private static String base64(int bytes) {
        return Base64.getEncoder().encodeToString(new byte[bytes]);
    }

    private static String base64(int bytes, int first) {
        byte[] key = new byte[bytes];
        key[0] = (byte) first;
        return Base64.getEncoder().encodeToString(key);
    }
}
