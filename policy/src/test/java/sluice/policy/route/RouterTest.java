package sluice.policy.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.policy.dns.Family;
import sluice.testkit.Allocations;

final class RouterTest {

    @Test
    void theFirstRuleThatMatchesWins() {
        Router router =
                Rules.router("{port: 80, outbound: 'a'}, {port: [80, 443], outbound: 'b'}", "'z'");
        assertThat(router.decide(Rules.tcp("192.0.2.1", 80))).isEqualTo(new Decision.Use("a", 0));
        assertThat(router.decide(Rules.tcp("192.0.2.1", 443))).isEqualTo(new Decision.Use("b", 1));
        assertThat(router.decide(Rules.tcp("192.0.2.1", 22)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));
    }

    @Test
    void withoutAFinalOutboundTheFirstOneIsUsed() {
        assertThat(Router.of(RouteOptions.NONE, "first").decide(Rules.tcp("192.0.2.1", 80)))
                .isEqualTo(new Decision.Use("first", Decision.FINAL));
    }

    @Test
    void aRuleWithoutConditionsMatchesEverything() {
        Router router = Rules.router("{action: 'reject'}", "'z'");
        assertThat(router.decide(Rules.tcp("example.com", 80)))
                .isEqualTo(new Decision.Refuse(Decision.Refuse.How.REJECT, 0));
    }

    @Test
    void aRejectedFlowIsToldOrNot() {
        Router router = Rules.router("{network: 'udp', action: 'reject', method: 'drop'}", "'z'");
        assertThat(router.decide(Rules.udp("192.0.2.1", 80)))
                .isEqualTo(new Decision.Refuse(Decision.Refuse.How.DROP, 0));
        assertThat(router.decide(Rules.tcp("192.0.2.1", 80))).isInstanceOf(Decision.Use.class);
    }

    @Test
    void namesAreComparedWithoutCaseAndTrailingDot() {
        Router router = Rules.router("{domain_suffix: 'example.com', outbound: 'a'}", "'z'");
        assertThat(router.decide(Rules.tcp("WWW.EXAMPLE.COM.", 80)))
                .isEqualTo(new Decision.Use("a", 0));
    }

    @Test
    void namesAndAddressesOfTheTargetAreAlternatives() {
        Router router =
                Rules.router(
                        "{domain: 'a.test', domain_suffix: 'b.test', domain_keyword: 'key',"
                                + " ip_cidr: '192.0.2.0/24', ip_is_private: true, port: 80,"
                                + " outbound: 'a'}",
                        "'z'");
        for (String host :
                List.of("a.test", "x.b.test", "monkey.test", "192.0.2.9", "10.0.0.1", "::1")) {
            assertThat(router.decide(Rules.tcp(host, 80)))
                    .as(host)
                    .isEqualTo(new Decision.Use("a", 0));
            assertThat(router.decide(Rules.tcp(host, 81)))
                    .as("%s on another port", host)
                    .isEqualTo(new Decision.Use("z", Decision.FINAL));
        }
        assertThat(router.decide(Rules.tcp("c.test", 80)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));
    }

    @Test
    void everyFieldMustMatch() {
        Router router =
                Rules.router(
                        "{inbound: ['in', 'other'], network: 'tcp', auth_user: 'alice', ip_version: 4,"
                                + " port_range: '80:90', source_ip_cidr: '127.0.0.0/8',"
                                + " source_port_range: '1000:', outbound: 'a'}",
                        "'z'");
        FlowFacts all =
                Rules.facts("in", Network.STREAM, "192.0.2.1", 85, "127.0.0.1", 2000, "alice");
        assertThat(router.decide(all)).isEqualTo(new Decision.Use("a", 0));
        for (FlowFacts other :
                List.of(
                        Rules.facts(
                                "x", Network.STREAM, "192.0.2.1", 85, "127.0.0.1", 2000, "alice"),
                        Rules.facts(
                                "in",
                                Network.DATAGRAM,
                                "192.0.2.1",
                                85,
                                "127.0.0.1",
                                2000,
                                "alice"),
                        Rules.facts(
                                "in",
                                Network.STREAM,
                                "2001:db8::1",
                                85,
                                "127.0.0.1",
                                2000,
                                "alice"),
                        Rules.facts(
                                "in", Network.STREAM, "name.test", 85, "127.0.0.1", 2000, "alice"),
                        Rules.facts(
                                "in", Network.STREAM, "192.0.2.1", 91, "127.0.0.1", 2000, "alice"),
                        Rules.facts(
                                "in", Network.STREAM, "192.0.2.1", 85, "10.0.0.1", 2000, "alice"),
                        Rules.facts(
                                "in", Network.STREAM, "192.0.2.1", 85, "127.0.0.1", 999, "alice"),
                        Rules.facts(
                                "in", Network.STREAM, "192.0.2.1", 85, "127.0.0.1", 2000, "bob"),
                        Rules.facts(
                                "in", Network.STREAM, "192.0.2.1", 85, "127.0.0.1", 2000, null))) {
            assertThat(router.decide(other)).isEqualTo(new Decision.Use("z", Decision.FINAL));
        }
    }

    @Test
    void invertMatchesTheRest() {
        Router router = Rules.router("{port: 80, invert: true, outbound: 'a'}", "'z'");
        assertThat(router.decide(Rules.tcp("a.test", 80)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));
        assertThat(router.decide(Rules.tcp("a.test", 81))).isEqualTo(new Decision.Use("a", 0));
    }

    @Test
    void logicalRulesJoinRules() {
        Router router =
                Rules.router(
                        "{type: 'logical', mode: 'and', rules: [{network: 'tcp'},"
                                + " {type: 'logical', mode: 'or', rules: [{port: 80}, {domain: 'a.test',"
                                + " invert: true}]}], outbound: 'a'}",
                        "'z'");
        assertThat(router.decide(Rules.tcp("a.test", 80))).isEqualTo(new Decision.Use("a", 0));
        assertThat(router.decide(Rules.tcp("b.test", 1))).isEqualTo(new Decision.Use("a", 0));
        assertThat(router.decide(Rules.tcp("a.test", 1)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));
        assertThat(router.decide(Rules.udp("b.test", 80)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));
    }

    @Test
    void aNameMatchesAnAddressRuleOnlyAfterItWasLookedUp() {
        String address = "{ip_cidr: '192.0.2.0/24', outbound: 'a'}";
        assertThat(Rules.router(address, "'z'").decide(Rules.tcp("a.test", 80)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));

        Router router =
                Rules.router("{action: 'resolve', strategy: 'prefer_ipv4'}, " + address, "'z'");
        FlowFacts facts = Rules.tcp("a.test", 80);
        Decision asked = router.decide(facts);
        assertThat(asked).isEqualTo(new Decision.Resolve(Family.PREFER_IPV4, 0));
        FlowFacts known =
                facts.withResolved(List.of(IpAddress.v4(0x0808_0808), IpAddress.v4(0xc000_0207)));
        assertThat(router.resume((Decision.Ask) asked, known)).isEqualTo(new Decision.Use("a", 1));
    }

    @Test
    void anAddressIsNotLookedUp() {
        Router router = Rules.router("{action: 'resolve'}", "'z'");
        assertThat(router.decide(Rules.tcp("192.0.2.1", 80)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));
    }

    @Test
    void aSniffedNameGoesBeforeTheDestinations() {
        Router router =
                Rules.router(
                        "{action: 'sniff', timeout: '1s'}, {domain: 'a.test', outbound: 'a'}",
                        "'z'");
        FlowFacts facts = Rules.tcp("192.0.2.1", 443);
        Decision asked = router.decide(facts);
        assertThat(asked).isEqualTo(new Decision.Sniff(Duration.ofSeconds(1), 0));
        assertThat(
                        router.resume(
                                (Decision.Ask) asked,
                                facts.withSniffed(
                                        new FlowFacts.Sniffed("tls", new DomainName("A.test")))))
                .isEqualTo(new Decision.Use("a", 1));
        assertThat(
                        router.resume(
                                (Decision.Ask) asked, facts.withSniffed(FlowFacts.Sniffed.NOTHING)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));
    }

    @Test
    void whatIsKnownIsNotAskedTwice() {
        Router router = Rules.router("{action: 'sniff'}, {action: 'sniff'}", "'z'");
        FlowFacts facts = Rules.tcp("192.0.2.1", 443);
        Decision.Ask asked = (Decision.Ask) router.decide(facts);
        assertThat(router.resume(asked, facts.withSniffed(FlowFacts.Sniffed.NOTHING)))
                .isEqualTo(new Decision.Use("z", Decision.FINAL));
        assertThat(router.resume(asked, facts))
                .isEqualTo(new Decision.Sniff(Duration.ofMillis(300), 1));
    }

    @Test
    void decidingAllocatesNothing() {
        Router router =
                Rules.router(
                        "{auth_user: 'bob', outbound: 'a'}, {domain_suffix: ['b.test', 'c.test'],"
                                + " ip_cidr: '10.0.0.0/8', port: [80, 443], outbound: 'b'}, {type: 'logical',"
                                + " mode: 'or', rules: [{inbound: 'x'}, {source_ip_is_private: true,"
                                + " port: 1}], outbound: 'c'}",
                        "'z'");
        FlowFacts name = Rules.tcp("www.example.com", 443);
        FlowFacts address = Rules.tcp("2001:db8::1", 443);
        Allocations.assertNone(() -> {
            router.decide(name);
            router.decide(address);
        });
    }
}
