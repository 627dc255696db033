package sluice.policy.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.base.net.IpAddress;
import sluice.testkit.Seeds;

final class AddressOrderTest {
    private static final List<IpAddress> MIXED =
            addresses("2001:db8::1", "2001:db8::2", "192.0.2.1", "2001:db8::3", "192.0.2.2");

    @Test
    void familiesAlternateBeginningWithTheResolversFirst() {
        assertThat(AddressOrder.of(MIXED, Family.ANY))
                .isEqualTo(
                        addresses(
                                "2001:db8::1",
                                "192.0.2.1",
                                "2001:db8::2",
                                "192.0.2.2",
                                "2001:db8::3"));
    }

    @Test
    void thePreferredFamilyBegins() {
        assertThat(AddressOrder.of(MIXED, Family.PREFER_IPV4))
                .isEqualTo(
                        addresses(
                                "192.0.2.1",
                                "2001:db8::1",
                                "192.0.2.2",
                                "2001:db8::2",
                                "2001:db8::3"));
        assertThat(AddressOrder.of(MIXED, Family.PREFER_IPV6).getFirst())
                .isEqualTo(MIXED.getFirst());
    }

    @Test
    void aPreferenceIsNoDemand() {
        assertThat(AddressOrder.of(addresses("192.0.2.1"), Family.PREFER_IPV6))
                .isEqualTo(addresses("192.0.2.1"));
    }

    @Test
    void aDemandedFamilyStandsAlone() {
        assertThat(AddressOrder.of(MIXED, Family.IPV4_ONLY))
                .isEqualTo(addresses("192.0.2.1", "192.0.2.2"));
        assertThat(AddressOrder.of(MIXED, Family.IPV6_ONLY)).hasSize(3).noneMatch(IpAddress::isV4);
        assertThat(AddressOrder.of(addresses("192.0.2.1"), Family.IPV6_ONLY)).isEmpty();
    }

    @Test
    void duplicatesAreTriedOnce() {
        assertThat(AddressOrder.of(addresses("192.0.2.1", "192.0.2.1"), Family.ANY))
                .isEqualTo(addresses("192.0.2.1"));
    }

    @ParameterizedTest
    @Seeds(50)
    void losesNothingAndKeepsTheOrderWithinAFamily(long seed) {
        Random random = new Random(seed);
        List<IpAddress> found =
                Stream.generate(() ->
                                random.nextBoolean()
                                        ? IpAddress.v4(random.nextInt())
                                        : new IpAddress(1, random.nextInt(), false))
                        .limit(random.nextInt(12))
                        .distinct()
                        .toList();
        for (Family family : List.of(Family.ANY, Family.PREFER_IPV4, Family.PREFER_IPV6)) {
            List<IpAddress> ordered = AddressOrder.of(found, family);
            assertThat(ordered).containsExactlyInAnyOrderElementsOf(found);
            for (boolean isV4 : new boolean[] {true, false}) {
                assertThat(ordered.stream().filter(a -> a.isV4() == isV4).toList())
                        .isEqualTo(found.stream().filter(a -> a.isV4() == isV4).toList());
            }
        }
    }

    @Test
    void strategiesHaveTheNamesOfSingBox() {
        assertThat(Family.parse("prefer_ipv4")).isEqualTo(Family.PREFER_IPV4);
        assertThat(Family.parse("ipv6_only")).isEqualTo(Family.IPV6_ONLY);
        assertThat(Family.parse("")).isEqualTo(Family.ANY);
        assertThatThrownBy(() -> Family.parse("ipv5")).hasMessageContaining("prefer_ipv6");
    }

    private static List<IpAddress> addresses(String... texts) {
        return Stream.of(texts).map(IpAddress::parseOrNull).toList();
    }
}
