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

    /// What `inet_aton` reads as an address, and what only looks like that.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2130706433",
                "127.1",
                "127.1.",
                "127.1..",
                "0177.0.0.1",
                "0x7f.1",
                "0X7F000001",
                "1.2.3.4",
                "a.1",
                "example.0x",
                "0x"
            })
    void knowsANumberAtItsEnd(String text) {
        assertThat(new DomainName(text).endsInNumber()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "127.0.0.1.example",
                "1a",
                "a1",
                "0x7g",
                "x7f",
                "7f",
                "1.a.",
                ".",
                "..",
                "127.0.0.1-",
                "1.com"
            })
    void knowsANameByItsEnd(String text) {
        assertThat(new DomainName(text).endsInNumber()).isFalse();
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
