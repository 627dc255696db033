package sluice.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.testkit.Seeds;

final class PrefixTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8",
        "0.0.0.0/0, 0.0.0.0/0",
        "1.2.3.4, 1.2.3.4/32",
        "1.2.3.4/32, 1.2.3.4/32",
        "::/0, ::/0",
        "2001:db8::/32, 2001:db8::/32",
        "2001:db8::1, 2001:db8::1/128",
        "2001:0DB8:0::/48, 2001:db8::/48",
        "8000::/1, 8000::/1",
        "::ffff:1.2.3.4, 1.2.3.4/32",
    })
    void readsAndWrites(String read, String written) {
        Prefix prefix = Prefix.parse(read);

        assertThat(prefix).hasToString(written);
        assertThat(Prefix.parse(prefix.toString())).isEqualTo(prefix);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0.0/08",
                "10.0.0.0/8 ",
                "10.0.0.0/8/8",
                "10.0.0.0/\u0668",
                "10.0.0.0/99999999999",
                "10/8",
                "::/129",
                "example.org/8",
            })
    void refusesWhatIsNoPrefix(String text) {
        assertThatThrownBy(() -> Prefix.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesTheRangeThatWasProbablyMeant() {
        assertThatThrownBy(() -> Prefix.parse("10.1.2.3/8"))
                .hasMessageContaining("write 10.0.0.0/8");
        assertThatThrownBy(() -> Prefix.parse("2001:db8::1/64"))
                .hasMessageContaining("write 2001:db8::/64");
        assertThatThrownBy(() -> Prefix.parse("1.1.1.1/0")).hasMessageContaining("write 0.0.0.0/0");
    }

    @Test
    void neverContainsTheOtherFamily() {
        assertThat(Prefix.parse("0.0.0.0/0").contains(IpAddress.ANY_V6)).isFalse();
        assertThat(Prefix.parse("::/0").contains(IpAddress.ANY_V4)).isFalse();
    }

    @ParameterizedTest
    @Seeds(20)
    void containsWhatSharesItsBits(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            IpAddress inside = IpAddressTest.sparse(random);
            int width = inside.isV4() ? 32 : 128;
            int bits = random.nextInt(width + 1);
            int shift = width - bits;
            BigInteger base = number(inside).shiftRight(shift).shiftLeft(shift);
            Prefix prefix = new Prefix(address(base, inside.isV4()), bits);

            assertThat(prefix.contains(inside)).as("%s in %s", inside, prefix).isTrue();
            int flipped = random.nextInt(width);
            IpAddress other = address(number(inside).flipBit(flipped), inside.isV4());
            if (other.isV4() == inside.isV4()) {
                assertThat(prefix.contains(other))
                        .as("%s in %s", other, prefix)
                        .isEqualTo(flipped < shift);
            }
        }
    }

    private static BigInteger number(IpAddress address) {
        byte[] bytes = new byte[address.bytes()];
        address.writeTo(bytes, 0);
        return new BigInteger(1, bytes);
    }

    private static IpAddress address(BigInteger number, boolean isV4) {
        return isV4
                ? IpAddress.v4(number.intValue())
                : new IpAddress(number.shiftRight(64).longValue(), number.longValue(), false);
    }
}
