package sluice.protocol.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.base.buf.Buf;
import sluice.base.buf.BufBudget;
import sluice.base.buf.BufPool;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.testkit.Allocations;
import sluice.testkit.Seeds;

final class DestinationReaderTest {

    private final BufPool pool = new BufPool(new BufBudget(1 << 20));
    private final DestinationReader reader = new DestinationReader(AddressForm.SOCKS);

    @Test
    void readsTheThreeKinds() {
        assertThat(read("01 08080808 0035")).isEqualTo(destination("8.8.8.8", 53));
        assertThat(read("03 0b 6578616d706c652e636f6d 01bb"))
                .isEqualTo(destination("example.com", 443));
        assertThat(read("04 20010db8000000000000000000000001 1f90"))
                .isEqualTo(destination("2001:db8::1", 8080));
    }

    @Test
    void readsTheTypesOfItsForm() {
        DestinationReader other = new DestinationReader(AddressForm.UDP_OVER_TCP);
        byte[] bytes = hex("00 c0a80101 1f90");
        assertThat(other.read(bytes, 0, bytes.length)).isEqualTo(7);
        assertThat(other.destination()).isEqualTo(destination("192.168.1.1", 8080));
        assertThat(reader.read(bytes, 0, bytes.length)).isEqualTo(DestinationReader.UNKNOWN_TYPE);
    }

    @Test
    void makesAddressesOfLiteralsInNames() {
        assertThat(readName("127.0.0.1").host()).isEqualTo(IpAddress.LOOPBACK_V4);
        assertThat(readName("[::1]").host()).isEqualTo(IpAddress.LOOPBACK_V6);
        assertThat(readName("::ffff:1.2.3.4").host()).isEqualTo(IpAddress.v4(0x01020304));
        assertThat(readName("010.0.0.1").host()).isEqualTo(new DomainName("010.0.0.1"));
        assertThat(readName("1").host()).isEqualTo(new DomainName("1"));
    }

    @Test
    void unwrapsMappedAddresses() {
        assertThat(read("04 00000000000000000000ffff01020304 0050"))
                .isEqualTo(destination("1.2.3.4", 80));
    }

    @Test
    void acceptsNamesThatOthersAccept() {
        assertThat(readName("_dmarc.Example.COM.").host())
                .isEqualTo(new DomainName("_dmarc.Example.COM."));
        assertThat(readName("bücher.example").host()).isEqualTo(new DomainName("bücher.example"));
    }

    @Test
    void refusesNamesThatAreNone() {
        assertThat(result("03 00 01bb")).isEqualTo(DestinationReader.BAD_NAME);
        assertThat(result("03 03 612062 0050")).isEqualTo(DestinationReader.BAD_NAME);
        assertThat(result("03 03 610062 0050")).isEqualTo(DestinationReader.BAD_NAME);
        assertThat(result("03 02 c328 0050")).isEqualTo(DestinationReader.BAD_NAME);
        assertThat(result("00 08080808 0035")).isEqualTo(DestinationReader.UNKNOWN_TYPE);
    }

    @Test
    void waitsForTheLastByte() {
        for (String whole :
                new String[] {
                    "01080808080035",
                    "030b6578616d706c652e636f6d01bb",
                    "0420010db80000000000000000000000011f90"
                }) {
            byte[] bytes = hex(whole);
            for (int end = 0; end < bytes.length; end++) {
                assertThat(reader.read(bytes, 0, end)).isEqualTo(DestinationReader.INCOMPLETE);
            }
            assertThat(reader.read(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        }
    }

    @Test
    void givesTheSameObjectAgain() {
        Destination first = readName("example.com");
        read("01 08080808 0035");
        assertThat(readName("example.com")).isSameAs(first);
    }

    @ParameterizedTest
    @Seeds(50)
    void rememberingChangesNothing(long seed) {
        Random random = new Random(seed);
        Destination[] some = new Destination[40];
        for (int i = 0; i < some.length; i++) {
            some[i] = random(random);
        }
        for (int i = 0; i < 500; i++) {
            Destination wanted = some[random.nextInt(some.length)];
            byte[] bytes = new byte[AddressForm.ENCODED_BYTES_MAX];
            int size = AddressForm.SOCKS.write(wanted, bytes, 0);
            assertThat(size).isEqualTo(AddressForm.SOCKS.encodedBytes(wanted));
            assertThat(reader.read(bytes, 0, size)).isEqualTo(size);
            assertThat(reader.destination()).isEqualTo(wanted);
        }
    }

    @ParameterizedTest
    @Seeds(200)
    void garbageIsReadOrRefused(long seed) {
        byte[] bytes = new byte[300];
        new Random(seed).nextBytes(bytes);
        bytes[0] = (byte) (seed % 6);
        int size = reader.read(bytes, 0, bytes.length);
        if (size > 0) {
            Buf into = pool.acquire(300);
            AddressForm.SOCKS.write(reader.destination(), into);
            assertThat(new DestinationReader(AddressForm.SOCKS).read(into, 0)).isPositive();
            into.release();
        } else {
            assertThat(size).isIn(DestinationReader.UNKNOWN_TYPE, DestinationReader.BAD_NAME);
        }
    }

    @Test
    void readingKnownTargetsAllocatesNothing() {
        byte[][] known = {
            hex("01080808080035"),
            hex("030b6578616d706c652e636f6d01bb"),
            hex("0420010db80000000000000000000000011f90")
        };
        byte[] written = new byte[AddressForm.ENCODED_BYTES_MAX];
        Allocations.assertNone(() -> {
            for (byte[] bytes : known) {
                reader.read(bytes, 0, bytes.length);
                AddressForm.SOCKS.write(reader.destination(), written, 0);
            }
        });
        assertThat(reader.destination()).isEqualTo(destination("2001:db8::1", 8080));
    }

    private Destination read(String hex) {
        byte[] bytes = hex(hex);
        assertThat(reader.read(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        return reader.destination();
    }

    private Destination readName(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[text.length + 4];
        bytes[0] = 3;
        bytes[1] = (byte) text.length;
        System.arraycopy(text, 0, bytes, 2, text.length);
        bytes[bytes.length - 1] = 80;
        assertThat(reader.read(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        return reader.destination();
    }

    private int result(String hex) {
        byte[] bytes = hex(hex);
        return reader.read(bytes, 0, bytes.length);
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static Destination destination(String host, int port) {
        return new Destination(Host.parse(host), port);
    }

    private static Destination random(Random random) {
        int port = random.nextInt(65_536);
        return switch (random.nextInt(3)) {
            case 0 -> new Destination(IpAddress.v4(random.nextInt()), port);
            case 1 -> new Destination(IpAddress.v6(random.nextLong(), random.nextLong()), port);
            default -> {
                StringBuilder name = new StringBuilder("h");
                int length = random.nextInt(254);
                for (int i = 0; i < length; i++) {
                    name.append((char) ('a' + random.nextInt(26)));
                }
                yield new Destination(new DomainName(name.toString()), port);
            }
        };
    }
}
