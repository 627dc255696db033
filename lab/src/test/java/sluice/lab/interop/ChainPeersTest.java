package sluice.lab.interop;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import sluice.lab.run.Config;
import sluice.lab.run.Origin;
import sluice.lab.run.Peer;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.Traffic;
import sluice.lab.run.UdpOrigin;
import sluice.lab.run.V2ray;
import sluice.testkit.Ports;

/// Forwarding without a proxy, and chains of three proxies that mix protocols and programs.
final class ChainPeersTest {
    private static final int FORWARD = Ports.both();
    private static final int FORWARD_DATAGRAM = Ports.both();
    private static final int CHAIN = Ports.both();
    private static final int OTHER_CHAIN = Ports.both();
    private static final int DATAGRAM_CHAIN = Ports.both();
    private static final int HTTP = Ports.tcp();
    private static final int MICRO = Ports.tcp();
    private static final int LIBEV = Ports.both();
    private static final int V2RAY = Ports.both();
    private static final int SOCKS = Ports.both();
    private static final String LIBEV_KEY = "'method': 'aes-256-gcm', 'password': 'libev'";

    private static Origin echo;
    private static UdpOrigin udp;
    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        echo = Origin.echo();
        udp = UdpOrigin.echo();
        sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("http", "http", HTTP)
                                .inbound("socks", "socks", SOCKS)
                                .forward("forward", FORWARD, echo.port())
                                .forward("forward-datagram", FORWARD_DATAGRAM, udp.port())
                                .forward("chain", CHAIN, echo.port())
                                .forward("other-chain", OTHER_CHAIN, echo.port())
                                .forward("datagram-chain", DATAGRAM_CHAIN, udp.port())
                                .outbound("direct", "direct", "")
                                .outbound("http", "hop1", HTTP, "")
                                .outbound("socks", "hop2", MICRO, "'detour': 'hop1'")
                                .outbound(
                                        "shadowsocks",
                                        "hop3",
                                        LIBEV,
                                        LIBEV_KEY + ", 'detour': 'hop2'")
                                .outbound("shadowsocks", "other1", LIBEV, LIBEV_KEY)
                                .outbound("http", "other2", HTTP, "'detour': 'other1'")
                                .outbound(
                                        "socks",
                                        "other3",
                                        V2RAY,
                                        "'version': '4a', 'detour': 'other2'")
                                .outbound("socks", "dgram1", SOCKS, "")
                                .outbound(
                                        "shadowsocks",
                                        "dgram2",
                                        LIBEV,
                                        LIBEV_KEY + ", 'detour': 'dgram1'")
                                .outbound("socks", "dgram3", V2RAY, "'detour': 'dgram2'")
                                .route("chain", "hop3")
                                .route("other-chain", "other3")
                                .route("datagram-chain", "dgram3"));
    }

    @AfterAll
    static void stop() {
        sluice.close();
        echo.close();
        udp.close();
    }

    @Test
    void aForwardPortCarriesStreamsAndDatagrams() {
        Traffic.assertEchoes(FORWARD);
        Traffic.assertDatagramsEcho(FORWARD_DATAGRAM, 0, 1, 1_472, 1_473, 9_000, 60_000, 65_507);
        sluice.assertHealthy();
    }

    @Test
    void threeHopsInOneOrder() {
        try (Peer _ = libev();
                Peer _ =
                        Peer.start(
                                "microsocks",
                                List.of(MICRO),
                                List.of(),
                                "-i",
                                "127.0.0.1",
                                "-p",
                                MICRO)) {
            Traffic.assertEchoes(CHAIN);
            sluice.assertHealthy();
        }
    }

    @Test
    void threeHopsInAnotherOrder() {
        try (Peer _ = libev();
                Peer _ = v2ray()) {
            Traffic.assertEchoes(OTHER_CHAIN);
            sluice.assertHealthy();
        }
    }

    @Test
    void datagramsPassThreeHops() {
        try (Peer _ = libev();
                Peer _ = v2ray()) {
            Traffic.assertDatagramsEcho(DATAGRAM_CHAIN);
            sluice.assertHealthy();
        }
    }

    private static Peer libev() {
        return Peer.start(
                "ss-server",
                List.of(LIBEV),
                List.of(LIBEV),
                "-s",
                "127.0.0.1",
                "-p",
                LIBEV,
                "-k",
                "libev",
                "-m",
                "aes-256-gcm",
                "-u");
    }

    private static Peer v2ray() {
        return V2ray.start(
                V2RAY,
                true,
                V2ray.inbound("socks", "'udp': true, 'ip': '127.0.0.1'"),
                V2ray.FREEDOM);
    }
}
