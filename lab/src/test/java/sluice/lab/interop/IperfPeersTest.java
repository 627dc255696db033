package sluice.lab.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.run.Config;
import sluice.lab.run.Peer;
import sluice.lab.run.SluiceProcess;
import sluice.testkit.Peers;
import sluice.testkit.Ports;
import sluice.testkit.Program;

/// iperf3 through a forward port and through Shadowsocks: many bytes, both directions, several
/// streams, and datagrams at a rate.
final class IperfPeersTest {
    private static final int TARGET = Ports.both();
    private static final int FORWARD = Ports.both();
    private static final int SHADOW = Ports.both();
    private static final int SERVER = Ports.both();
    private static final String KEY =
            "'method': '2022-blake3-aes-128-gcm', 'password': 'AAECAwQFBgcICQoLDA0ODw=='";

    private static Peer iperf;
    private static SluiceProcess sluice;

    @BeforeAll
    static void start() {
        iperf =
                Peer.start(
                        "iperf3",
                        List.of(TARGET),
                        List.of(),
                        "-s",
                        "-B",
                        "127.0.0.1",
                        "-p",
                        TARGET);
        sluice =
                SluiceProcess.start(
                        new Config()
                                .forward("forward", FORWARD, TARGET)
                                .forward("shadow", SHADOW, TARGET)
                                .inbound("shadowsocks", "server", SERVER, KEY)
                                .outbound("direct", "direct", "")
                                .outbound("shadowsocks", "shadow-out", SERVER, KEY)
                                .route("shadow", "shadow-out"));
    }

    @AfterAll
    static void stop() {
        if (sluice != null) {
            sluice.close();
        }
        if (iperf != null) {
            iperf.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-R"})
    void streamsArrive(String direction) {
        for (int port : new int[] {FORWARD, SHADOW}) {
            String report = run(port, "-t", "1", "-P", "4", direction);
            assertThat(report).contains("\"sum_received\"").doesNotContain("\"error\"");
        }
        sluice.assertHealthy();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-R"})
    void mostDatagramsArrive(String direction) {
        for (int port : new int[] {FORWARD, SHADOW}) {
            String report = run(port, "-u", "-b", "20M", "-l", "1200", "-t", "1", direction);
            assertThat(report).doesNotContain("\"error\"");
            double lost =
                    Double.parseDouble(
                            report.substring(report.lastIndexOf("\"lost_percent\":"))
                                    .split("[:,}\\s]+")[1]);
            assertThat(lost).as("percent lost").isLessThan(20);
        }
        sluice.assertHealthy();
    }

    private static String run(int port, Object... arguments) {
        Program.Builder iperf =
                Program.of(Peers.require("iperf3"), "-c", "127.0.0.1", "-p", port, "-J");
        for (Object argument : arguments) {
            if (!argument.equals("")) {
                iperf.with(argument);
            }
        }
        return iperf.run().out();
    }
}
