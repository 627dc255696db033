package sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;

final class DomainSetTest {

    @Test
    void aWholeNameMatchesItselfOnly() {
        DomainSet set = DomainSet.of(List.of("example.com"), List.of());
        assertThat(set.contains("example.com")).isTrue();
        assertThat(set.contains("www.example.com")).isFalse();
        assertThat(set.contains("com")).isFalse();
        assertThat(set.contains("example.co")).isFalse();
    }

    @Test
    void aSuffixMatchesItselfAndWhatIsBelowOnLabelBoundaries() {
        DomainSet set = DomainSet.of(List.of(), List.of("example.com"));
        assertThat(set.contains("example.com")).isTrue();
        assertThat(set.contains("www.example.com")).isTrue();
        assertThat(set.contains("a.b.example.com")).isTrue();
        assertThat(set.contains("notexample.com")).isFalse();
        assertThat(set.contains("example.com.evil")).isFalse();
    }

    @Test
    void aSuffixWithALeadingDotMatchesOnlyWhatIsBelow() {
        DomainSet set = DomainSet.of(List.of(), List.of(".example.com"));
        assertThat(set.contains("example.com")).isFalse();
        assertThat(set.contains("www.example.com")).isTrue();
        assertThat(set.contains("wwwexample.com")).isFalse();
    }

    @Test
    void aSuffixOfOneLabelIsLegal() {
        DomainSet set = DomainSet.of(List.of(), List.of("cn", ".test"));
        assertThat(set.contains("cn")).isTrue();
        assertThat(set.contains("example.cn")).isTrue();
        assertThat(set.contains("test")).isFalse();
        assertThat(set.contains("a.test")).isTrue();
        assertThat(set.contains("acn")).isFalse();
    }

    @Test
    void theSameNameMayStandInSeveralForms() {
        DomainSet set = DomainSet.of(List.of("a.test"), List.of(".a.test"));
        assertThat(set.count()).isEqualTo(1);
        assertThat(set.contains("a.test")).isTrue();
        assertThat(set.contains("b.a.test")).isTrue();
    }

    @Test
    void entriesAreComparedInLowerCaseWithoutTrailingDot() {
        DomainSet set = DomainSet.of(List.of("WWW.Example.COM."), List.of("Bücher.Test"));
        assertThat(set.contains("www.example.com")).isTrue();
        assertThat(set.contains("shop.bücher.test")).isTrue();
    }

    @Test
    void emptyEntriesAreRefusedSinceTheyWouldMatchEverything() {
        assertThatThrownBy(() -> DomainSet.of(List.of(""), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(DomainSet.refusalOrNull("")).isNotNull();
        assertThat(DomainSet.refusalOrNull(".")).isNotNull();
        assertThat(DomainSet.refusalOrNull("..a")).isNotNull();
        assertThat(DomainSet.refusalOrNull("a..")).isNotNull();
        assertThat(DomainSet.refusalOrNull("a b")).isNotNull();
        assertThat(DomainSet.refusalOrNull("a")).isNull();
        assertThat(DomainSet.refusalOrNull(".a.b.")).isNull();
    }

    @Test
    void theEmptySetHoldsNothing() {
        assertThat(DomainSet.EMPTY.contains("example.com")).isFalse();
        assertThat(DomainSet.EMPTY.contains("")).isFalse();
    }

    @Test
    void askingAllocatesNothing() {
        DomainSet set = DomainSet.of(List.of("a.test"), List.of("example.com", "example.org"));
        Allocations.assertNone(() -> set.contains("one.two.three.four.example.net"));
    }

    @ParameterizedTest
    @Seeds(200)
    void answersLikeANaiveModel(long seed) {
        Random random = new Random(seed);
        List<String> names = names(random, 20);
        List<String> suffixes = new ArrayList<>(names(random, 20));
        suffixes.replaceAll(suffix -> random.nextBoolean() ? suffix : "." + suffix);
        DomainSet set = DomainSet.of(names, suffixes);
        for (String name : names(random, 200)) {
            assertThat(set.contains(name))
                    .as("%s in %s or below %s", name, names, suffixes)
                    .isEqualTo(naive(name, names, suffixes));
        }
    }

    private static boolean naive(String name, List<String> names, List<String> suffixes) {
        return names.contains(name)
                || suffixes.stream()
                        .anyMatch(suffix ->
                                suffix.startsWith(".")
                                        ? name.endsWith(suffix)
                                        : name.equals(suffix) || name.endsWith("." + suffix));
    }

    /// Names from so few letters that they meet.
    private static List<String> names(Random random, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder name = new StringBuilder();
            int labels = 1 + random.nextInt(4);
            for (int label = 0; label < labels; label++) {
                name.append(label == 0 ? "" : ".");
                int letters = 1 + random.nextInt(2);
                for (int letter = 0; letter < letters; letter++) {
                    name.append((char) ('a' + random.nextInt(2)));
                }
            }
            names.add(name.toString());
        }
        return names;
    }
}
