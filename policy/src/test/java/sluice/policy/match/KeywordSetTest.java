package sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class KeywordSetTest {

    @Test
    void findsAKeywordAnywhere() {
        KeywordSet set = KeywordSet.of(List.of("goo", "TUBE"));
        assertThat(set.isIn("www.google.test")).isTrue();
        assertThat(set.isIn("youtube.test")).isTrue();
        assertThat(set.isIn("example.test")).isFalse();
    }

    @Test
    void refusesAnEmptyKeyword() {
        assertThatThrownBy(() -> KeywordSet.of(List.of("a", "")))
                .hasMessageContaining("every name");
    }
}
