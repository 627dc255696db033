package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.app.Golden;
import sluice.base.config.Findings;

/// What an operator is told about what is wrong: one golden text for each broken configuration.
final class BadConfigurationsTest {

    static Stream<String> bad() {
        return Samples.in("bad");
    }

    static Stream<String> doubtful() {
        return Samples.in("warn");
    }

    @ParameterizedTest
    @MethodSource("bad")
    void isRefusedWithPlaceReasonAndMend(String name) {
        Configurations.Reading reading = Samples.read("bad", name);
        assertThat(reading.configuration()).isNull();
        assertThat(reading.findings().hasErrors()).isTrue();
        Golden.check("bad/" + goldenName(name), reading.findings().report() + "\n");
    }

    @ParameterizedTest
    @MethodSource("bad")
    void everyErrorHasAPlaceInAFile(String name) {
        for (Findings.Finding finding : Samples.read("bad", name).findings().all()) {
            boolean isAboutTheWholeFolder = name.equals("empty-directory");
            assertThat(finding.place().line() > 0 || isAboutTheWholeFolder)
                    .describedAs(finding.toString())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("doubtful")
    void isAcceptedWithAWarning(String name) {
        Configurations.Reading reading = Samples.read("warn", name);
        assertThat(reading.configuration()).describedAs(reading.findings().report()).isNotNull();
        assertThat(reading.findings().all()).isNotEmpty();
        Golden.check("warn/" + goldenName(name), reading.findings().report() + "\n");
    }

    @Test
    void thereAreEnoughOfThem() {
        assertThat(bad().count()).isGreaterThan(60);
    }

    private static String goldenName(String name) {
        return name + ".txt";
    }
}
