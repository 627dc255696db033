package sluice.protocol.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.Cuts.join;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.Secret;
import sluice.base.fault.PeerFault;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.Cuts;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.testkit.Seeds;
import sluice.testkit.Vectors;

final class SocksClientTest {

    private static final Vectors V4 = Vectors.load("socks/socks4.hex");
    private static final Vectors V5 = Vectors.load("socks/socks5.hex");
    private static final Login LOGIN = new Login("user", Secret.of("pass"));
    private static final Destination NAME = new Destination(Host.parse("example.com"), 443);
    private static final Destination ADDRESS = new Destination(Host.parse("1.2.3.4"), 80);

    private final LoopFixture loop = new LoopFixture(1);
    private final List<MachineSide> sides = new ArrayList<>();

    @AfterEach
    void allBuffersCameBack() {
        sides.forEach(MachineSide::discard);
        assertThat(loop.pool().inUse()).isZero();
    }

    // Version 5

    @Test
    void asksForANameUnresolved() {
        MachineSide side = side(Socks5Client.connect(NAME, null));
        assertThat(side.takeSent()).isEqualTo(V5.get("greeting-none"));
        side.receive(V5.get("chosen-none"), 0);
        assertThat(side.takeSent()).isEqualTo(V5.get("connect-name"));
        assertThat(side.isReady()).isFalse();
        side.receive(V5.get("succeeded"), 0);
        assertThat(side.isTransparent()).isTrue();
    }

    @Test
    void logsIn() {
        MachineSide side = side(Socks5Client.connect(ADDRESS, LOGIN));
        assertThat(side.takeSent()).isEqualTo(V5.get("greeting-both"));
        side.receive(V5.get("chosen-password"), 0);
        assertThat(side.takeSent()).isEqualTo(V5.get("password"));
        side.receive(V5.get("password-right"), 0);
        assertThat(side.takeSent()).isEqualTo(V5.get("connect-ipv4"));
    }

    @Test
    void goesOnWhereTheServerWantsNoPassword() {
        MachineSide side = side(Socks5Client.connect(ADDRESS, LOGIN));
        side.takeSent();
        side.receive(V5.get("chosen-none"), 0);
        assertThat(side.takeSent()).isEqualTo(V5.get("connect-ipv4"));
    }

    @Test
    void looksAtTheStatusAloneWhenLoggingIn() {
        MachineSide right = side(Socks5Client.connect(ADDRESS, LOGIN));
        right.receive(join(V5.get("chosen-password"), new byte[] {5, 0}), 0);
        assertThat(right.isOver()).isFalse();
        MachineSide wrong = side(Socks5Client.connect(ADDRESS, LOGIN));
        wrong.receive(join(V5.get("chosen-password"), new byte[] {1, (byte) 0xff}), 0);
        assertFault(wrong, PeerFault.Kind.UNAUTHENTICATED);
    }

    @Test
    void stopsAtARefusedMethodWhateverFollows() {
        MachineSide side = side(Socks5Client.connect(ADDRESS, LOGIN));
        side.takeSent();
        side.receive(V5.get("unacceptable-and-more"), 0);
        assertFault(side, PeerFault.Kind.UNAUTHENTICATED);
        assertThat(side.takeSent()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0502", "0501", "0580", "0400", "4854"})
    void refusesAChoiceThatWasNotOffered(String hex) {
        MachineSide side = side(Socks5Client.connect(ADDRESS, null));
        side.receive(HexFormat.of().parseHex(hex), 0);
        assertFault(side, PeerFault.Kind.MALFORMED);
    }

    @ParameterizedTest
    @CsvSource({
        "1,FAILED",
        "2,DENIED",
        "3,NETWORK_UNREACHABLE",
        "4,HOST_UNREACHABLE",
        "5,REFUSED",
        "6,TIMED_OUT",
        "7,FAILED",
        "8,FAILED",
        "91,FAILED"
    })
    void passesOnWhyTheServerDidNotReachTheTarget(int code, OpenOutcome outcome) {
        MachineSide side = side(Socks5Client.connect(ADDRESS, null));
        side.receive(join(V5.get("chosen-none"), new byte[] {5, (byte) code}), 0);
        assertThat(side.refusal()).isEqualTo(outcome);
    }

    @Test
    void decidesOnATruncatedFailureReply() {
        MachineSide side = side(Socks5Client.connect(ADDRESS, null));
        side.receive(join(V5.get("chosen-none"), V5.get("short-no-command")), 0);
        assertThat(side.refusal()).isEqualTo(OpenOutcome.FAILED);
        assertThat(side.fault()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "05000001000000000000",
                "0500000400000000000000000000000000000000ffff",
                "05000003036162630050",
                "05000003000050"
            })
    void payloadBehindTheReplyIsKept(String reply) {
        MachineSide side = side(Socks5Client.connect(ADDRESS, null));
        side.receive(
                join(
                        V5.get("chosen-none"),
                        HexFormat.of().parseHex(reply),
                        "SSH-2.0".getBytes(StandardCharsets.US_ASCII)),
                0);
        assertThat(side.isTransparent()).isTrue();
        assertThat(side.deliveredText()).isEqualTo("SSH-2.0");
    }

    @Test
    void aServerThatEndsInTheHandshakeIsAtFault() {
        MachineSide side = side(Socks5Client.connect(ADDRESS, null));
        side.receive(V5.get("chosen-none"), 0);
        side.receiveEnd(0);
        assertFault(side, PeerFault.Kind.TRUNCATED);
    }

    @Test
    void refusesAReplyWithAnUnknownAddressType() {
        MachineSide side = side(Socks5Client.connect(ADDRESS, null));
        side.receive(join(V5.get("chosen-none"), HexFormat.of().parseHex("050000020000")), 0);
        assertFault(side, PeerFault.Kind.MALFORMED);
    }

    // Associations

    /// I03: our own outbound names no address in ASSOCIATE.
    @Test
    void i03AssociatesWithZeros() {
        Socks5Client client = Socks5Client.associate(null);
        MachineSide side = side(client);
        side.takeSent();
        side.receive(V5.get("chosen-none"), 0);
        assertThat(side.takeSent()).isEqualTo(V5.get("associate"));
        side.receive(V5.get("associated"), 0);
        assertThat(side.isReady()).isTrue();
        assertThat(side.isTransparent()).isFalse();
        assertThat(client.bound()).isEqualTo(new Destination(Host.parse("127.0.0.1"), 50_000));
        side.receive(new byte[] {1, 2, 3}, 0);
        assertThat(side.delivered()).isEmpty();
        side.receiveEnd(0);
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void refusesARelayWithoutAPort() {
        MachineSide side = side(Socks5Client.associate(null));
        side.receive(join(V5.get("chosen-none"), V5.get("succeeded")), 0);
        assertFault(side, PeerFault.Kind.MALFORMED);
    }

    // Version 4

    @Test
    void asksForAnAddressInVersionFour() {
        MachineSide side = side(new Socks4Client(ADDRESS, "user", false));
        assertThat(side.takeSent()).isEqualTo(V4.get("connect"));
        side.receive(join(V4.get("granted"), V4.get("payload")), 0);
        assertThat(side.isTransparent()).isTrue();
        assertThat(side.delivered()).isEqualTo(V4.get("payload"));
    }

    @Test
    void asksForANameInVersionFourA() {
        MachineSide side = side(new Socks4Client(NAME, "", true));
        assertThat(side.takeSent()).isEqualTo(V4.get("connect-name"));
    }

    @Test
    void refusesTargetsThatVersionFourCannotWrite() {
        MachineSide name = side(new Socks4Client(NAME, "", false));
        assertThat(name.refusal()).isEqualTo(OpenOutcome.FAILED);
        MachineSide six = side(new Socks4Client(new Destination(Host.parse("::1"), 80), "", true));
        assertThat(six.refusal()).isEqualTo(OpenOutcome.FAILED);
        assertThat(six.sent()).isEmpty();
    }

    @Test
    void reportsAFourByteRefusalAsARefusal() {
        MachineSide side = side(new Socks4Client(ADDRESS, "", false));
        side.receive(V4.get("rejected-short"), 0);
        assertThat(side.refusal()).isEqualTo(OpenOutcome.FAILED);
        assertThat(side.fault()).isNull();
    }

    @Test
    void acceptsAReplyOfVersionFourToo() {
        MachineSide side = side(new Socks4Client(ADDRESS, "", false));
        byte[] reply = V4.get("granted");
        reply[0] = 4;
        side.receive(reply, 0);
        assertThat(side.isTransparent()).isTrue();
    }

    @Test
    void refusesAReplyOfSomethingElse() {
        MachineSide side = side(new Socks4Client(ADDRESS, "", false));
        side.receive("HTTP/1.1".getBytes(StandardCharsets.US_ASCII), 0);
        assertFault(side, PeerFault.Kind.MALFORMED);
    }

    // Cuts and garbage

    @ParameterizedTest
    @Seeds(60)
    void whatItDoesDoesNotDependOnHowBytesAreCut(long seed) {
        byte[] five =
                join(
                        V5.get("chosen-password"),
                        V5.get("password-right"),
                        V5.get("succeeded"),
                        V5.get("payload"));
        byte[] four = join(V4.get("granted"), V4.get("payload"));
        assertThat(Cuts.pieces(() -> Socks5Client.connect(NAME, LOGIN), five, loop.pool(), seed))
                .isEqualTo(Cuts.whole(() -> Socks5Client.connect(NAME, LOGIN), five, loop.pool()));
        assertThat(Cuts.pieces(() -> new Socks4Client(NAME, "u", true), four, loop.pool(), seed))
                .isEqualTo(Cuts.whole(() -> new Socks4Client(NAME, "u", true), four, loop.pool()));
    }

    @ParameterizedTest
    @Seeds(300)
    void garbageEndsInAFaultAndNothingElse(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        byte[][] starts = {{}, {5, 0}, {5, 0, 5, 0, 0}, {5, 2, 1, 0, 5, 0, 0, 3}};
        byte[] all = join(starts[random.nextInt(starts.length)], bytes);
        StreamMachine[] machines = {
            Socks5Client.connect(NAME, LOGIN),
            Socks5Client.associate(LOGIN),
            new Socks4Client(NAME, "", true)
        };
        MachineSide side = side(machines[(int) (seed % machines.length)]);
        side.receive(all, 0);
        side.receiveEnd(0);
        assertThat(side.isOver() || side.isTransparent()).isTrue();
    }

    private MachineSide side(StreamMachine machine) {
        MachineSide side = new MachineSide(machine, loop.pool());
        sides.add(side);
        side.start(0);
        return side;
    }

    private static void assertFault(MachineSide side, PeerFault.Kind kind) {
        assertThat(side.fault()).isNotNull();
        assertThat(side.fault().kind()).isEqualTo(kind);
        assertThat(side.isTransparent()).isFalse();
    }
}
