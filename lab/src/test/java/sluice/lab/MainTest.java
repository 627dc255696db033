package sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.bed.Bed;

final class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(strings = {"peers", "run", "report", "compare"})
    void everyCommandHasHelpWithAnExample(String name) {
        assertThat(run(name, "--help")).isZero();
        assertThat(out()).startsWith("sluice lab " + name).contains("Example:\n");
        out.reset();
        assertThat(run("help")).isZero();
        assertThat(out()).contains("sluice lab " + name);
    }

    @Test
    void theHelpNamesEveryBedAndTheOneThatIsComing() {
        for (Bed bed : Beds.all()) {
            assertThat(RunCommand.HELP).contains("\n  " + bed.name() + " ");
        }
        assertThat(RunCommand.HELP).contains("gateway   is coming");
    }

    @Test
    void namesTheNearestKnownWord() {
        wrong("did you mean report?", "repotr");
        wrong("did you mean fake?", "run", "fakke");
        wrong("did you mean --engines?", "run", "fake", "--engine", "x");
        wrong("did you mean other?", "run", "fake", "--engines", "othr");
        wrong("did you mean ss-aes128?", "run", "fake", "--protocols", "ss-aes12");
        wrong("there is fake", "run", "something");
    }

    @Test
    void refusesWhatCannotBeMeant() {
        wrong("is not there yet", "run", "gateway");
        wrong("must be a number from 1", "run", "fake", "--rounds", "0");
        wrong("needs a value", "run", "fake", "--log");
        wrong("needs two logs", "compare", "one.jsonl");
        wrong("cannot do anything with x", "peers", "x");
    }

    @Test
    void anEngineThatIsNotInstalledIsNamedWithTheWayToGetIt() {
        assertThat(run("run", "fake", "--engines", "sluice,absent")).isEqualTo(Main.FAILED);
        assertThat(err()).contains("absent is not installed; apt install absent");
    }

    @Test
    void withoutABedItSaysWhatThereIsAndHowLongItTakes() {
        assertThat(run("run")).isZero();
        // Two cases, two engines, three rounds of 0.3 s.
        assertThat(err()).contains("fake      3 s, 12 measurements", "gateway   is coming");
    }

    @Test
    void reportsTheUsualLogUnlessAnotherIsNamed() {
        run("report");
        run("report", "my.jsonl", "--html=x.html");
        assertThat(out()).isEqualTo("report of sluice-lab.jsonl\nreport of my.jsonl\n");
    }

    private void wrong(String says, String... line) {
        err.reset();
        assertThat(run(line)).isEqualTo(Main.USAGE);
        assertThat(err()).contains(says).contains("how it is called");
    }

    private int run(String... line) {
        return FakeLab.lab(print(out), print(err)).run(List.of(line));
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
