package sluice.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import sluice.lab.json.Json;

final class MachineTest {

    @Test
    void describesTheMachineAsALogKeepsIt() {
        Map<String, Object> machine = Json.readObject(Json.write(Machine.describe()));
        assertThat(machine).containsKeys("cpu", "cores", "kernel", "memory_mib", "sysctls");
        assertThat((Long) machine.get("memory_mib")).isPositive();
        assertThat(machine.get("sysctls"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, String.class))
                .hasEntrySatisfying(
                        "net.ipv4.tcp_rmem",
                        value -> assertThat(value).matches("[0-9]+ [0-9]+ [0-9]+"));
    }

    @Test
    void isBusyAboveAFifthWhoeverTakesIt() {
        assertThat(new Machine.Load(9, 0.19, 0).busy()).isFalse();
        assertThat(new Machine.Load(0, 0.21, 0).busy()).isTrue();
        assertThat(new Machine.Load(0, 0.15, 0.1).busy()).isTrue();
    }

    @Test
    void seesWhatOthersUse() throws Exception {
        LocalChild busy =
                LocalChild.start(
                        List.of("sh", "-c", "while :; do :; done"), Path.of("/"), Map.of());
        try {
            double share = Machine.load(Duration.ofMillis(500)).busyShare();
            // One busy loop of as many as there are cores; others may run beside it.
            assertThat(share).isBetween(0.3 / Runtime.getRuntime().availableProcessors(), 1.0);
        } finally {
            busy.stop();
        }
    }
}
