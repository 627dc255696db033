package sluice.base.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.testkit.Seeds;

final class IpAddressTest {

    /// RFC 5952 §4 and §5: the text on the left is read, the text on the right is written.
    @ParameterizedTest
    @CsvSource({
        "2001:0db8::0001, 2001:db8::1",
        "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:DB8::A, 2001:db8::a",
        "2001:db8:aaaa:bbbb:cccc:dddd:eeee:0001, 2001:db8:aaaa:bbbb:cccc:dddd:eeee:1",
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "1:0:0:0:0:0:0:0, 1::",
        "1::, 1::",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "0:0:3:0:0:0:7:0, 0:0:3::7:0",
        "fe80::1, fe80::1",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
        "::1.2.3.4, ::102:304",
        "[2001:db8::1], 2001:db8::1",
    })
    void writesTheFormOfRfc5952(String read, String written) {
        IpAddress address = IpAddress.parseOrNull(read);

        assertThat(address).isNotNull().hasToString(written);
        assertThat(address.isV4()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "::ffff:1.2.3.4, 1.2.3.4",
        "::ffff:102:304, 1.2.3.4",
        "[::ffff:1.2.3.4], 1.2.3.4",
        "0:0:0:0:0:ffff:255.255.255.255, 255.255.255.255",
        "::FFFF:0:0, 0.0.0.0",
    })
    void mappedAddressesAreIpv4(String read, String written) {
        IpAddress address = IpAddress.parseOrNull(read);

        assertThat(address).isNotNull().hasToString(written);
        assertThat(address.isV4()).isTrue();
        assertThat(address).isEqualTo(IpAddress.parseOrNull(written));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "255.255.255.255", "1.2.3.4", "127.0.0.1", "10.0.0.10"})
    void readsFourDecimalOctets(String text) {
        assertThat(IpAddress.parseOrNull(text)).isNotNull().hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "127.1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.4.",
                ".1.2.3.4",
                "1..2.3",
                "010.0.0.1",
                "1.2.3.04",
                "00.0.0.0",
                "256.0.0.1",
                "1.2.3.999",
                "1.2.3.4444",
                "4294967295",
                "0x7f.0.0.1",
                "1.2.3.-4",
                "1.2.3.+4",
                " 1.2.3.4",
                "1.2.3.4 ",
                "1.2.3.4\n",
                "1.2.3.4/32",
                "1.2.3.4:80",
                "\u0661.2.3.4",
                "[1.2.3.4]",
                "[]",
                "[",
                "]",
                ":",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "1::2::3",
                ":1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:",
                "::1:",
                "12345::",
                "::g",
                "::\u0661",
                "::-1",
                ":: 1",
                "fe80::1%eth0",
                "::1.2.3",
                "::1.2.3.4:5",
                "1.2.3.4::",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1:2:3:4:5:6:1.2.3.4",
                "::ffff:01.2.3.4",
                "[::1",
                "::1]",
                "[[::1]]",
                "[::1]:80",
            })
    void refusesWhatIsNoLiteral(String text) {
        assertThat(IpAddress.parseOrNull(text)).isNull();
    }

    @ParameterizedTest
    @Seeds(20)
    void readingWhatWasWrittenIsIdentity(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            IpAddress address = sparse(random);

            assertThat(IpAddress.parseOrNull(address.toString())).isEqualTo(address);
            assertThat(IpAddress.parseOrNull(upperCaseLongForm(address))).isEqualTo(address);
            byte[] bytes = new byte[20];
            int size = address.writeTo(bytes, 3);
            assertThat(size).isEqualTo(address.bytes()).isEqualTo(address.isV4() ? 4 : 16);
            assertThat(IpAddress.of(bytes, 3, size)).isEqualTo(address);
        }
    }

    /// Where the JDK and we both see a literal, we see the same address; and what we write the JDK
    /// reads.
    @ParameterizedTest
    @Seeds(20)
    void agreesWithTheJdkAboutLiterals(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            IpAddress address = sparse(random);
            byte[] bytes = new byte[address.bytes()];
            address.writeTo(bytes, 0);
            assertThat(InetAddress.ofLiteral(address.toString()).getAddress()).isEqualTo(bytes);

            String text = mutated(address.toString(), random);
            IpAddress ours = IpAddress.parseOrNull(text);
            byte[] theirs = ofLiteralOrNull(text);
            if (ours != null && theirs != null) {
                byte[] written = new byte[ours.bytes()];
                ours.writeTo(written, 0);
                assertThat(written).as(text).isEqualTo(theirs);
            }
            if (ours != null) {
                assertThat(theirs).as("%s, which we read as %s", text, ours).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, true",
        "10.255.0.1, true",
        "11.0.0.1, false",
        "127.0.0.1, true",
        "100.63.255.255, false",
        "100.64.0.0, true",
        "100.127.255.255, true",
        "100.128.0.0, false",
        "169.254.1.1, true",
        "169.253.1.1, false",
        "172.15.0.1, false",
        "172.16.0.1, true",
        "172.31.255.255, true",
        "172.32.0.0, false",
        "192.168.0.1, true",
        "192.169.0.1, false",
        "8.8.8.8, false",
        "::, true",
        "::1, true",
        "::2, false",
        "::8000:0:0:1, false",
        "fc00::1, true",
        "fdff::1, true",
        "fe00::1, false",
        "fe80::1, true",
        "febf::1, true",
        "fec0::1, false",
        "2001:db8::1, false",
        "::ffff:10.0.0.1, true",
    })
    void knowsPrivateAddresses(String text, boolean isPrivate) {
        assertThat(address(text).isPrivate()).isEqualTo(isPrivate);
    }

    @Test
    void knowsLoopbackAndUnspecified() {
        assertThat(address("127.255.255.254").isLoopback()).isTrue();
        assertThat(address("128.0.0.1").isLoopback()).isFalse();
        assertThat(address("::1").isLoopback()).isTrue();
        assertThat(address("1::1").isLoopback()).isFalse();
        assertThat(address("0.0.0.0").isLoopback()).isFalse();
        assertThat(IpAddress.ANY_V4.isAny()).isTrue();
        assertThat(IpAddress.ANY_V6.isAny()).isTrue();
        assertThat(IpAddress.LOOPBACK_V6.isAny()).isFalse();
        assertThat(IpAddress.ANY_V4).isNotEqualTo(IpAddress.ANY_V6);
    }

    private static IpAddress address(String text) {
        IpAddress address = IpAddress.parseOrNull(text);
        assertThat(address).as(text).isNotNull();
        return address;
    }

    /// Addresses with many zero groups, since their text is where mistakes hide.
    static IpAddress sparse(Random random) {
        if (random.nextInt(3) == 0) {
            return IpAddress.v4(random.nextInt(0x1000) << random.nextInt(24));
        }
        long high = 0;
        long low = 0;
        for (int group = 0; group < 4; group++) {
            high = high << 16 | group(random);
            low = low << 16 | group(random);
        }
        return IpAddress.v6(high, low);
    }

    private static int group(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(0x10000);
            case 1 -> random.nextInt(0x10);
            default -> 0;
        };
    }

    private static String upperCaseLongForm(IpAddress address) {
        if (address.isV4()) {
            return address.toString();
        }
        String text =
                String.format("%016X%016X", address.high(), address.low())
                        .replaceAll("(.{4})(?=.)", "$1:");
        return "[" + text + "]";
    }

    private static String mutated(String text, Random random) {
        char[] alphabet = ".:0123456789abcdefABCDEF[]x% ".toCharArray();
        StringBuilder mutant = new StringBuilder(text);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(mutant.length() + 1);
            char c = alphabet[random.nextInt(alphabet.length)];
            switch (random.nextInt(3)) {
                case 0 -> mutant.insert(at, c);
                case 1 -> mutant.deleteCharAt(Math.min(at, mutant.length() - 1));
                default -> mutant.setCharAt(Math.min(at, mutant.length() - 1), c);
            }
        }
        return mutant.toString();
    }

    /// The JDK reads scopes too, which are no part of an address here.
    private static byte[] ofLiteralOrNull(String text) {
        try {
            byte[] bytes = InetAddress.ofLiteral(text).getAddress();
            boolean isMapped =
                    bytes.length == 16
                            && Arrays.equals(
                                    Arrays.copyOf(bytes, 12),
                                    new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1});
            return isMapped ? Arrays.copyOfRange(bytes, 12, 16) : bytes;
        } catch (IllegalArgumentException noLiteral) {
            return null;
        }
    }
}
