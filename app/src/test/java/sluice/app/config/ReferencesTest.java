package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.testkit.Program;

final class ReferencesTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("A", "one", "EMPTY", "", "TRICK", "${env:A}");

    @TempDir private Path directory;
    private final Findings findings = new Findings();

    @ParameterizedTest
    @CsvSource({
        "${env:A}, one",
        "x-${env:A}-${env:A}, x-one-one",
        "${env:NONE:-two}, two",
        "${env:NONE:-}, ''",
        "${env:EMPTY:-three}, three",
        "${env:EMPTY}, ''",
        "${env:A:-two}, one",
        "$${env:A}, ${env:A}",
        "a$b, a$b",
        "$, $",
        "${env:TRICK}, ${env:A}"
    })
    void putsInWhatTheyStandFor(String written, String expected) {
        assertThat(resolve(written).text()).isEqualTo(expected);
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void readsAFileWithoutItsLastLineEnd() throws IOException {
        Files.writeString(directory.resolve("key.txt"), "two\nlines\r\n\n");
        assertThat(resolve("${file:key.txt}").text()).isEqualTo("two\nlines");
        assertThat(resolve("${file:" + directory.resolve("key.txt") + "}").text())
                .isEqualTo("two\nlines");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${env:NONE} | the environment has no variable NONE",
                "${file:none} | cannot read the file none: there is none",
                "${file:.} | cannot read the file .: it is not a regular file",
                "${file:/dev/zero} | cannot read the file /dev/zero: it is not a regular file",
                "${evn:A} | \"${evn:A}\" is neither ${env:NAME} nor ${file:PATH}",
                "${} | \"${}\" is neither",
                "${env:A | ${ without }"
            })
    void saysWhatCannotBeFound(String written, String reason) {
        resolve(written);
        assertThat(findings.all()).hasSize(1);
        assertThat(findings.report()).startsWith("c:1:1  a.b: " + reason);
    }

    @Test
    void aFileThatIsNoTextIsRefused() throws IOException {
        Files.write(directory.resolve("key.bin"), new byte[] {(byte) 0xff, 1});
        resolve("${file:key.bin}");
        assertThat(findings.report()).contains("the file key.bin is not text in UTF-8");
    }

    @Test
    void aFileThatIsTooLargeIsRefused() throws IOException {
        Files.write(directory.resolve("large"), new byte[(1 << 20) + 1]);
        resolve("${file:large}");
        assertThat(findings.report()).contains("the file large is larger than 1 MiB");
    }

    @Test
    void aPipeThatNobodyWritesToIsNotWaitedFor() {
        Program.Result made = Program.of("mkfifo", directory.resolve("pipe")).run();
        assertThat(made.exit()).isZero();
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> resolve("${file:pipe}"));
        assertThat(findings.report()).contains("file pipe: it is not a regular file");
    }

    /// The kernel says of such a file that it is empty.
    @Test
    void aFileThatDoesNotSayItsSizeIsRead() {
        assertThat(resolve("${file:/proc/self/comm}").text()).isNotEmpty();
    }

    @Test
    void remembersWhatWasWritten() {
        assertThat(resolve("${env:A}").source()).isEqualTo("${env:A}");
        assertThat(resolve("${env:A}").shown()).isEqualTo("${env:A}");
        assertThat(resolve("plain").source()).isNull();
    }

    private Scalar resolve(String text) {
        Surroundings surroundings =
                new Surroundings(ENVIRONMENT::get, directory, () -> new byte[0]);
        Scalar scalar = new Scalar(new Place("c", 1, 1), Scalar.Type.TEXT, text);
        return (Scalar) new References(surroundings, findings).resolve(scalar, "a.b");
    }
}
