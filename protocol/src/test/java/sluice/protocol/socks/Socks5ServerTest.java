package sluice.protocol.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.Cuts.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.Secret;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.Cuts;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.protocol.access.Access;
import sluice.protocol.access.User;
import sluice.protocol.access.Users;
import sluice.protocol.socks.SocksServerOptions.SourceCheck;
import sluice.testkit.Seeds;
import sluice.testkit.Vectors;

final class Socks5ServerTest {

    private static final Vectors VECTORS = Vectors.load("socks/socks5.hex");
    private static final Endpoint CLIENT = new Endpoint(IpAddress.v4(0x0a000005), 40_000);

    private static final Users USERS =
            new Users(
                    List.of(
                            new User("user", Secret.of("pass")),
                            new User("silent", Secret.of(""))));

    private final LoopFixture loop = new LoopFixture(1);

    private final List<MachineSide> sides = new ArrayList<>();

    @AfterEach
    void allBuffersCameBack() {
        sides.forEach(MachineSide::discard);
        assertThat(loop.pool().inUse()).isZero();
    }

    // Vectors

    @Test
    void opensWhatAnUnknownClientAsksFor() {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        assertThat(side.takeSent()).isEqualTo(vector("chosen-none"));
        receive(side, "connect-name");
        assertThat(side.opened()).isEqualTo(destination("example.com", 443));
        assertThat(side.user()).isNull();
        assertThat(side.takeSent()).isEmpty();
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.takeSent()).isEqualTo(vector("succeeded"));
        assertThat(side.isTransparent()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "connect-ipv4,1.2.3.4,80",
        "connect-ipv6,2001:db8::1,8080",
        "connect-literal,127.0.0.1,80",
        "connect-mapped,1.2.3.4,80"
    })
    void readsEveryKindOfTarget(String vector, String host, int port) {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        receive(side, vector);
        assertThat(side.opened()).isEqualTo(destination(host, port));
    }

    @Test
    void letsAUserInByNameAndPassword() {
        MachineSide side = side(closed());
        receive(side, "greeting-both");
        assertThat(side.takeSent()).isEqualTo(vector("chosen-password"));
        receive(side, "password");
        assertThat(side.takeSent()).isEqualTo(vector("password-right"));
        receive(side, "connect-ipv4");
        assertThat(side.user()).isEqualTo("user");
    }

    @Test
    void refusesAWrongPasswordAndSaysSo() {
        MachineSide side = side(closed());
        receive(side, "greeting-both");
        receive(side, "password-bad");
        assertThat(side.sent())
                .isEqualTo(join(vector("chosen-password"), vector("password-refused")));
        assertFault(side, PeerFault.Kind.UNAUTHENTICATED);
    }

    @Test
    void refusesAMissingMethodAndSaysNothingMore() {
        MachineSide side = side(closed());
        receive(side, "greeting-none");
        assertThat(side.sent()).isEqualTo(vector("unacceptable"));
        assertFault(side, PeerFault.Kind.UNAUTHENTICATED);
    }

    @Test
    void refusesAGreetingWithoutMethods() {
        MachineSide side = side(open());
        side.receive(new byte[] {5, 0}, 0);
        assertThat(side.sent()).isEqualTo(vector("unacceptable"));
        assertFault(side, PeerFault.Kind.UNSUPPORTED);
    }

    @Test
    void acceptsAnyCredentialsWhereNobodyIsListed() {
        MachineSide side = side(open());
        receive(side, "pipelined-login");
        receive(side, "connect-ipv4");
        assertThat(side.sent())
                .isEqualTo(join(vector("chosen-password"), vector("password-right")));
        assertThat(side.opened()).isEqualTo(destination("1.2.3.4", 80));
        assertThat(side.user()).isNull();
    }

    @Test
    void comparesAnEmptyPasswordToo() {
        MachineSide side = side(closed());
        receive(side, "greeting-both");
        side.receive(HexFormat.of().parseHex("010673696c656e7400"), 0);
        receive(side, "connect-ipv4");
        assertThat(side.user()).isEqualTo("silent");
    }

    @Test
    void refusesAPasswordMessageOfVersionFive() {
        MachineSide side = side(closed());
        receive(side, "greeting-both");
        receive(side, "password-version5");
        assertThat(side.sent())
                .isEqualTo(join(vector("chosen-password"), vector("password-refused")));
        assertFault(side, PeerFault.Kind.MALFORMED);
    }

    @Test
    void waitsForTheWholePasswordMessage() {
        MachineSide side = side(closed());
        receive(side, "greeting-both");
        receive(side, "password-incomplete");
        assertThat(side.isOver()).isFalse();
        assertThat(side.sent()).isEqualTo(vector("chosen-password"));
    }

    @Test
    void takesAHandshakeAndPayloadInOneSegment() {
        MachineSide side = side(open());
        side.receive(join(vector("greeting-none"), vector("connect-ipv4"), vector("payload")), 0);
        assertThat(side.takeSent()).isEqualTo(vector("chosen-none"));
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.takeSent()).isEqualTo(vector("succeeded"));
        assertThat(side.delivered()).isEqualTo(vector("payload"));
    }

    @ParameterizedTest
    @CsvSource({
        "bind,no-command,UNSUPPORTED",
        "connect-unknown-type,no-type,UNSUPPORTED",
        "connect-empty-name,failed,MALFORMED"
    })
    void refusesWithTheReplyOfTheTable(String request, String reply, PeerFault.Kind kind) {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        receive(side, request);
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector(reply)));
        assertFault(side, kind);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 0xf0, 0xf1, 0xff})
    void refusesEveryOtherCommand(int command) {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        byte[] request = vector("connect-ipv4");
        request[1] = (byte) command;
        side.receive(request, 0);
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("no-command")));
    }

    @Test
    void closesWithoutAWordOnAnotherVersion() {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        byte[] request = vector("connect-ipv4");
        request[0] = 4;
        side.receive(request, 0);
        assertThat(side.sent()).isEqualTo(vector("chosen-none"));
        assertFault(side, PeerFault.Kind.MALFORMED);
    }

    @Test
    void passesOverTheReservedOctet() {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        byte[] request = vector("connect-ipv4");
        request[2] = 7;
        side.receive(request, 0);
        assertThat(side.opened()).isEqualTo(destination("1.2.3.4", 80));
    }

    @Test
    void leavesPortZeroToTheEngine() {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        byte[] request = vector("connect-ipv4");
        request[9] = 0;
        side.receive(request, 0);
        side.opened(OpenOutcome.FAILED, 0);
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("failed")));
        assertThat(side.isClosed()).isTrue();
    }

    // Field cases

    /// I01: a greeting in pieces, 255 methods, and the longest of everything.
    @Test
    void i01TakesTheLongestMessagesByteByByte() {
        MachineSide side =
                side(
                        options(
                                new Users(
                                        List.of(
                                                new User(
                                                        "u".repeat(255),
                                                        Secret.of("p".repeat(255))))),
                                false));
        byte[] greeting = new byte[257];
        Arrays.fill(greeting, (byte) 0x80);
        greeting[0] = 5;
        greeting[1] = (byte) 255;
        greeting[256] = 2;
        byte[] login = new byte[513];
        Arrays.fill(login, 2, 257, (byte) 'u');
        Arrays.fill(login, 258, 513, (byte) 'p');
        login[0] = 1;
        login[1] = (byte) 255;
        login[257] = (byte) 255;
        byte[] request = new byte[262];
        Arrays.fill(request, (byte) 'd');
        System.arraycopy(new byte[] {5, 1, 0, 3, (byte) 255}, 0, request, 0, 5);
        side.receiveInPieces(join(greeting, login, request), 1, 0);
        assertThat(side.sent())
                .isEqualTo(join(vector("chosen-password"), vector("password-right")));
        assertThat(side.opened()).isEqualTo(destination("d".repeat(255), 0x6464));
        assertThat(side.user()).isEqualTo("u".repeat(255));
    }

    /// I03: whatever address the client puts into ASSOCIATE, it is served, and told where to send.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "01000000000000",
                "04000000000000000000000000000000000000",
                "01080808080035",
                "0101020304ffff",
                "030b6578616d706c652e636f6d01bb"
            })
    void i03AssociatesWhateverAddressIsNamed(String address) {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        side.receive(HexFormat.of().parseHex("050300" + address), 0);
        assertThat(side.associated()).isNotNull();
        side.associated(new Endpoint(IpAddress.LOOPBACK_V4, 50_000), 0);
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("associated")));
        assertThat(side.isOver()).isFalse();
    }

    /// I03: the control stream is read on, and takes the association along when it ends.
    @Test
    void i03EndsTheAssociationWithItsStream() {
        MachineSide side = associated();
        side.receive(new byte[] {1, 2, 3}, 0);
        assertThat(side.delivered()).isEmpty();
        assertThat(side.isOver()).isFalse();
        side.receiveEnd(0);
        assertThat(side.isClosed()).isTrue();
    }

    /// I11: a client that sends its request, its payload and its end before the target is reached.
    @Test
    void i11KeepsTheEndOfAHastyClient() {
        MachineSide side = side(open());
        side.receive(join(vector("greeting-none"), vector("connect-ipv4"), vector("payload")), 0);
        side.receiveEnd(0);
        assertThat(side.delivered()).isEqualTo(vector("payload"));
        assertThat(side.deliveredEnd()).isTrue();
        side.opened(OpenOutcome.OK, 0);
        side.payload(new byte[] {42}, 0);
        assertThat(side.sent())
                .isEqualTo(join(vector("chosen-none"), vector("succeeded"), new byte[] {42}));
        assertThat(side.isTransparent()).isTrue();
    }

    // Replies

    @ParameterizedTest
    @CsvSource({
        "DENIED,2",
        "NETWORK_UNREACHABLE,3",
        "HOST_UNREACHABLE,4",
        "TIMED_OUT,4",
        "REFUSED,5",
        "FAILED,1"
    })
    void tellsWhyTheTargetWasNotReached(OpenOutcome outcome, int code) {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        receive(side, "connect-ipv4");
        side.takeSent();
        side.opened(outcome, 0);
        byte[] reply = vector("failed");
        reply[1] = (byte) code;
        assertThat(side.takeSent()).isEqualTo(reply);
        assertThat(side.isClosed()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void repliesEarlyWhereAskedTo() {
        MachineSide side = side(options(Users.NONE, true));
        receive(side, "greeting-none");
        receive(side, "connect-ipv4");
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("succeeded")));
        side.receive(vector("payload"), 0);
        assertThat(side.delivered()).isEqualTo(vector("payload"));
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.isTransparent()).isTrue();
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("succeeded")));
    }

    @ParameterizedTest
    @EnumSource(names = "OK", mode = EnumSource.Mode.EXCLUDE)
    void resetsWhenAnEarlyReplyProvesWrong(OpenOutcome outcome) {
        MachineSide side = side(options(Users.NONE, true));
        receive(side, "greeting-none");
        receive(side, "connect-ipv4");
        side.opened(outcome, 0);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("succeeded")));
    }

    @Test
    void refusesAssociationsThatAreSwitchedOff() {
        MachineSide side =
                side(
                        new SocksServerOptions(
                                new Access(Users.NONE, false),
                                false,
                                SourceCheck.IP_AND_PORT,
                                null));
        receive(side, "greeting-none");
        receive(side, "associate");
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("no-command")));
        assertFault(side, PeerFault.Kind.UNSUPPORTED);
    }

    @Test
    void repliesWithAFailureWhenNoDatagramSocketCanBeHad() {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        receive(side, "associate");
        side.opened(OpenOutcome.FAILED, 0);
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("failed")));
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void advertisesTheAddressItWasToldTo() {
        MachineSide side =
                side(
                        new SocksServerOptions(
                                new Access(Users.NONE, false),
                                true,
                                SourceCheck.IP_AND_PORT,
                                IpAddress.v4(0x7f000001)));
        receive(side, "greeting-none");
        receive(side, "associate");
        side.associated(new Endpoint(IpAddress.v4(0x0a000001), 50_000), 0);
        assertThat(side.sent()).isEqualTo(join(vector("chosen-none"), vector("associated")));
    }

    @Test
    void aStreamThatEndsInTheHandshakeIsTruncated() {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        side.receiveEnd(0);
        assertFault(side, PeerFault.Kind.TRUNCATED);
    }

    // Cuts and garbage

    @ParameterizedTest
    @Seeds(100)
    void answersDoNotDependOnHowBytesAreCut(long seed) {
        String[][] conversations = {
            {"greeting-none", "connect-name"},
            {"greeting-both", "password", "connect-ipv6"},
            {"greeting-both", "password-bad", "connect-ipv6"},
            {"pipelined-login", "bind"},
            {"greeting-none", "connect-empty-name", "payload"},
            {"greeting-none", "associate", "payload"},
            {"greeting-none", "connect-ipv4", "payload"}
        };
        String[] names = conversations[(int) (seed % conversations.length)];
        byte[] bytes = join(Arrays.stream(names).map(VECTORS::get).toArray(byte[][]::new));
        for (SocksServerOptions options : List.of(open(), closed())) {
            assertThat(
                            Cuts.pieces(
                                    () -> new SocksServer(options, CLIENT),
                                    bytes,
                                    loop.pool(),
                                    seed))
                    .isEqualTo(
                            Cuts.whole(() -> new SocksServer(options, CLIENT), bytes, loop.pool()));
        }
    }

    @ParameterizedTest
    @Seeds(500)
    void garbageEndsInAFaultAndNothingElse(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[1 + random.nextInt(600)];
        random.nextBytes(bytes);
        if (random.nextBoolean()) {
            byte[] start = join(vector("greeting-none"), new byte[] {5, 1, 0});
            System.arraycopy(start, 0, bytes, 0, Math.min(start.length, bytes.length));
        }
        MachineSide side = side(random.nextBoolean() ? open() : closed());
        side.receive(bytes, 0);
        side.receiveEnd(0);
        side.discard();
        assertThat(side.isOver() || side.opened() != null || side.associated() != null).isTrue();
    }

    private MachineSide associated() {
        MachineSide side = side(open());
        receive(side, "greeting-none");
        receive(side, "associate");
        side.associated(new Endpoint(IpAddress.LOOPBACK_V4, 50_000), 0);
        return side;
    }

    private MachineSide side(SocksServerOptions options) {
        StreamMachine machine = new SocksServer(options, CLIENT);
        MachineSide side = new MachineSide(machine, loop.pool());
        sides.add(side);
        side.start(0);
        return side;
    }

    private static void receive(MachineSide side, String vector) {
        side.receive(VECTORS.get(vector), 0);
    }

    private static byte[] vector(String name) {
        return VECTORS.get(name);
    }

    private static void assertFault(MachineSide side, PeerFault.Kind kind) {
        PeerFault fault = side.fault();
        assertThat(fault).isNotNull();
        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault.reason()).startsWith("socks: ");
        assertThat(side.farewell()).isEqualTo(Farewell.FIN);
    }

    private static SocksServerOptions open() {
        return options(Users.NONE, false);
    }

    private static SocksServerOptions closed() {
        return options(USERS, false);
    }

    private static SocksServerOptions options(Users users, boolean early) {
        return new SocksServerOptions(
                new Access(users, early), true, SourceCheck.IP_AND_PORT, null);
    }

    private static Destination destination(String host, int port) {
        return new Destination(Host.parse(host), port);
    }
}
