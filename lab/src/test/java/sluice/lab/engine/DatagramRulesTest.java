package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.net.Prefix;
import sluice.policy.route.Decision;
import sluice.policy.route.RuleAction;
import sluice.policy.route.RuleCondition;
import sluice.policy.route.RuleOptions;
import sluice.protocol.ProtocolCatalog;
import sluice.testkit.Eventually;

/// Which targets a datagram flow may write to, and who may answer.
final class DatagramRulesTest {

    private static final RuleAction REJECT = new RuleAction.Reject(Decision.Refuse.How.REJECT);

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aRuleThatRejectsHoldsForLaterTargetsOfAFlow(Driver driver) throws Exception {
        for (RuleAction action : List.of(REJECT, new RuleAction.Route("block"))) {
            try (Udp open = new Udp();
                    Udp alsoOpen = new Udp("127.0.0.3");
                    Udp forbidden = new Udp("127.0.0.2");
                    Udp client = new Udp();
                    Rig rig = labelled(driver).rules(forbidden(action)).start()) {
                for (int i = 0; i < 3; i++) {
                    send(client, rig, "127.0.0.1", open.port(), "a");
                    send(client, rig, "127.0.0.2", forbidden.port(), "b");
                    send(client, rig, "127.0.0.3", alsoOpen.port(), "c");
                    assertThat(open.receive().text()).isEqualTo("a");
                    assertThat(alsoOpen.receive().text()).isEqualTo("c");
                }
                assertThat(forbidden.receiveOrNull(100)).isNull();
                assertThat(rig.counters().datagramFlowsOpened).isOne();
                assertThat(rig.counters().datagramsDropped).isEqualTo(3);
                endDatagrams(rig);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void laterTargetsWaitInOrderUntilTheirNamesAreLookedUp(Driver driver) throws Exception {
        try (Udp open = new Udp();
                Udp forbidden = new Udp("127.0.0.2");
                Udp client = new Udp();
                Rig rig = labelled(driver)) {
            rig.rules(Ways.resolveAll(), forbidden(REJECT));
            rig.names().with("open.test", "127.0.0.1").with("bad.test", "127.0.0.2").hold();
            rig.start();
            send(client, rig, "127.0.0.1", open.port(), "0");
            assertThat(open.receive().text()).isEqualTo("0");
            for (String text : List.of("1", "2")) {
                send(client, rig, "open.test", open.port(), text);
                send(client, rig, "bad.test", forbidden.port(), text);
                send(client, rig, "nowhere.test", open.port(), text);
            }
            Eventually.await(Rig.PATIENCE, () -> rig.counters().upDatagrams == 7);
            assertThat(rig.names().asked())
                    .containsExactlyInAnyOrder("open.test", "bad.test", "nowhere.test");
            rig.names().release();
            assertThat(open.receive().text()).isEqualTo("1");
            assertThat(open.receive().text()).isEqualTo("2");
            Eventually.await(Rig.PATIENCE, () -> rig.counters().datagramsDropped == 4);
            assertThat(forbidden.receiveOrNull(100)).isNull();
            endDatagrams(rig);
        }
    }

    @Test
    void aFlowThatEndsTakesItsQuestionsBack() throws Exception {
        try (Udp open = new Udp();
                Udp client = new Udp();
                Rig rig = labelled(Driver.LINUX)) {
            rig.rules(Ways.resolveAll(), forbidden(REJECT));
            rig.names().with("late.test", "127.0.0.1").hold();
            rig.start();
            send(client, rig, "127.0.0.1", open.port(), "0");
            assertThat(open.receive().text()).isEqualTo("0");
            for (int i = 0; i < 100; i++) {
                send(client, rig, "late" + i + ".test", open.port(), "x");
            }
            Eventually.await(Rig.PATIENCE, () -> rig.counters().upDatagrams == 101);
            assertThat(rig.names().wanted()).isEqualTo(64);
            endDatagrams(rig);
            assertThat(rig.names().wanted()).isZero();
            rig.names().release();
            assertThat(open.receiveOrNull(100)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "target.test"})
    void nobodyButTheTargetAnswersThroughAForwardedPort(String target) throws Exception {
        for (Driver driver : Driver.values()) {
            try (Udp origin = new Udp();
                    Udp neighbour = new Udp();
                    Udp stranger = new Udp("127.0.0.9");
                    Udp client = new Udp();
                    Rig rig = forwarding(driver, target, origin.port())) {
                rig.names().with("target.test", "127.0.0.1");
                rig.start();
                client.send(rig.at("in"), "question");
                Udp.Got got = origin.receive();
                stranger.send(got.from(), "forged");
                neighbour.send(got.from(), "forged");
                Eventually.await(Rig.PATIENCE, () -> rig.counters().datagramsDropped == 2);
                origin.send(got.from(), "answer");
                assertThat(client.receive().text()).isEqualTo("answer");
                endDatagrams(rig);
            }
        }
    }

    /// Through a proxy that lets anybody answer.
    @Test
    void nobodyButTheTargetAnswersThroughAForwardedPortAndAProxy() throws Exception {
        try (Udp origin = new Udp();
                Udp stranger = new Udp("127.0.0.9");
                Udp client = new Udp();
                Rig proxy = labelled(Driver.LINUX).start();
                Rig rig = forwarding(Driver.LINUX, "127.0.0.1", origin.port())) {
            rig.without("direct")
                    .outbound(
                            Ways.through(
                                    "proxy",
                                    new Labelled.Out(
                                            sluice.base.net.Destination.of(proxy.at("in"))),
                                    null))
                    .start();
            client.send(rig.at("in"), "question");
            Udp.Got got = origin.receive();
            stranger.send(got.from(), "forged");
            Eventually.await(Rig.PATIENCE, () -> rig.counters().datagramsDropped == 1);
            origin.send(got.from(), "answer");
            assertThat(client.receive().text()).isEqualTo("answer");
            endDatagrams(rig);
            endDatagrams(proxy);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void nobodyButTheTargetAnswersOnAConnectedStream(Driver driver) throws Exception {
        try (Udp origin = new Udp();
                Udp stranger = new Udp("127.0.0.9");
                Rig rig =
                        Rig.on(driver)
                                .inbound("socks", Ways.inbound("socks", Map.of()))
                                .outbound(Ways.direct("direct"))
                                .services(ProtocolCatalog.streamServices())
                                .start()) {
            try (Socket client = rig.connect("socks")) {
                DataOutputStream out = new DataOutputStream(client.getOutputStream());
                DataInputStream in = new DataInputStream(client.getInputStream());
                byte[] magic = "sp.v2.udp-over-tcp.arpa".getBytes(StandardCharsets.US_ASCII);
                out.write(new byte[] {5, 1, 0, 5, 1, 0, 3, (byte) magic.length});
                out.write(magic);
                out.writeShort(0);
                out.write(new byte[] {1, 1, 127, 0, 0, 1});
                out.writeShort(origin.port());
                out.writeShort(2);
                out.write(new byte[] {'h', 'i'});
                assertThat(in.readNBytes(12)).startsWith(5, 0, 5, 0);

                Udp.Got got = origin.receive();
                assertThat(got.text()).isEqualTo("hi");
                stranger.send(got.from(), "forged");
                Eventually.await(Rig.PATIENCE, () -> rig.counters().datagramsDropped == 1);
                origin.send(got.from(), "yes");
                assertThat(in.readUnsignedShort()).isEqualTo(3);
                assertThat(in.readNBytes(3)).containsExactly('y', 'e', 's');
            }
        }
    }

    private static RuleOptions forbidden(RuleAction action) {
        RuleCondition.Addresses any = RuleCondition.Addresses.ANY;
        RuleCondition.Addresses forbidden =
                new RuleCondition.Addresses(List.of(Prefix.parse("127.0.0.2/32")), false);
        RuleCondition condition =
                new RuleCondition.Fields(
                        List.of(),
                        0,
                        List.of(),
                        List.of(),
                        new RuleCondition.Target(List.of(), List.of(), List.of(), forbidden),
                        List.of(),
                        any,
                        List.of(),
                        false);
        return new RuleOptions(condition, action, List.of());
    }

    private static Rig labelled(Driver driver) {
        return Rig.on(driver)
                .inbound("in", new Labelled.In())
                .outbound(Ways.direct("direct"))
                .outbound(Ways.through("block", new Ways.Block(), null));
    }

    private static Rig forwarding(Driver driver, String target, int port) {
        Map<String, Object> options =
                Map.of("network", "udp", "override_address", target, "override_port", port);
        return Rig.on(driver)
                .inbound("in", Ways.inbound("direct", options))
                .outbound(Ways.direct("direct"));
    }

    private static void send(Udp client, Rig rig, String host, int port, String text)
            throws Exception {
        client.send(
                rig.at("in"),
                Labelled.packet(1, host, port, text.getBytes(StandardCharsets.UTF_8)));
    }

    /// Flows that are not idle yet end with their port.
    private static void endDatagrams(Rig rig) {
        rig.without("in").reload();
        rig.awaitIdle();
    }
}
