package sluice.app.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FetchTest {

    @ParameterizedTest
    @CsvSource({
        "http://a.example, false, a.example:80, a.example, /",
        "https://a.example, true, a.example:443, a.example, /",
        "HTTP://a.example:8080/x?y#z, false, a.example:8080, a.example:8080, /x?y",
        "a.example/x, true, a.example:443, a.example, /x",
        "http://a.example?x=/y, false, a.example:80, a.example, /?x=/y",
        "http://[::1]:81/, false, [::1]:81, [::1]:81, /",
        "http://[::1], false, [::1]:80, [::1], /",
        "http://127.0.0.1:1, false, 127.0.0.1:1, 127.0.0.1:1, /"
    })
    void readsAddresses(String url, boolean secure, String to, String authority, String path) {
        Fetch.Target target = Fetch.Target.parse(url);
        assertThat(target.secure()).isEqualTo(secure);
        assertThat(target.to()).hasToString(to);
        assertThat(target.authority()).isEqualTo(authority);
        assertThat(target.path()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://a",
                "http://",
                "http://a b",
                "http://a:0",
                "http://a:65536",
                "http://a:x",
                "http://é"
            })
    void refusesTheRest(String url) {
        assertThatThrownBy(() -> Fetch.Target.parse(url))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsDestinations() {
        assertThat(Fetch.destination("a.example:25", 0)).hasToString("a.example:25");
        assertThat(Fetch.destination("[::1]:25", 0)).hasToString("[::1]:25");
        assertThat(Fetch.destination("::1", 53)).hasToString("[::1]:53");
        assertThatThrownBy(() -> Fetch.destination("a.example", 0))
                .hasMessage("needs a port, such as a.example:443");
    }

    @Test
    void timesStandInAColumn() {
        assertThat(Fetch.millis(0)).isEqualTo("    0.0 ms");
        assertThat(Fetch.millis(12_345_678)).isEqualTo("   12.3 ms");
        assertThat(Fetch.millis(12_345_678_901_234L)).isEqualTo("12345678.9 ms");
    }
}
