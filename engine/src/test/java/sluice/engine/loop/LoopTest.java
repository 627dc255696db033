package sluice.engine.loop;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import sluice.base.buf.BufBudget;
import sluice.base.fault.SystemFault;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;

final class LoopTest {

    @Test
    void whatTheSystemRefusesIsItsFault() {
        Loop loop =
                new Loop(
                        0,
                        new Full(),
                        new BufBudget(1 << 20),
                        (bytes, offset, length) -> {},
                        () -> 0);
        assertThatThrownBy(loop::start)
                .isInstanceOf(SystemFault.class)
                .hasMessage("epoll_create1: EMFILE");
    }

    /// A system without another file to give.
    private static final class Full implements OperatingSystem {

        @Override
        public String name() {
            return "full";
        }

        @Override
        public LoopDriver openLoop() {
            throw new SystemFault("epoll_create1", 24, "EMFILE");
        }

        @Override
        public Map<String, String> features() {
            return Map.of();
        }

        @Override
        public long raiseFileLimit() {
            return -1;
        }
    }
}
