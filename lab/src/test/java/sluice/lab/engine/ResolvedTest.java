package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.engine.plan.OutboundPlan;
import sluice.policy.dns.Family;
import sluice.testkit.Eventually;

/// What becomes of the addresses that a rule has looked up.
final class ResolvedTest {

    private final Map<IpAddress, Integer> deadEnds = new ConcurrentHashMap<>();
    private final AtomicInteger attempts = new AtomicInteger();

    @ParameterizedTest
    @EnumSource(Driver.class)
    void allOfThemAreTried(Driver driver) throws Exception {
        deadEnds.put(address("127.0.0.77"), Errno.ECONNREFUSED);
        for (OutboundPlan way :
                List.of(
                        Ways.direct("out"),
                        Ways.through("out", Ways.direct("out").protocol(), "below"))) {
            attempts.set(0);
            try (Acceptor origin = new Acceptor()) {
                try (Rig rig = rig(driver, way, origin.port())) {
                    rig.outbound(Ways.direct("below"));
                    rig.names().with("two.test", "127.0.0.77", "127.0.0.1");
                    rig.start();
                    try (Socket client = rig.connect("in");
                            Socket server = origin.accept()) {
                        client.getOutputStream().write(1);
                        assertThat(server.getInputStream().read()).isOne();
                    }
                    assertThat(rig.names().asked()).containsExactly("two.test");
                }
            }
            assertThat(attempts).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void theOutboundSaysWhichFamilyItTries(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor("::1", 0)) {
            try (Rig rig = rig(driver, family(Family.IPV6_ONLY), origin.port())) {
                rig.names().with("two.test", "127.0.0.1", "::1");
                rig.start();
                try (Socket client = rig.connect("in");
                        Socket server = origin.accept()) {
                    client.getOutputStream().write(1);
                    assertThat(server.getInputStream().read()).isOne();
                }
            }
        }
        assertThat(attempts).hasValue(1);
    }

    @Test
    void withoutAnAddressOfTheFamilyTheHostIsUnreachable() throws Exception {
        Forward forward = Forward.to(new Destination(new DomainName("two.test"), 80));
        try (Rig rig = rig(Driver.LINUX, family(Family.IPV6_ONLY), 80)) {
            rig.inbound("in", forward);
            rig.names().with("two.test", "127.0.0.1");
            rig.start();
            try (Socket client = rig.connect("in")) {
                assertThat(Tcp.end(client)).isEqualTo(Tcp.End.RESET);
            }
        }
        assertThat(forward.outcomes()).containsExactly(OpenOutcome.HOST_UNREACHABLE);
        assertThat(attempts).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aProxyIsAskedForTheFirstOfThem(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig proxy =
                        Rig.on(driver)
                                .inbound("xor", new Xor.In(Set.of("alice")))
                                .outbound(Ways.direct("direct"))
                                .start();
                Rig rig =
                        rig(
                                driver,
                                Ways.through(
                                        "out",
                                        new Xor.Out(Destination.of(proxy.at("xor")), "alice"),
                                        null),
                                origin.port())) {
            rig.names().with("two.test", "127.0.0.1", "127.0.0.77");
            rig.start();
            try (Socket client = rig.connect("in");
                    Socket server = origin.accept()) {
                client.getOutputStream().write(1);
                assertThat(server.getInputStream().read()).isOne();
            }
            assertThat(proxy.names().asked()).isEmpty();
        }
    }

    @Test
    void aClientThatGoesAwayTakesItsQuestionBack() throws Exception {
        for (boolean byRule : List.of(true, false)) {
            try (Rig rig = rig(Driver.LINUX, Ways.direct("out"), 80)) {
                if (!byRule) {
                    rig.rules();
                }
                rig.names().hold();
                rig.start();
                Socket client = rig.connect("in");
                Eventually.await(Rig.PATIENCE, () -> rig.names().wanted() == 1);
                Tcp.reset(client);
                Eventually.await(Rig.PATIENCE, () -> rig.names().wanted() == 0);
            }
        }
    }

    private Rig rig(Driver driver, OutboundPlan way, int port) {
        return Rig.on(driver)
                .inbound("in", Forward.to(new Destination(new DomainName("two.test"), port)))
                .outbound(way)
                .rules(Ways.resolveAll())
                .shell(inner -> new DeadEnds(inner, deadEnds, attempts));
    }

    private static OutboundPlan family(Family family) {
        return new OutboundPlan(
                "out", Ways.direct("out").protocol(), DialOptions.DEFAULT, family, null);
    }

    private static IpAddress address(String text) {
        return IpAddress.parseOrNull(text);
    }
}
