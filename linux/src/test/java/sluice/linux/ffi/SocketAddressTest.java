package sluice.linux.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;

final class SocketAddressTest {

    private final MemorySegment memory = Arena.ofAuto().allocate(64, 8);

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:80", "255.255.255.254:65535", "0.0.0.0:0"})
    void ipv4ComesBackFromBothForms(String text) {
        Endpoint endpoint = Endpoint.parseOrNull(text);

        assertThat(SocketAddress.write(memory, 8, endpoint, false)).isEqualTo(16);
        assertThat(SocketAddress.read(memory, 8)).isEqualTo(endpoint);
        int hash = SocketAddress.hash(memory, 8);
        assertThat(SocketAddress.matches(memory, 8, endpoint)).isTrue();
        assertThat(SocketAddress.write(memory, 8, endpoint, true)).isEqualTo(28);
        assertThat(SocketAddress.read(memory, 8)).isEqualTo(endpoint);
        assertThat(SocketAddress.matches(memory, 8, endpoint)).isTrue();
        assertThat(SocketAddress.hash(memory, 8)).isEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::]:0", "[::1]:53", "[2001:db8::7:8]:443", "[fe80::1]:65535"})
    void ipv6ComesBack(String text) {
        Endpoint endpoint = Endpoint.parseOrNull(text);

        assertThat(SocketAddress.write(memory, 0, endpoint, true)).isEqualTo(28);

        assertThat(SocketAddress.read(memory, 0)).isEqualTo(endpoint);
        assertThat(SocketAddress.matches(memory, 0, endpoint)).isTrue();
    }

    @Test
    void bytesAreThoseOfTheKernel() {
        SocketAddress.write(memory, 0, Endpoint.parseOrNull("1.2.3.4:258"), false);
        assertThat(hex(16)).isEqualTo("0200010201020304" + "00".repeat(8));

        SocketAddress.write(memory, 0, Endpoint.parseOrNull("1.2.3.4:258"), true);
        assertThat(hex(28)).isEqualTo("0a000102" + "00".repeat(14) + "ffff01020304" + "00000000");

        SocketAddress.write(memory, 0, Endpoint.parseOrNull("[2001:db8::1]:258"), true);
        assertThat(hex(28))
                .isEqualTo(
                        "0a000102" + "00000000" + "20010db8000000000000000000000001" + "00000000");
    }

    @Test
    void othersDoNotMatch() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            Endpoint one = endpoint(random);
            Endpoint two = endpoint(random);
            SocketAddress.write(memory, 0, one, random.nextBoolean() || !one.address().isV4());

            assertThat(SocketAddress.matches(memory, 0, two)).isEqualTo(one.equals(two));
        }
    }

    private static Endpoint endpoint(Random random) {
        IpAddress address =
                random.nextBoolean()
                        ? IpAddress.v4(random.nextInt(4))
                        : IpAddress.v6(random.nextInt(2), random.nextInt(4));
        return new Endpoint(address, random.nextInt(3));
    }

    private String hex(int bytes) {
        return HexFormat.of().formatHex(memory.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
    }
}
