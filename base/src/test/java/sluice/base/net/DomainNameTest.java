package sluice.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DomainNameTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "example.org",
                "EXAMPLE.org.",
                "_dmarc.example.org",
                "b\u00fccher.example",
                "-x-",
                ".",
                "a..b"
            })
    void takesWhatOtherProxiesTake(String text) {
        assertThat(DomainName.parse(text)).hasToString(text);
    }

    /// U+0085 and U+2028 end lines in some viewers, and names go to the log.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a\nb",
                "a\rb",
                "a\tb",
                "a\u0000",
                "\u007f",
                "a\u0085b",
                "a\u00a0b",
                "a\u2028b",
                "a\u3000b"
            })
    void refusesBlanksAndControlCharacters(String text) {
        assertThatThrownBy(() -> DomainName.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void countsBytesNotCharacters() {
        assertThat(DomainName.parse("a".repeat(255)).text()).hasSize(255);
        assertThatThrownBy(() -> DomainName.parse("a".repeat(256))).hasMessageContaining("256");
        assertThat(DomainName.parse("\u00fc".repeat(127)).text()).hasSize(127);
        assertThatThrownBy(() -> DomainName.parse("\u00fc".repeat(128)))
                .hasMessageContaining("256");
    }

    @ParameterizedTest
    @CsvSource({
        "Example.ORG., example.org",
        "example.org, example.org",
        "., .",
        "a.., a.",
        "\u00dc.x, \u00fc.x"
    })
    void comparesInLowerCaseWithoutTheLastDot(String text, String form) {
        assertThat(DomainName.parse(text).toMatchForm()).isEqualTo(form);
    }
}
