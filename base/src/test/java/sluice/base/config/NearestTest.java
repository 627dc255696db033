package sluice.base.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NearestTest {

    private static final List<String> KEYS =
            List.of("domain_suffix", "domain", "server", "server_port", "users", "inbounds", "tag");

    @ParameterizedTest
    @CsvSource({
        "domain_sufix, domain_suffix",
        "sevrer, server",
        "SERVER, server",
        "server-port, server_port",
        "serverport, server_port",
        "user, users",
        "inbound, inbounds",
        "tga, tag",
        "domain\u200b, domain",
        "us ers, users"
    })
    void namesWhatWasProbablyMeant(String word, String meant) {
        assertThat(Nearest.to(word, KEYS)).isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource({"transport", "x", "''", "password", "clients"})
    void namesNothingThatIsFarAway(String word) {
        assertThat(Nearest.to(word, KEYS)).isNull();
    }

    @Test
    void nothingIsNearAWordOfWhichNothingIsLeft() {
        assertThat(Nearest.to("a", List.of("b", "ab", "1"))).isNull();
        assertThat(Nearest.to("A", List.of("a"))).isEqualTo("a");
        assertThat(Nearest.to("inn", List.of("in"))).isEqualTo("in");
    }

    @Test
    void aLongWordCostsNoMoreThanAShortOne() {
        assertThat(Nearest.to("a".repeat(1_000_000), KEYS)).isNull();
        assertThat(Nearest.to("tag", List.of())).isNull();
    }
}
