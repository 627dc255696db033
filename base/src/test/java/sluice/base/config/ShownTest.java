package sluice.base.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShownTest {

    @Test
    void showsWhatCannotBeSeen() {
        assertThat(Shown.plain("ta\u200bg")).isEqualTo("ta\\u200bg");
        assertThat(Shown.plain("a\u00a0b\t\n\r\u0007")).isEqualTo("a\\u00a0b\\t\\n\\r\\u0007");
        assertThat(Shown.plain("\ufeffx")).isEqualTo("\\ufeffx");
        assertThat(Shown.plain("\ud800")).isEqualTo("\\ud800");
        assertThat(Shown.plain("\udb40\udc01")).isEqualTo("\\udb40\\udc01");
    }

    @Test
    void keepsWhatCanBeSeen() {
        assertThat(Shown.quoted("日本 ü 😀")).isEqualTo("\"日本 ü 😀\"");
    }

    @Test
    void shortensWhatIsLong() {
        assertThat(Shown.plain("x".repeat(500))).isEqualTo("x".repeat(72) + "…");
        assertThat(Shown.plain("x".repeat(72))).isEqualTo("x".repeat(72));
    }
}
