package sluice.base.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;

final class ConfigNodeTest {

    @Test
    void comparesValuesAndNotPlacesOrOrder() {
        Place elsewhere = new Place("other", 9, 9);
        ConfigNode text = new Scalar(elsewhere, Scalar.Type.TEXT, "a");
        assertThat(text.sameAs(Nodes.of("a"))).isTrue();
        assertThat(text.sameAs(Nodes.of("b"))).isFalse();
        assertThat(Nodes.of("1").sameAs(Nodes.of(1))).isFalse();
        assertThat(Nodes.object("a", 1, "b", 2).sameAs(Nodes.object("b", 2, "a", 1))).isTrue();
        assertThat(Nodes.object("a", 1).sameAs(Nodes.object("a", 1, "b", 2))).isFalse();
        assertThat(Nodes.object("a", 1).sameAs(Nodes.object("b", 1))).isFalse();
        assertThat(Nodes.of(List.of(1, 2)).sameAs(Nodes.of(List.of(2, 1)))).isFalse();
        assertThat(Nodes.of(List.of(1, 2)).sameAs(Nodes.of(List.of(1, 2)))).isTrue();
        assertThat(Nodes.of(List.of()).sameAs(Nodes.of(Map.of()))).isFalse();
    }

    @Test
    void numbersCompareByValue() {
        assertThat(number("0x10").sameAs(number("16"))).isTrue();
        assertThat(number("1.0").sameAs(number("1"))).isTrue();
        assertThat(number("1e3").sameAs(number("1000"))).isTrue();
        assertThat(number("1e3").sameAs(number("1001"))).isFalse();
        assertThat(number("0o17").sameAs(number("15"))).isTrue();
    }

    @Test
    void reportsEveryRepeatedKeyWithBothPlaces() {
        Place first = new Place("c", 1, 2);
        Place second = new Place("c", 3, 4);
        Mapping inner =
                new Mapping(
                        first,
                        List.of(
                                new Mapping.Entry("tag", first, Nodes.of("a")),
                                new Mapping.Entry("tag", second, Nodes.of("b"))));
        Findings findings = new Findings();
        Nodes.object("inbounds", List.of(inner)).reportRepeatedKeys("", findings);
        assertThat(findings.report())
                .isEqualTo(
                        "c:3:4  inbounds[0].tag: stands twice in one object; the first is at"
                                + " c:1:2\n    mend: keep one of the two");
        assertThat(inner.text("tag")).isEqualTo("a");
    }

    @Test
    void keepsAPartOfAnObject() {
        Mapping part = Nodes.object("a", 1, "b", 2, "c", 3).only(key -> !key.equals("b"));
        assertThat(part.entries()).extracting(Mapping.Entry::key).containsExactly("a", "c");
        assertThat(part.place()).isEqualTo(Nodes.HERE);
    }

    @Test
    void aPlaceWithoutALineIsItsOrigin() {
        assertThat(Place.of("(built in)")).hasToString("(built in)");
        assertThat(new Place("c.json", 3, 4)).hasToString("c.json:3:4");
    }

    private static Scalar number(String text) {
        return new Scalar(Nodes.HERE, Scalar.Type.NUMBER, text);
    }
}
