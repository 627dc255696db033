package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.net.Prefix;
import sluice.policy.dns.Family;
import sluice.policy.limit.LimitOptions;
import sluice.policy.route.RuleAction;
import sluice.policy.route.RuleCondition;

/// What configurations are read into.
final class GoodConfigurationsTest {

    static Stream<String> good() {
        return Samples.in("good");
    }

    @ParameterizedTest
    @MethodSource("good")
    void isAcceptedWithoutAWord(String name) {
        Configurations.Reading reading = Samples.read("good", name);
        assertThat(reading.findings().report()).isEmpty();
        assertThat(reading.configuration()).isNotNull();
    }

    @Test
    void readsWhatAllInboundsHave() {
        Configuration configuration = configuration("server.yaml");
        InboundSettings socks = configuration.inbounds().get(1);
        assertThat(socks.tag()).isEqualTo("1");
        assertThat(socks.type()).isEqualTo("socks");
        assertThat(socks.listen().at())
                .containsExactly(at(1080), at(8000), at(8001), at(8002), at(8003));
        assertThat(socks.listen().proxyProtocol())
                .isEqualTo(
                        new ListenFields.ProxyProtocol(
                                true, true, List.of(Prefix.parse("10.0.0.0/8"))));
        assertThat(socks.listen().socket().keepAliveIdleSeconds()).isEqualTo(300);
        assertThat(socks.listen().udpTimeout()).isNull();
        assertThat(configuration.inbounds().get(2).listen().at().getFirst().port()).isZero();
    }

    @Test
    void readsWhatAllOutboundsHave() {
        OutboundSettings out = configuration("sing-box-client.json").outbounds().getFirst();
        assertThat(out.dial().detour()).isEqualTo("socks-out");
        assertThat(out.dial().options().routingMark()).isEqualTo(0x1234);
        assertThat(out.dial().options().connectTimeoutNanos()).isEqualTo(5_000_000_000L);
        assertThat(out.outbound().server()).isEqualTo(new Destination(IpAddress.LOOPBACK_V4, 1080));
        assertThat(out.plugin()).isNull();
    }

    @Test
    void readsTheBlockThatNoOtherProgramHas() {
        assertThat(configuration("server.yaml").process())
                .isEqualTo(
                        new ProcessSettings(
                                64L << 20,
                                new LimitOptions(10_000, 200, 1000, 64),
                                Duration.ofSeconds(10),
                                2));
        assertThat(configuration("least.json").process()).isEqualTo(ProcessSettings.DEFAULT);
    }

    @Test
    void readsTheLog() {
        LogSettings log = configuration("sing-box-client.json").log();
        assertThat(log.level()).isEqualTo(System.Logger.Level.INFO);
        assertThat(log.output()).isEqualTo("box.log");
        assertThat(log.outputPlace()).hasToString("sing-box-client.json:6:15");
        assertThat(log.timestamp()).isTrue();
        assertThat(configuration("server.yaml").log().level())
                .isEqualTo(System.Logger.Level.WARNING);
        assertThat(text("{\"log\": {\"disabled\": true, \"level\": \"trace\"}}").log().level())
                .isEqualTo(System.Logger.Level.OFF);
    }

    @Test
    void withoutOutboundsTrafficGoesOutDirectly() {
        OutboundSettings only = configuration("least.json").outbounds().getFirst();
        assertThat(only.tag()).isEqualTo("direct");
        assertThat(only.type()).isEqualTo("direct");
        assertThat(text("{\"route\": {\"final\": \"direct\"}}").outbounds()).hasSize(1);
    }

    @Test
    void withoutAFileTheBuiltInConfigurationRuns() {
        Surroundings nowhere =
                new Surroundings(_ -> null, Path.of("/nonexistent"), () -> new byte[0]);
        Configurations.Reading reading = Configurations.inspect(LoadRequest.none(), nowhere);
        assertThat(reading.findings().report()).isEmpty();
        InboundSettings inbound = reading.configuration().inbounds().getFirst();
        assertThat(inbound.type()).isEqualTo("mixed");
        assertThat(inbound.listen().at())
                .containsExactly(new Endpoint(IpAddress.LOOPBACK_V4, 7890));
    }

    @Test
    void putsInWhatReferencesStandFor() {
        Configuration configuration = configuration("references.json");
        InboundSettings socks = configuration.inbounds().getFirst();
        assertThat(socks.listen().at().getFirst().port()).isEqualTo(1080);
        assertThat(socks.inbound().isUserKnown("guest")).isTrue();
        assertThat(configuration.log().output()).isEqualTo("log-${env:not this}-1080.log");
        assertThat(configuration.toString()).doesNotContain("hunter2");
    }

    @Test
    void oldFieldsOfAnInboundBecomeRules() {
        Configuration configuration = Samples.read("warn", "old-inbound.json").configuration();
        assertThat(configuration.route().rules())
                .extracting(rule -> rule.action())
                .containsExactly(
                        new RuleAction.Sniff(Duration.ofMillis(500)),
                        new RuleAction.Resolve(Family.PREFER_IPV4));
        assertThat(configuration.route().rules().getFirst().condition())
                .isInstanceOfSatisfying(
                        RuleCondition.Fields.class,
                        fields -> assertThat(fields.inbounds()).containsExactly("in"));
    }

    @Test
    void anOldStrategyOfAnOutboundIsKept() {
        Configuration configuration = Samples.read("warn", "old-outbounds.json").configuration();
        assertThat(configuration.outbounds().getFirst().dial().family())
                .isEqualTo(Family.IPV4_ONLY);
        assertThat(configuration.outbounds())
                .extracting(OutboundSettings::tag)
                .containsExactly("direct", "block");
    }

    @Test
    void listeningAndProtocolCompareApart() {
        InboundSettings before = inbound("{\"type\": \"socks\", \"listen_port\": 1}");
        InboundSettings moved = inbound("{\"listen_port\": 2, \"type\": \"socks\"}");
        InboundSettings changed =
                inbound(
                        "{\"type\": \"socks\", \"listen_port\": 1, \"users\": [{\"username\":"
                                + " \"a\", \"password\": \"b\"}]}");
        assertThat(moved.protocolNode().sameAs(before.protocolNode())).isTrue();
        assertThat(moved.listenNode().sameAs(before.listenNode())).isFalse();
        assertThat(changed.protocolNode().sameAs(before.protocolNode())).isFalse();
        assertThat(changed.listenNode().sameAs(before.listenNode())).isTrue();
    }

    @Test
    void streamsAndDatagramsMayShareAPort() {
        Configuration configuration =
                text(
                        """
                        {"inbounds": [
                          {"type": "direct", "listen_port": 53, "network": "udp", "override_address": "192.0.2.1"},
                          {"type": "direct", "listen_port": 53, "network": "tcp", "override_address": "192.0.2.2"},
                          {"type": "mixed", "listen": "127.0.0.2", "listen_port": 53}
                        ]}
                        """);
        assertThat(configuration.inbounds()).hasSize(3);
    }

    @Test
    void bothWildcardsMayListenOnOnePort() {
        Configuration configuration =
                text(
                        """
                        {"inbounds": [
                          {"type": "mixed", "listen": "::", "listen_port": 1080, "insecure_open": true},
                          {"type": "socks", "listen": "0.0.0.0", "listen_port": 1080, "insecure_open": true}
                        ]}
                        """);
        assertThat(configuration.inbounds()).hasSize(2);
        assertThat(configuration.warnings()).isEmpty();
    }

    private static Configuration configuration(String name) {
        return Samples.read("good", name).configuration();
    }

    private static Configuration text(String json) {
        Configurations.Reading reading = Samples.readText(json);
        assertThat(reading.configuration()).describedAs(reading.findings().report()).isNotNull();
        return reading.configuration();
    }

    private static InboundSettings inbound(String json) {
        return text("{\"inbounds\": [" + json + "]}").inbounds().getFirst();
    }

    private static Endpoint at(int port) {
        return new Endpoint(IpAddress.ANY_V6, port);
    }
}
