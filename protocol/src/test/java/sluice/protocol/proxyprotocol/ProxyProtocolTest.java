package sluice.protocol.proxyprotocol;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.Cuts.join;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.buf.Buf;
import sluice.base.fault.PeerFault;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.protocol.Cuts;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.testkit.Seeds;
import sluice.testkit.Vectors;

final class ProxyProtocolTest {

    private static final Vectors VECTORS = Vectors.load("proxyprotocol/headers.hex");
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] PAYLOAD = text("GET /");
    private static final Endpoint FOUR = endpoint("192.0.2.1:51234");
    private static final Endpoint FOUR_THERE = endpoint("198.51.100.2:443");
    private static final Endpoint SIX = endpoint("[2001:db8::1]:51234");
    private static final Endpoint SIX_THERE = endpoint("[2001:db8::2]:443");

    private final LoopFixture loop = new LoopFixture(1);
    private final List<MachineSide> sides = new ArrayList<>();

    @AfterEach
    void allBuffersCameBack() {
        sides.forEach(MachineSide::discard);
        assertThat(loop.pool().inUse()).isZero();
    }

    // Reading

    @ParameterizedTest
    @CsvSource({
        "v1-ipv4,192.0.2.1:51234",
        "v1-ipv6,[2001:db8::1]:51234",
        "v2-ipv4,192.0.2.1:51234",
        "v2-ipv6,[2001:db8::1]:51234",
        "v2-ipv4-tlv,192.0.2.1:51234"
    })
    void learnsWhoseTheStreamIs(String vector, String source) {
        MachineSide side = side(true);
        side.receive(join(header(vector), PAYLOAD), 0);
        assertThat(side.source()).isEqualTo(endpoint(source));
        assertThat(side.isTransparent()).isTrue();
        assertThat(side.delivered()).isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2-local", "v2-local-with-address", "v2-unspecified"})
    void keepsThePeersAddressWhereNoneIsNamed(String vector) {
        MachineSide side = side(true);
        side.receive(join(header(vector), PAYLOAD), 0);
        assertThat(side.source()).isNull();
        assertThat(side.delivered()).isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROXY UNKNOWN\r\n", "PROXY UNKNOWN a b c d\r\n"})
    void anUnknownSourceIsFineInVersionOne(String line) {
        MachineSide side = side(true);
        side.receive(text(line + "GET /"), 0);
        assertThat(side.source()).isNull();
        assertThat(side.delivered()).isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 192.0.2.1 198.51.100.2 51234 443\n",
                "PROXY TCP4  192.0.2.1 198.51.100.2 51234 443\r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 51234\r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 51234 443 1\r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 65536 443\r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 -1 443\r\n",
                "PROXY TCP4 192.0.2 198.51.100.2 1 443\r\n",
                "PROXY TCP6 192.0.2.1 198.51.100.2 1 443\r\n",
                "PROXY TCP4 2001:db8::1 2001:db8::2 1 443\r\n",
                "PROXY TCP6 [2001:db8::1] 2001:db8::2 1 443\r\n",
                "PROXY UDP4 192.0.2.1 198.51.100.2 1 443\r\n",
                "PROXY UNKNOWNX\r\n",
                "PROXY \r\n"
            })
    void refusesALineThatIsMalformed(String line) {
        assertRefused(side(true), text(line));
        assertRefused(side(false), text(line));
    }

    @Test
    void refusesALineWithoutAnEnd() {
        MachineSide side = side(true);
        side.receive(text("PROXY UNKNOWN " + "x".repeat(92)), 0);
        assertThat(side.isOver()).isFalse();
        side.receive(text("x"), 0);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
        MachineSide longest = side(true);
        longest.receive(text("PROXY UNKNOWN " + "x".repeat(91) + "\r\n"), 0);
        assertThat(longest.isTransparent()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2-wrong-version", "v2-short"})
    void refusesABinaryHeaderThatIsMalformed(String vector) {
        assertRefused(side(true), VECTORS.get(vector));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x41, 0x13, 0x1f})
    void refusesFamiliesThatNobodyKnows(int family) {
        byte[] header = VECTORS.get("v2-ipv4");
        header[13] = (byte) family;
        assertRefused(side(true), header);
    }

    @Test
    void aStreamWithoutAHeaderIsClosedOrGoesOn() {
        for (String text : List.of("GET / HTTP/1.1", "\u0005\u0001\0", "PROXI", "\r\n\r\n\0\rx")) {
            assertRefused(side(true), text(text));
            MachineSide side = side(false);
            side.receive(text(text), 0);
            assertThat(side.isTransparent()).isTrue();
            assertThat(side.delivered()).isEqualTo(text(text));
            assertThat(side.source()).isNull();
        }
    }

    @Test
    void aLookWhetherSomebodyListensIsNoFault() {
        MachineSide look = side(true);
        look.receiveEnd(0);
        assertThat(look.isClosed()).isTrue();
        assertThat(look.fault()).isNull();
        MachineSide broken = side(true);
        broken.receive(text("PROXY TC"), 0);
        broken.receiveEnd(0);
        assertThat(broken.fault().kind()).isEqualTo(PeerFault.Kind.TRUNCATED);
    }

    @ParameterizedTest
    @Seeds(60)
    void whatItReadsDoesNotDependOnHowBytesAreCut(long seed) {
        List<String> names = new ArrayList<>(VECTORS.names());
        byte[] bytes = join(header(names.get((int) (seed % names.size()))), PAYLOAD);
        boolean isRequired = seed % 2 == 0;
        assertThat(Cuts.pieces(() -> new ProxyProtocolReader(isRequired), bytes, loop.pool(), seed))
                .isEqualTo(
                        Cuts.whole(() -> new ProxyProtocolReader(isRequired), bytes, loop.pool()));
    }

    @ParameterizedTest
    @Seeds(300)
    void garbageEndsInAFaultAndNothingElse(long seed) {
        Random random = new Random(seed);
        byte[] garbage = new byte[random.nextInt(200)];
        random.nextBytes(garbage);
        byte[][] starts = {{}, text("PROXY "), Arrays.copyOf(VECTORS.get("v2-ipv4"), 13)};
        MachineSide side = side(true);
        side.receive(join(starts[(int) (seed % starts.length)], garbage), 0);
        if (!side.isTransparent()) {
            side.receiveEnd(0);
        }
        assertThat(side.isOver() || side.isTransparent()).isTrue();
    }

    // Writing

    @Test
    void writesWhatIsRead() {
        assertThat(written(1, FOUR, FOUR_THERE)).isEqualTo(header("v1-ipv4"));
        assertThat(written(1, SIX, SIX_THERE)).isEqualTo(header("v1-ipv6"));
        assertThat(written(2, FOUR, FOUR_THERE)).isEqualTo(header("v2-ipv4"));
        assertThat(written(2, SIX, SIX_THERE)).isEqualTo(header("v2-ipv6"));
        assertThat(written(2, null, FOUR_THERE)).isEqualTo(header("v2-local"));
        assertThat(written(1, null, null)).isEqualTo(text("PROXY UNKNOWN\r\n"));
    }

    @Test
    void writesTwoFamiliesAsOne() {
        for (int version = 1; version <= 2; version++) {
            MachineSide side = side(true);
            side.receive(written(version, FOUR, SIX_THERE), 0);
            assertThat(side.source()).isEqualTo(FOUR);
        }
    }

    @Test
    void theLongestLineFits() {
        Endpoint longest =
                new Endpoint(
                        IpAddress.parseOrNull("1111:2222:3333:4444:5555:6666:7777:8888"), 65_535);
        assertThat(written(1, longest, longest).length)
                .isLessThanOrEqualTo(ProxyHeader.LINE_BYTES_MAX);
    }

    private byte[] written(int version, @Nullable Endpoint source, @Nullable Endpoint destination) {
        Buf into = loop.pool().acquire(ProxyHeader.encodedBytesMax());
        if (version == 1) {
            ProxyHeader.write1(source, destination, into);
        } else {
            ProxyHeader.write2(source, destination, into);
        }
        byte[] bytes = into.toBytes();
        into.release();
        return bytes;
    }

    private static void assertRefused(MachineSide side, byte[] bytes) {
        side.receive(bytes, 0);
        assertThat(side.fault()).isNotNull();
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
        assertThat(side.sent()).isEmpty();
    }

    private MachineSide side(boolean isRequired) {
        MachineSide side = new MachineSide(new ProxyProtocolReader(isRequired), loop.pool());
        sides.add(side);
        side.start(0);
        return side;
    }

    private static byte[] header(String vector) {
        byte[] bytes = VECTORS.get(vector);
        return vector.startsWith("v1") ? join(bytes, LINE_END) : bytes;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Endpoint endpoint(String text) {
        Endpoint endpoint = Endpoint.parseOrNull(text);
        assertThat(endpoint).isNotNull();
        return endpoint;
    }
}
