package sluice.protocol.socks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import sluice.base.config.Secret;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachinePair;
import sluice.protocol.MachineSide;
import sluice.protocol.Options;
import sluice.protocol.socks.SocksServerOptions.SourceCheck;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Outbound.Datagrams;

final class SocksOptionsTest {

    private static final Endpoint CLIENT = new Endpoint(IpAddress.LOOPBACK_V4, 40_000);
    private static final Destination TARGET = new Destination(Host.parse("example.com"), 443);

    private final LoopFixture loop = new LoopFixture(1);

    @Test
    void anInboundNeedsNothing() {
        SocksInbound inbound = Options.read(SocksInbound.SHAPE);
        assertThat(inbound.options().udp()).isTrue();
        assertThat(inbound.options().udpSourceCheck()).isEqualTo(SourceCheck.IP_AND_PORT);
        assertThat(inbound.options().access().users().isEmpty()).isTrue();
        assertThat(inbound.options().access().earlyReply()).isFalse();
        assertThat(inbound.acceptsStreams()).isTrue();
        assertThat(inbound.acceptsDatagrams()).isFalse();
    }

    @Test
    void anInboundTakesEverything() {
        SocksInbound inbound =
                Options.read(
                        SocksInbound.SHAPE,
                        "users",
                        List.of(
                                Options.object("username", "alice", "password", "secret"),
                                Options.object("username", "guest")),
                        "early_reply",
                        true,
                        "udp",
                        false,
                        "udp_source_check",
                        "ip",
                        "udp_advertise",
                        "192.0.2.1");
        assertThat(inbound.isUserKnown("alice")).isTrue();
        assertThat(inbound.isUserKnown("guest")).isTrue();
        assertThat(inbound.isUserKnown("mallory")).isFalse();
        assertThat(inbound.secretOrNull("alice")).isEqualTo(Secret.of("secret"));
        assertThat(inbound.secretOrNull("mallory")).isNull();
        assertThat(inbound.secretOrNull(null)).isNull();
        assertThat(inbound.options().udp()).isFalse();
        assertThat(inbound.options().udpSourceCheck()).isEqualTo(SourceCheck.IP);
        assertThat(inbound.options().udpAdvertise()).isEqualTo(IpAddress.v4(0xc0000201));
        assertThat(inbound.toString()).doesNotContain("secret");
        assertThat(
                        Options.read(SocksInbound.SHAPE, "udp_source_check", "off")
                                .options()
                                .udpSourceCheck())
                .isEqualTo(SourceCheck.OFF);
    }

    @Test
    void anInboundRefusesAUserTwiceAndOneWithoutAName() {
        assertThat(
                        Options.refusal(
                                SocksInbound.SHAPE,
                                "users",
                                List.of(
                                        Options.object("username", "alice", "password", "x"),
                                        Options.object("username", "alice", "password", "y"))))
                .contains("it.users[1]")
                .contains("stands twice");
        assertThat(
                        Options.refusal(
                                SocksInbound.SHAPE,
                                "users",
                                List.of(Options.object("password", "x"))))
                .contains("username");
        assertThat(Options.refusal(SocksInbound.SHAPE, "udp_source_check", "port"))
                .contains("ip-and-port");
    }

    @Test
    void anOutboundSpeaksVersionFiveByDefault() {
        Outbound outbound =
                Options.read(SocksOutbound.SHAPE, "server", "192.0.2.1", "server_port", 1080);
        assertThat(outbound.server()).isEqualTo(new Destination(Host.parse("192.0.2.1"), 1080));
        assertThat(outbound.datagrams()).isEqualTo(Datagrams.ASSOCIATION);
        assertThat(outbound.dialStream(loop.services(), TARGET)).isInstanceOf(Socks5Client.class);
    }

    @Test
    void anOutboundCarriesDatagramsAsItIsTold() {
        assertThat(outbound("network", "tcp").datagrams()).isEqualTo(Datagrams.NONE);
        assertThat(outbound("version", "4a").datagrams()).isEqualTo(Datagrams.NONE);
        assertThat(outbound("udp_over_tcp", true).datagrams()).isEqualTo(Datagrams.STREAM);
        assertThat(outbound("udp_over_tcp", false).datagrams()).isEqualTo(Datagrams.ASSOCIATION);
        Outbound old =
                outbound(
                        "version",
                        "4a",
                        "udp_over_tcp",
                        Options.object("enabled", true, "version", 1));
        assertThat(old.datagrams()).isEqualTo(Datagrams.STREAM);
        assertThat(old.dialDatagramStream(loop.services(), TARGET)).hasSize(2);
    }

    @Test
    void anOutboundRefusesWhatItsVersionCannotSay() {
        assertThat(refusal("version", "6")).contains("4a");
        assertThat(refusal("version", "4", "username", "u", "password", "p"))
                .contains("carries no password")
                .doesNotContain("\"p\"");
        assertThat(refusal("version", "4", "udp_over_tcp", true)).contains("udp_over_tcp");
        assertThat(refusal("password", "p")).contains("user name");
        assertThat(refusal("username", "u".repeat(256))).contains("255");
        assertThat(refusal("username", "u", "password", "p".repeat(256))).contains("255");
        assertThat(refusal("version", "4", "username", "a\0b")).contains("NUL");
        assertThat(refusal("network", "udp")).contains("network");
        assertThat(refusal("udp_over_tcp", Options.object("enabled", true, "version", 3)))
                .contains("version");
        assertThat(Options.refusal(SocksOutbound.SHAPE, "server", "x")).contains("server_port");
    }

    @Test
    void inboundAndOutboundUnderstandEachOther() {
        String[][] choices = {
            {"version", "5"},
            {"version", "5", "username", "alice", "password", "secret"},
            {"version", "4a", "username", "guest"}
        };
        for (String[] choice : choices) {
            SocksInbound inbound =
                    Options.read(
                            SocksInbound.SHAPE,
                            "users",
                            choice.length == 2
                                    ? List.of()
                                    : List.of(
                                            Options.object(
                                                    "username", "alice", "password", "secret"),
                                            Options.object("username", "guest")));
            Outbound outbound = outbound((Object[]) choice);
            MachinePair pair =
                    MachinePair.cut(
                                    outbound.dialStream(loop.services(), TARGET),
                                    inbound.acceptStream(loop.services(), CLIENT, CLIENT),
                                    loop.pool(),
                                    7)
                            .up(new byte[100_000])
                            .down(new byte[200_000])
                            .upEnd()
                            .downEnd()
                            .run();
            MachineSide server = pair.server();
            assertThat(server.opened()).isEqualTo(TARGET);
            assertThat(server.delivered()).hasSize(100_000);
            assertThat(pair.client().delivered()).hasSize(200_000);
            assertThat(server.deliveredEnd()).isTrue();
            assertThat(pair.client().deliveredEnd()).isTrue();
            pair.finish();
            assertThat(loop.pool().inUse()).isZero();
        }
    }

    @Test
    void aRelayOfAHiddenServerIsTheServerItself() {
        assertThat(relay("203.0.113.7", "050000010a000001c350"))
                .isEqualTo(new Destination(IpAddress.ANY_V4, 50_000));
        assertThat(relay("203.0.113.7", "0500000108080808c350"))
                .isEqualTo(new Destination(Host.parse("8.8.8.8"), 50_000));
        assertThat(relay("10.0.0.9", "050000010a000001c350"))
                .isEqualTo(new Destination(Host.parse("10.0.0.1"), 50_000));
        assertThat(relay("203.0.113.7", "0500000100000000c350"))
                .isEqualTo(new Destination(IpAddress.ANY_V4, 50_000));
    }

    private Destination relay(String server, String reply) {
        Outbound outbound =
                Options.read(SocksOutbound.SHAPE, "server", server, "server_port", 1080);
        Outbound.AssociationClient association = outbound.dialAssociation(loop.services());
        MachineSide side = new MachineSide(association.control(), loop.pool());
        side.start(0);
        side.receive(java.util.HexFormat.of().parseHex("0500" + reply), 0);
        assertThat(side.isReady()).isTrue();
        return association.relay();
    }

    private static Outbound outbound(Object... more) {
        return Options.read(SocksOutbound.SHAPE, with(more));
    }

    private static String refusal(Object... more) {
        return Options.refusal(SocksOutbound.SHAPE, with(more));
    }

    private static Object[] with(Object... more) {
        List<Object> all = new java.util.ArrayList<>(List.of("server", "192.0.2.1"));
        all.addAll(List.of("server_port", 1080));
        all.addAll(List.of(more));
        return all.toArray();
    }
}
