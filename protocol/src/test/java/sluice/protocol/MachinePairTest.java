package sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.machine.OpenOutcome;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.base.time.Deadline;
import sluice.testkit.Seeds;

class MachinePairTest {

    private final LoopFixture loop = new LoopFixture(1);

    @Test
    void carriesPayloadBothWaysAndPassesTheEndsOn() {
        MachinePair pair = MachinePair.of(new OneByteClient(), new OneByteServer(), loop.pool());
        pair.up(bytes("question")).upEnd().down(bytes("answer")).downEnd().run().finish();

        assertThat(pair.server().deliveredText()).isEqualTo("question");
        assertThat(pair.client().deliveredText()).isEqualTo("answer");
        assertThat(pair.server().deliveredEnd()).isTrue();
        assertThat(pair.client().deliveredEnd()).isTrue();
        assertThat(loop.pool().inUse()).isZero();
    }

    @ParameterizedTest
    @Seeds(20)
    void cutsNeverLoseOrReorderBytes(long seed) {
        MachinePair pair =
                MachinePair.cut(new OneByteClient(), new OneByteServer(), loop.pool(), seed);
        byte[] payload = new byte[100_000];
        new java.util.Random(seed).nextBytes(payload);
        pair.up(payload).down(payload).run().finish();

        assertThat(pair.server().delivered()).isEqualTo(payload);
        assertThat(pair.client().delivered()).isEqualTo(payload);
        assertThat(loop.pool().inUse()).isZero();
    }

    @Test
    void firesDeadlinesInTheirTurn() {
        MachinePair pair = MachinePair.of(new SilentClient(), new OneByteServer(), loop.pool());
        pair.advance(4_999);
        assertThat(pair.server().isClosed()).isFalse();
        pair.advance(1);
        assertThat(pair.server().isClosed()).isTrue();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Sends one byte and retires.
    private static class OneByteClient implements StreamMachine {
        @Override
        public void onStart(long nowNanos, Effects out) {
            Buf hello = out.acquire(1);
            hello.put(7);
            out.send(hello);
            out.becomeTransparent();
        }

        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {}

        @Override
        public void onEnd(long nowNanos, Effects out) {}

        @Override
        public void onPayload(Buf owned, long nowNanos, Effects out) {}

        @Override
        public void onPayloadEnd(long nowNanos, Effects out) {}
    }

    private static final class SilentClient extends OneByteClient {
        @Override
        public void onStart(long nowNanos, Effects out) {}
    }

    /// Takes one byte, opens, and retires when the destination stands; closes after 5,000 ns of
    /// silence.
    private static final class OneByteServer extends OneByteClient {
        private long deadlineNanos;
        private boolean asked;

        @Override
        public void onStart(long nowNanos, Effects out) {
            deadlineNanos = nowNanos + 5_000;
        }

        @Override
        public void onBytes(Buf in, long nowNanos, Effects out) {
            if (!asked) {
                asked = true;
                deadlineNanos = Deadline.NONE;
                in.consume(1);
                out.open(new Destination(Host.parse("example.com"), 80), null);
            }
        }

        @Override
        public void onOpened(OpenOutcome outcome, long nowNanos, Effects out) {
            out.becomeTransparent();
        }

        @Override
        public void onDeadline(long nowNanos, Effects out) {
            out.close();
        }

        @Override
        public long deadlineNanos() {
            return deadlineNanos;
        }
    }
}
