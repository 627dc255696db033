package sluice.protocol.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.Cuts.join;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
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

final class Socks4ServerTest {

    private static final Vectors VECTORS = Vectors.load("socks/socks4.hex");
    private static final Endpoint CLIENT = new Endpoint(IpAddress.LOOPBACK_V4, 40_000);

    private final LoopFixture loop = new LoopFixture(1);
    private final List<MachineSide> sides = new ArrayList<>();

    @AfterEach
    void allBuffersCameBack() {
        sides.forEach(MachineSide::discard);
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void opensAnAddress() {
        MachineSide side = side(Users.NONE, false);
        side.receive(VECTORS.get("connect"), 0);
        assertThat(side.opened()).isEqualTo(destination("1.2.3.4", 80));
        assertThat(side.sent()).isEmpty();
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.sent()).isEqualTo(VECTORS.get("granted"));
        assertThat(side.isTransparent()).isTrue();
    }

    @Test
    void opensANameOfVersionFourA() {
        MachineSide side = side(Users.NONE, false);
        side.receive(VECTORS.get("connect-name"), 0);
        assertThat(side.opened()).isEqualTo(destination("example.com", 443));
    }

    @Test
    void makesAnAddressOfALiteralName() {
        MachineSide side = side(Users.NONE, false);
        side.receive(request("00000005", "u", "::1"), 0);
        assertThat(side.opened()).isEqualTo(destination("::1", 80));
    }

    @Test
    void payloadGluedToTheRequestReachesTheTarget() {
        MachineSide side = side(Users.NONE, false);
        side.receive(join(VECTORS.get("connect"), VECTORS.get("payload")), 0);
        side.receiveEnd(0);
        side.opened(OpenOutcome.OK, 0);
        assertThat(side.delivered()).isEqualTo(VECTORS.get("payload"));
        assertThat(side.deliveredEnd()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bind", "connect-zero"})
    void refusesWhatTheTableRefuses(String vector) {
        MachineSide side = side(Users.NONE, false);
        side.receive(VECTORS.get(vector), 0);
        assertRefused(side);
    }

    @ParameterizedTest
    @CsvSource({"256,4,TOO_LARGE", "4,256,TOO_LARGE", "4,0,MALFORMED"})
    void refusesTextsThatAreTooLongOrMissing(int user, int host, PeerFault.Kind kind) {
        MachineSide side = side(Users.NONE, false);
        side.receive(request("00000001", "u".repeat(user), "h".repeat(host)), 0);
        assertRefused(side);
        assertThat(side.fault().kind()).isEqualTo(kind);
    }

    @Test
    void refusesATextWithoutAnEndAsSoonAsItIsTooLong() {
        MachineSide side = side(Users.NONE, false);
        byte[] request = Arrays.copyOf(VECTORS.get("connect"), 8 + 256);
        Arrays.fill(request, 8, request.length, (byte) 'u');
        side.receive(request, 0);
        assertRefused(side);
    }

    @Test
    void acceptsTheLongestTexts() {
        MachineSide side = side(Users.NONE, false);
        side.receiveInPieces(request("00000001", "u".repeat(255), "h".repeat(255)), 1, 0);
        assertThat(side.opened()).isEqualTo(destination("h".repeat(255), 80));
    }

    @Test
    void letsInUsersWithoutAPasswordAlone() {
        Users users =
                new Users(
                        List.of(
                                new User("user", Secret.of("pass")),
                                new User("guest", Secret.of(""))));
        MachineSide guest = side(users, false);
        guest.receive(request("01020304", "guest", null), 0);
        assertThat(guest.user()).isEqualTo("guest");
        MachineSide user = side(users, false);
        user.receive(VECTORS.get("connect"), 0);
        assertRefused(user);
        assertThat(user.fault().kind()).isEqualTo(PeerFault.Kind.UNAUTHENTICATED);
    }

    @Test
    void tellsThatTheTargetWasNotReached() {
        MachineSide side = side(Users.NONE, false);
        side.receive(VECTORS.get("connect"), 0);
        side.opened(OpenOutcome.REFUSED, 0);
        assertThat(side.sent()).isEqualTo(VECTORS.get("rejected"));
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void resetsWhenAnEarlyReplyProvesWrong() {
        MachineSide side = side(Users.NONE, true);
        side.receive(VECTORS.get("connect"), 0);
        assertThat(side.sent()).isEqualTo(VECTORS.get("granted"));
        side.opened(OpenOutcome.TIMED_OUT, 0);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    @ParameterizedTest
    @Seeds(60)
    void answersDoNotDependOnHowBytesAreCut(long seed) {
        String[] names = {"connect", "connect-name", "bind", "connect-zero"};
        byte[] bytes =
                join(VECTORS.get(names[(int) (seed % names.length)]), VECTORS.get("payload"));
        SocksServerOptions options = options(Users.NONE, seed % 3 == 0);
        assertThat(Cuts.pieces(() -> new SocksServer(options, CLIENT), bytes, loop.pool(), seed))
                .isEqualTo(Cuts.whole(() -> new SocksServer(options, CLIENT), bytes, loop.pool()));
    }

    @ParameterizedTest
    @Seeds(300)
    void garbageEndsInAFaultAndNothingElse(long seed) {
        byte[] bytes = new byte[700];
        new Random(seed).nextBytes(bytes);
        bytes[0] = 4;
        bytes[1] = 1;
        MachineSide side = side(Users.NONE, false);
        side.receive(bytes, 0);
        side.receiveEnd(0);
        assertThat(side.isOver() || side.opened() != null).isTrue();
    }

    private static void assertRefused(MachineSide side) {
        assertThat(side.sent()).isEqualTo(VECTORS.get("rejected"));
        assertThat(side.fault()).isNotNull();
        assertThat(side.farewell()).isEqualTo(Farewell.FIN);
        assertThat(side.opened()).isNull();
    }

    private MachineSide side(Users users, boolean early) {
        MachineSide side =
                new MachineSide(new SocksServer(options(users, early), CLIENT), loop.pool());
        sides.add(side);
        side.start(0);
        return side;
    }

    private static SocksServerOptions options(Users users, boolean early) {
        return new SocksServerOptions(
                new Access(users, early), true, SourceCheck.IP_AND_PORT, null);
    }

    private static byte[] request(String address, String user, String host) {
        byte[] head = HexFormat.of().parseHex("04010050" + address);
        byte[] text = (user + "\0").getBytes(StandardCharsets.UTF_8);
        byte[] name = host == null ? new byte[0] : (host + "\0").getBytes(StandardCharsets.UTF_8);
        return join(head, text, name);
    }

    private static Destination destination(String host, int port) {
        return new Destination(Host.parse(host), port);
    }
}
