package sluice.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.testkit.Seeds;

final class EndpointTest {

    @ParameterizedTest
    @CsvSource({
        "1.2.3.4:80, 1.2.3.4:80",
        "0.0.0.0:0, 0.0.0.0:0",
        "255.255.255.255:65535, 255.255.255.255:65535",
        "[::1]:443, [::1]:443",
        "[2001:DB8::0001]:1, [2001:db8::1]:1",
        "[::ffff:1.2.3.4]:80, 1.2.3.4:80",
    })
    void readsAndWrites(String read, String written) {
        assertThat(Endpoint.parseOrNull(read)).isNotNull().hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":80",
                "80",
                "1.2.3.4",
                "1.2.3.4:",
                "1.2.3.4:65536",
                "1.2.3.4:-1",
                "1.2.3.4:+80",
                "1.2.3.4: 80",
                "1.2.3.4:80 ",
                "1.2.3.4:080",
                "1.2.3.4:8o",
                "1.2.3.4:\u0668\u0660",
                "1.2.3.4:99999999999",
                "[1.2.3.4]:80",
                "::1:80",
                "2001:db8::1:443",
                "[::1]",
                "[::1]:",
                "[::1:80",
                "::1]:80",
                "[::1]80",
                "example.org:80",
            })
    void refusesWhatIsNoEndpoint(String text) {
        assertThat(Endpoint.parseOrNull(text)).isNull();
    }

    @ParameterizedTest
    @Seeds(10)
    void readingWhatWasWrittenIsIdentity(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            Endpoint endpoint = new Endpoint(IpAddressTest.sparse(random), random.nextInt(65_536));

            assertThat(Endpoint.parseOrNull(endpoint.toString())).isEqualTo(endpoint);
        }
    }

    @Test
    void refusesPortsThatDoNotExist() {
        assertThatThrownBy(() -> new Endpoint(IpAddress.ANY_V4, 65_536))
                .hasMessageContaining("65536 is not a port");
        assertThatThrownBy(() -> new Endpoint(IpAddress.ANY_V4, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
