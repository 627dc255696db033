package sluice.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.protocol.LoopFixture;
import sluice.protocol.MachineSide;
import sluice.protocol.access.Access;
import sluice.protocol.access.Users;

/// HTTP machines on a bench, spoken to in text.
final class HttpBench {

    private final LoopFixture loop = new LoopFixture(1);
    private final List<MachineSide> sides = new ArrayList<>();

    LoopFixture loop() {
        return loop;
    }

    void assertAllBuffersCameBack() {
        sides.forEach(MachineSide::discard);
        assertThat(loop.pool().inUse()).isZero();
    }

    static HttpServerOptions options(Users users, boolean early) {
        return new HttpServerOptions(new Access(users, early), "proxy", 64 * 1024, false);
    }

    MachineSide server() {
        return server(options(Users.NONE, false));
    }

    MachineSide server(HttpServerOptions options) {
        return started(new MachineSide(new HttpServer(options), loop.pool()));
    }

    MachineSide started(MachineSide side) {
        sides.add(side);
        side.start(0);
        return side;
    }

    /// A server whose plain request reached its origin.
    MachineSide exchanging(String request) {
        MachineSide side = server();
        receive(side, request);
        side.opened(OpenOutcome.OK, 0);
        return side;
    }

    static void receive(MachineSide side, String text) {
        side.receive(bytes(text), 0);
    }

    static void answer(MachineSide side, String text) {
        side.payload(bytes(text), 0);
    }

    static String sent(MachineSide side) {
        return new String(side.takeSent(), StandardCharsets.ISO_8859_1);
    }

    /// The lines of a head, with the empty one.
    static String head(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static void assertRefused(MachineSide side, String statusLine, PeerFault.Kind kind) {
        String sent = sent(side);
        if (statusLine.isEmpty()) {
            assertThat(sent).isEmpty();
        } else {
            assertThat(sent)
                    .startsWith(statusLine + "\r\n")
                    .endsWith("Content-Length: 0\r\nConnection: close\r\n\r\n");
        }
        assertThat(side.fault()).isNotNull();
        assertThat(side.fault().kind()).isEqualTo(kind);
        assertThat(side.farewell()).isEqualTo(Farewell.FIN);
    }
}
