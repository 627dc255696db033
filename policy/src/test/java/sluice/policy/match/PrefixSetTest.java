package sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.net.IpAddress;
import sluice.base.net.Prefix;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;

final class PrefixSetTest {

    @Test
    void holdsTheEdgesOfARangeAndNothingBeside() {
        PrefixSet set = set("10.1.0.0/16", "2001:db8::/33");
        assertThat(set.contains(address("10.1.0.0"))).isTrue();
        assertThat(set.contains(address("10.1.255.255"))).isTrue();
        assertThat(set.contains(address("10.0.255.255"))).isFalse();
        assertThat(set.contains(address("10.2.0.0"))).isFalse();
        assertThat(set.contains(address("2001:db8:7fff:ffff:ffff:ffff:ffff:ffff"))).isTrue();
        assertThat(set.contains(address("2001:db8:8000::"))).isFalse();
        assertThat(set.contains(address("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff"))).isFalse();
    }

    @Test
    void slashZeroHoldsItsWholeFamilyAndNotTheOther() {
        PrefixSet four = set("0.0.0.0/0");
        assertThat(four.contains(address("255.255.255.255"))).isTrue();
        assertThat(four.contains(address("0.0.0.0"))).isTrue();
        assertThat(four.contains(address("::1"))).isFalse();
        PrefixSet six = set("::/0");
        assertThat(six.contains(address("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"))).isTrue();
        assertThat(six.contains(address("1.2.3.4"))).isFalse();
    }

    @Test
    void aMappedAddressIsAnIpv4Address() {
        assertThat(set("192.0.2.0/24").contains(address("::ffff:192.0.2.7"))).isTrue();
    }

    @Test
    void theEmptySetHoldsNothing() {
        assertThat(PrefixSet.EMPTY.contains(address("0.0.0.0"))).isFalse();
        assertThat(PrefixSet.EMPTY.contains(address("::"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0", "10.1.2.3", "127.0.0.1", "169.254.1.1", "172.31.0.1", "192.168.1.1",
                "224.0.0.1", "::", "::1", "fd00::1", "fe80::1", "ff02::1"
            })
    void whatIsNotPublic(String text) {
        assertThat(PrefixSet.NOT_PUBLIC.contains(address(text))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.1",
                "11.0.0.1",
                "172.32.0.1",
                "100.64.0.1",
                "192.0.2.1",
                "8.8.8.8",
                "::2",
                "2001:db8::1",
                "fec0::1"
            })
    void whatIsPublicAsFarAsRulesGo(String text) {
        assertThat(PrefixSet.NOT_PUBLIC.contains(address(text))).isFalse();
    }

    @Test
    void askingAllocatesNothing() {
        IpAddress four = address("8.8.8.8");
        IpAddress six = address("2001:db8::1");
        Allocations.assertNone(() -> {
            PrefixSet.NOT_PUBLIC.contains(four);
            PrefixSet.NOT_PUBLIC.contains(six);
        });
    }

    @ParameterizedTest
    @Seeds(200)
    void answersLikeANaiveModel(long seed) {
        Random random = new Random(seed);
        List<Prefix> prefixes = new ArrayList<>();
        for (int i = random.nextInt(20); i > 0; i--) {
            prefixes.add(prefix(random));
        }
        PrefixSet set = PrefixSet.of(prefixes);
        for (int i = 0; i < 200; i++) {
            IpAddress asked = near(random, prefixes);
            assertThat(set.contains(asked))
                    .as("%s in %s", asked, prefixes)
                    .isEqualTo(prefixes.stream().anyMatch(prefix -> prefix.contains(asked)));
        }
    }

    /// Prefixes over so little space that they nest and touch.
    private static Prefix prefix(Random random) {
        IpAddress address = some(random);
        int most = address.isV4() ? 32 : 128;
        int bits = random.nextInt(8) == 0 ? random.nextInt(most + 1) : most - random.nextInt(6);
        return new Prefix(masked(address, bits), bits);
    }

    private static IpAddress masked(IpAddress address, int bits) {
        if (address.isV4()) {
            return IpAddress.v4(bits == 0 ? 0 : (int) address.low() & -1 << (32 - bits));
        }
        long high = bits == 0 ? 0 : bits >= 64 ? -1L : -1L << (64 - bits);
        long low = bits <= 64 ? 0 : -1L << (128 - bits);
        return new IpAddress(address.high() & high, address.low() & low, false);
    }

    private static IpAddress some(Random random) {
        int low = random.nextInt(64) - 32;
        return random.nextBoolean()
                ? IpAddress.v4(low)
                : new IpAddress(random.nextInt(3) - 1, low, false);
    }

    private static IpAddress near(Random random, List<Prefix> prefixes) {
        if (prefixes.isEmpty() || random.nextInt(3) == 0) {
            return some(random);
        }
        IpAddress edge = prefixes.get(random.nextInt(prefixes.size())).address();
        int step = random.nextInt(66) - 2;
        return edge.isV4()
                ? IpAddress.v4((int) edge.low() + step)
                : new IpAddress(edge.high(), edge.low() + step, false);
    }

    private static PrefixSet set(String... prefixes) {
        return PrefixSet.of(List.of(prefixes).stream().map(Prefix::parse).toList());
    }

    private static IpAddress address(String text) {
        IpAddress address = IpAddress.parseOrNull(text);
        assertThat(address).as(text).isNotNull();
        return address;
    }
}
