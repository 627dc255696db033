package sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.Secret;
import sluice.base.fault.PeerFault;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.spi.Inbound;
import sluice.testkit.Seeds;

final class MixedTest {

    private static final Endpoint CLIENT = new Endpoint(IpAddress.LOOPBACK_V4, 1);

    private final LoopFixture loop = new LoopFixture(1);

    @AfterEach
    void allBuffersCameBack() {
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void tellsTheProtocolsApartByTheFirstByte() {
        Destination target = new Destination(Host.parse("1.2.3.4"), 80);
        assertThat(opened("\u0004\u0001\0P\u0001\u0002\u0003\u0004\0")).isEqualTo(target);
        assertThat(opened("\u0005\u0001\0\u0005\u0001\0\u0001\u0001\u0002\u0003\u0004\0P"))
                .isEqualTo(target);
        assertThat(opened("CONNECT 1.2.3.4:80 HTTP/1.1\r\n\r\n")).isEqualTo(target);
        assertThat(opened("GET http://1.2.3.4/ HTTP/1.1\r\n\r\n")).isEqualTo(target);
        assertThat(opened("put http://1.2.3.4/ HTTP/1.1\r\n\r\n")).isEqualTo(target);
    }

    @Test
    void oneByteIsEnoughAndNothingIsSentBeforeIt() {
        MachineSide side = side();
        assertThat(side.sent()).isEmpty();
        receive(side, "\u0005");
        assertThat(side.sent()).isEmpty();
        receive(side, "\u0001\0");
        assertThat(side.sent()).containsExactly(5, 0);
    }

    /// I14: what is neither is judged by the HTTP parser.
    @ParameterizedTest
    @ValueSource(strings = {"\0", "GET / HTTP/1.1\r\n", "SSH-2.0-x\r\n", "\u00ffSMB"})
    void i14AnswersGarbageWith400(String garbage) {
        MachineSide side = side();
        receive(side, garbage);
        assertThat(new String(side.sent(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
    }

    @Test
    void i14SaysNothingToATlsClientOrToNobody() {
        MachineSide tls = side();
        receive(tls, "\u0016\u0003\u0001");
        assertThat(tls.sent()).isEmpty();
        assertThat(tls.fault().kind()).isEqualTo(PeerFault.Kind.UNSUPPORTED);
        MachineSide nobody = side();
        nobody.receiveEnd(0);
        assertThat(nobody.fault()).isNull();
        assertThat(nobody.isClosed()).isTrue();
    }

    @Test
    void theSameUsersServeAllProtocols() {
        Inbound inbound =
                Options.read(
                        new Mixed().inbound(),
                        "users",
                        List.of(
                                Options.object("username", "user", "password", "pass"),
                                Options.object("username", "guest")));
        assertThat(inbound.isUserKnown("guest")).isTrue();
        assertThat(inbound.secretOrNull("user")).isEqualTo(Secret.of("pass"));
        assertThat(user(inbound, "\u0004\u0001\0P\u0001\u0002\u0003\u0004guest\0"))
                .isEqualTo("guest");
        assertThat(
                        user(
                                inbound,
                                "\u0005\u0001\u0002\u0001\u0004user\u0004pass"
                                        + "\u0005\u0001\0\u0001\u0001\u0002\u0003\u0004\0P"))
                .isEqualTo("user");
        assertThat(
                        user(
                                inbound,
                                "CONNECT a:1 HTTP/1.1\r\nProxy-Authorization: Basic dXNlcjpwYXNz\r\n\r\n"))
                .isEqualTo("user");
    }

    @Test
    void takesTheOptionsOfBoth() {
        Inbound inbound =
                Options.read(
                        new Mixed().inbound(),
                        "udp",
                        false,
                        "realm",
                        "members",
                        "early_reply",
                        true,
                        "max_header_size",
                        "32 KiB");
        assertThat(inbound.acceptsStreams()).isTrue();
        assertThat(inbound.acceptsDatagrams()).isFalse();
        assertThat(Options.refusal(new Mixed().inbound(), "realm", "\"")).contains("it.realm");
    }

    @ParameterizedTest
    @Seeds(60)
    void whatItDoesDoesNotDependOnHowBytesAreCut(long seed) {
        String[] conversations = {
            "\u0004\u0001\0P\u0001\u0002\u0003\u0004\0payload",
            "\u0005\u0001\0\u0005\u0001\0\u0001\u0001\u0002\u0003\u0004\0Ppayload",
            "CONNECT 1.2.3.4:80 HTTP/1.1\r\n\r\npayload",
            "\u0016\u0003\u0001",
            "GET / HTTP/1.1\r\n\r\n"
        };
        byte[] bytes =
                conversations[(int) (seed % conversations.length)].getBytes(
                        StandardCharsets.ISO_8859_1);
        Inbound inbound = Options.read(new Mixed().inbound());
        assertThat(
                        Cuts.pieces(
                                () -> inbound.acceptStream(loop.services(), CLIENT, CLIENT),
                                bytes,
                                loop.pool(),
                                seed))
                .isEqualTo(
                        Cuts.whole(
                                () -> inbound.acceptStream(loop.services(), CLIENT, CLIENT),
                                bytes,
                                loop.pool()));
    }

    private Destination opened(String text) {
        MachineSide side = side();
        receive(side, text);
        return side.opened();
    }

    private String user(Inbound inbound, String text) {
        MachineSide side =
                new MachineSide(inbound.acceptStream(loop.services(), CLIENT, CLIENT), loop.pool());
        side.start(0);
        receive(side, text);
        return side.user();
    }

    private MachineSide side() {
        Inbound inbound = Options.read(new Mixed().inbound());
        MachineSide side =
                new MachineSide(inbound.acceptStream(loop.services(), CLIENT, CLIENT), loop.pool());
        side.start(0);
        return side;
    }

    private void receive(MachineSide side, String text) {
        side.receive(text.getBytes(StandardCharsets.ISO_8859_1), 0);
        if (side.isOver()) {
            side.discard();
        }
    }
}
