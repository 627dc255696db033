package sluice.engine.dial;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.policy.dns.Family;
import sluice.policy.dns.NameResolver;
import sluice.policy.dns.Resolution;
import sluice.testkit.Eventually;

final class SystemResolverTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    private final CountDownLatch dead = new CountDownLatch(1);

    /// Names that end in `.dead` are silent until [#dead] opens.
    private InetAddress[] addressesOf(String name) throws UnknownHostException {
        asked.add(name);
        if (name.endsWith(".dead")) {
            try {
                assertThat(dead.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException _) {
                throw new UnknownHostException(name);
            }
            throw new UnknownHostException(name);
        }
        return new InetAddress[] {InetAddress.ofLiteral("192.0.2.1"), InetAddress.ofLiteral("::2")};
    }

    private SystemResolver resolver(int threads, int waiting) {
        return new SystemResolver(this::addressesOf, threads, waiting);
    }

    /// An answer, and whether it is wanted.
    private static final class Answer implements NameResolver.Callback {
        final CompletableFuture<Resolution> resolution = new CompletableFuture<>();
        volatile boolean wanted = true;

        @Override
        public void resolved(Resolution answer) {
            assertThat(resolution.complete(answer)).as("called once").isTrue();
        }

        @Override
        public boolean isWanted() {
            return wanted;
        }

        Resolution get() throws Exception {
            return resolution.get(10, TimeUnit.SECONDS);
        }
    }

    private static Answer ask(SystemResolver resolver, String name) {
        return ask(resolver, name, Family.ANY);
    }

    private static Answer ask(SystemResolver resolver, String name, Family family) {
        Answer answer = new Answer();
        resolver.resolve(new DomainName(name), family, answer);
        return answer;
    }

    @Test
    void oneDeadNameTakesOneThreadHoweverManyWaitForIt() throws Exception {
        SystemResolver resolver = resolver(2, 0);
        List<Answer> waiting = List.of(ask(resolver, "a.dead"), ask(resolver, "A.dead"));
        for (int i = 0; i < 100; i++) {
            ask(resolver, "a.dead");
        }
        assertThat(ask(resolver, "alive").get()).isInstanceOf(Resolution.Found.class);
        dead.countDown();
        for (Answer answer : waiting) {
            assertThat(answer.get()).isEqualTo(new Resolution.Failed("no such name", true));
        }
        assertThat(asked).containsExactlyInAnyOrder("a.dead", "alive");
    }

    @Test
    void eachWhoWaitsGetsTheFamilyItWants() throws Exception {
        SystemResolver resolver = resolver(1, 10);
        Answer first = ask(resolver, "b.dead");
        Eventually.await(PATIENCE, () -> asked.size() == 1);
        Answer any = ask(resolver, "alive", Family.ANY);
        Answer six = ask(resolver, "alive", Family.IPV6_ONLY);
        dead.countDown();
        assertThat(first.get()).isInstanceOf(Resolution.Failed.class);
        assertThat(((Resolution.Found) any.get()).addresses()).hasSize(2);
        assertThat(((Resolution.Found) six.get()).addresses())
                .containsExactly(IpAddress.parseOrNull("::2"));
        assertThat(asked).containsExactly("b.dead", "alive");
    }

    @Test
    void whatNobodyWaitsForIsNotAsked() throws Exception {
        SystemResolver resolver = resolver(1, 2);
        Answer first = ask(resolver, "c.dead");
        Eventually.await(PATIENCE, () -> asked.size() == 1);
        Answer gone = ask(resolver, "gone");
        Answer kept = ask(resolver, "kept");
        assertThat(ask(resolver, "too-many").get())
                .isEqualTo(new Resolution.Failed("too many look-ups are waiting", false));

        gone.wanted = false;
        Answer inItsPlace = ask(resolver, "in-its-place");
        assertThat(gone.get()).isInstanceOf(Resolution.Failed.class);
        kept.wanted = false;
        dead.countDown();
        assertThat(first.get()).isInstanceOf(Resolution.Failed.class);
        assertThat(inItsPlace.get()).isInstanceOf(Resolution.Found.class);
        assertThat(kept.get()).isInstanceOf(Resolution.Failed.class);
        assertThat(asked).containsExactly("c.dead", "in-its-place");
    }

    @Test
    void aNameThatIsDoneIsAskedAgain() throws Exception {
        SystemResolver resolver = resolver(1, 2);
        assertThat(ask(resolver, "alive").get()).isInstanceOf(Resolution.Found.class);
        assertThat(ask(resolver, "alive").get()).isInstanceOf(Resolution.Found.class);
        assertThat(asked).containsExactly("alive", "alive");
    }

    /// The system reads these as 127.0.0.1 and ::1, behind the back of the rules.
    @ParameterizedTest
    @ValueSource(strings = {"2130706433", "127.1", "0177.0.0.1", "0x7f.1", "::1%lo"})
    void aNumberIsNoName(String name) throws Exception {
        assertThat(ask(new SystemResolver(), name).get())
                .isEqualTo(new Resolution.Failed("neither an address nor a name", true));
    }
}
