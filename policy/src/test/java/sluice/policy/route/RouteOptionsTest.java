package sluice.policy.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.Findings;
import sluice.base.config.Place;

final class RouteOptionsTest {

    @Test
    void oneValueStandsForAListOfOne() {
        List<RuleOptions> one = Rules.options("{rules: {port: 80, outbound: 'a'}}").rules();
        List<RuleOptions> list = Rules.options("{rules: [{port: [80], outbound: 'a'}]}").rules();
        assertThat(one).hasSize(1);
        assertThat(one.getFirst().condition()).isEqualTo(list.getFirst().condition());
        assertThat(one.getFirst().action()).isEqualTo(list.getFirst().action());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {port: 80}                                             | needs "outbound"
                    {port: 80, outbound: 'a', method: 'drop'}              | no meaning with action "route"
                    {action: 'reject', outbound: 'a'}                      | no meaning with action "reject"
                    {action: 'hijack-dns', port: 53}                       | needs the DNS server
                    {action: 'reject', method: 'reply'}                    | is not one of
                    {action: 'teleport'}                                   | is none of route, reject
                    {port_range: '80', outbound: 'a'}                      | has no colon
                    {port_range: '90:80', outbound: 'a'}                   | ends before it begins
                    {port: 70000, outbound: 'a'}                           | 65535
                    {domain: '', outbound: 'a'}                            | 1 to 255 bytes
                    {domain_suffix: '.', outbound: 'a'}                    | 1 to 255 bytes
                    {domain_suffix: '..a', outbound: 'a'}                  | has an empty label
                    {domain_suffix: '*.example.com', outbound: 'a'}        | mend: write ".example.com"
                    {domain: '*.example.com', outbound: 'a'}               | mend: write "domain_suffix": ".example.com"
                    {domain: '.example.com', outbound: 'a'}                | mend: write it in "domain_suffix"
                    {domain: 'http://x.com', outbound: 'a'}                | mend: write the name alone: "x.com"
                    {domain_suffix: 'https://x.com:8443/a?b', outbound: 'a'} | mend: write the name alone: "x.com"
                    {domain: 'x.com:443', outbound: 'a'}                   | mend: write the name alone: "x.com"
                    {domain: 'full:x.com', outbound: 'a'}                  | mend: write the name alone
                    {domain: '*', outbound: 'a'}                           | mend: leave the field out
                    {domain: 'ads*.x.com', outbound: 'a'}                  | mend: write a part of the name in "domain_keyword"
                    {domain_keyword: '', outbound: 'a'}                    | is empty
                    {ip_cidr: '10.0.0.1/8', outbound: 'a'}                 | bits behind the prefix
                    {ip_version: 5, outbound: 'a'}                         | 4 or 6
                    {network: 'sctp', outbound: 'a'}                       | is not one of
                    {type: 'logical', rules: [{port: 1}], outbound: 'a'}   | needs "mode"
                    {type: 'logical', mode: 'and', outbound: 'a'}          | needs rules
                    {type: 'logical', mode: 'and', rules: [{port: 1}], port: 2, outbound: 'a'} | no meaning in a logical rule
                    {mode: 'and', port: 2, outbound: 'a'}                  | belongs to a logical rule
                    {type: 'logical', mode: 'and', rules: [{port: 1, outbound: 'b'}], outbound: 'a'} | unknown key "outbound"
                    {invert: true, outbound: 'a'}                          | nothing to invert
                    {rule_set: 'x', outbound: 'a'}                         | not supported yet
                    {user: 'root', outbound: 'a'}                          | not supported yet
                    {domian: 'a', outbound: 'a'}                           | did you mean "domain"
                    """)
    void saysWhatIsWrongWithARule(String rule, String reason) {
        Findings findings = Rules.findings("{rules: [" + rule + "]}");
        assertThat(findings.errorCount()).isEqualTo(1);
        assertThat(findings.report()).contains("route.rules[0]").contains(reason);
    }

    @Test
    void saysEverythingThatIsWrongAtOnce() {
        Findings findings =
                Rules.findings(
                        "{rules: [{port: 'x', outbound: 'a'}, {network: 'icmp', action: 'sing'}],"
                                + " finall: 'a'}");
        assertThat(findings.errorCount()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto_detect_interface: true", "find_process: true"})
    void warnsOfKeysWithoutEffect(String key) {
        Findings findings = Rules.findings("{" + key + "}");
        assertThat(findings.hasErrors()).isFalse();
        assertThat(findings.warnings()).hasSize(1);
    }

    @Test
    void listsTheTagsItMentionsWithTheirPlaces() {
        String text =
                "{rules: [{inbound: ['i1', 'i2'], outbound: 'o1'}, {type: 'logical', mode: 'or',"
                        + " rules: [{inbound: 'i3'}], outbound: 'o2'}], final: 'o3'}";
        List<TagUse> uses = Rules.options(text).uses();
        assertThat(uses)
                .extracting(TagUse::tag)
                .containsExactly("i1", "i2", "o1", "i3", "o2", "o3");
        assertThat(uses.getLast())
                .isEqualTo(
                        new TagUse(
                                TagUse.Kind.OUTBOUND,
                                "o3",
                                new Place("test", 1, text.indexOf("'o3'") + 1),
                                "route.final"));
        assertThat(uses.get(3).path()).isEqualTo("route.rules[1].rules[0].inbound");
    }
}
