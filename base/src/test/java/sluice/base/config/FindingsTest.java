package sluice.base.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FindingsTest {

    private final Findings findings = new Findings();

    @Test
    void sortsByFileInTheOrderMetThenByPlace() {
        findings.error(new Place("b.json", 9, 1), "x", "one", null);
        findings.error(new Place("a.json", 2, 1), "x", "two", null);
        findings.warn(new Place("b.json", 3, 7), "x", "three", "do so");
        findings.error(new Place("b.json", 3, 2), "", "four", null);
        assertThat(findings.report())
                .isEqualTo(
                        """
                        b.json:3:2  four
                        b.json:3:7  warning: x: three
                            mend: do so
                        b.json:9:1  x: one
                        a.json:2:1  x: two\
                        """);
        assertThat(findings.errorCount()).isEqualTo(3);
        assertThat(findings.warnings()).hasSize(1);
    }

    @Test
    void saysTheSameOnce() {
        for (int i = 0; i < 2; i++) {
            findings.error(new Place("a", 1, 1), "x", "one", null);
        }
        assertThat(findings.all()).hasSize(1);
        assertThat(findings.errorCount()).isEqualTo(1);
    }

    @Test
    void warningsDoNotForbid() {
        findings.warn(Place.of("a"), "", "hm", null);
        assertThat(findings.hasErrors()).isFalse();
        findings.error(Place.of("a"), "", "no", null);
        assertThat(findings.hasErrors()).isTrue();
    }

    @Test
    void whatFollowsFromAnErrorThatWasToldIsLeftOut() {
        Place place = new Place("a", 1, 1);
        findings.error(place, "x", "no such variable", null);
        findings.settle(place);
        findings.error(place, "x", "is not a port", null);
        findings.error(new Place("a", 1, 2), "y", "is not a port", null);
        assertThat(findings.all())
                .extracting(Findings.Finding::reason)
                .containsExactly("no such variable", "is not a port");
        assertThat(findings.errorCount()).isEqualTo(2);
    }

    @Test
    void aLogHasLevelsOfItsOwn() {
        findings.warn(new Place("a", 1, 1), "x", "hm", "do so");
        assertThat(findings.all().getFirst().withoutSeverity())
                .isEqualTo("a:1:1  x: hm\n    mend: do so");
    }

    @Test
    void beyondAThousandTheyAreOnlyCounted() {
        Findings findings = new Findings();
        for (int i = 1; i <= 3000; i++) {
            findings.error(new Place("big.json", i, 1), "k" + i, "unknown key", null);
        }

        assertThat(findings.errorCount()).isEqualTo(3000);
        assertThat(findings.all()).hasSize(1000);
        assertThat(findings.report()).endsWith("k1000: unknown key\nand 2000 more");
    }
}
