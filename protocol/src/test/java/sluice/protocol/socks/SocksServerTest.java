package sluice.protocol.socks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.fault.PeerFault;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.protocol.access.Access;
import sluice.protocol.access.Users;
import sluice.protocol.socks.SocksServerOptions.SourceCheck;

final class SocksServerTest {

    private final LoopFixture loop = new LoopFixture(1);

    /// I14: whatever else comes to the port is turned away without a byte.
    @ParameterizedTest
    @ValueSource(
            strings = {"GET / HTTP/1.1\r\n\r\n", "\u0016\u0003\u0001", "SSH-2.0-x\r\n", "\0\0\0"})
    void i14ClosesOnOtherProtocols(String text) {
        MachineSide side = side();
        side.receive(text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), 0);
        assertThat(side.sent()).isEmpty();
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void anEmptyConnectionIsNoFault() {
        MachineSide side = side();
        side.receiveEnd(0);
        assertThat(side.fault()).isNull();
        assertThat(side.isClosed()).isTrue();
    }

    private MachineSide side() {
        MachineSide side =
                new MachineSide(
                        new SocksServer(
                                new SocksServerOptions(
                                        new Access(Users.NONE, false),
                                        true,
                                        SourceCheck.IP_AND_PORT,
                                        null),
                                new Endpoint(IpAddress.LOOPBACK_V4, 1)),
                        loop.pool());
        side.start(0);
        return side;
    }
}
