package sluice.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DestinationTest {

    @ParameterizedTest
    @CsvSource({
        "example.org, 443, example.org:443",
        "1.2.3.4, 80, 1.2.3.4:80",
        "2001:db8::1, 80, [2001:db8::1]:80",
        "[2001:db8::1], 80, [2001:db8::1]:80",
        "::ffff:1.2.3.4, 0, 1.2.3.4:0",
        "127.1, 80, 127.1:80",
    })
    void showsHostAndPort(String host, int port, String shown) {
        assertThat(new Destination(Host.parse(host), port)).hasToString(shown);
    }

    @Test
    void aLiteralIsAnAddressAndAllElseAName() {
        assertThat(Host.parse("1.2.3.4")).isInstanceOf(IpAddress.class);
        assertThat(Host.parse("[::1]")).isEqualTo(IpAddress.LOOPBACK_V6);
        assertThat(Host.parse("1")).isInstanceOf(DomainName.class);
        assertThat(Host.parse("127.1")).isInstanceOf(DomainName.class);
        assertThat(Host.parse("010.0.0.1")).isInstanceOf(DomainName.class);
        assertThat(Host.parse("example.org")).isInstanceOf(DomainName.class);
    }

    @Test
    void refusesPortsThatDoNotExist() {
        assertThatThrownBy(() -> new Destination(IpAddress.ANY_V4, 65_536))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Destination(IpAddress.ANY_V4, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anEndpointIsADestinationToo() {
        Endpoint endpoint = new Endpoint(IpAddress.LOOPBACK_V6, 7);

        assertThat(Destination.of(endpoint)).isEqualTo(new Destination(IpAddress.LOOPBACK_V6, 7));
    }
}
