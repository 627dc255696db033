package sluice.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import sluice.testkit.Program;

final class FileLimitTest {

    @Test
    void acceptSaysWhenFilesHaveRunOutAndGoesOnWhenSomeAreBack() {
        Program.Result result =
                Program.run(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AcceptAtLimit.class.getName());

        assertThat(result.err()).isEmpty();
        assertThat(result.out().strip()).isEqualTo("ok");
        assertThat(result.exit()).isZero();
    }

    @Test
    void theLimitIsTheHardOne() {
        assertThat(new LinuxSystem().raiseFileLimit()).isGreaterThanOrEqualTo(1024);
    }

    @Test
    void featuresAreTold() {
        assertThat(new LinuxSystem().features())
                .containsKeys("kernel", "splice", "udp-gso", "udp-gro", "mptcp", "ipv6")
                .containsEntry("splice", "yes")
                .allSatisfy((name, value) -> assertThat(value).as(name).isNotBlank());
    }
}
