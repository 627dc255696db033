package sluice.lab.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.lab.bed.Case;

final class RunLogTest {

    @TempDir private Path folder;

    private RunLog log;

    @BeforeEach
    void open() {
        log = new RunLog(folder.resolve("log.jsonl"));
    }

    @Test
    void keepsWhatWasAppendedInOrder() throws IOException {
        for (int round = 1; round <= 3; round++) {
            log.append(line(round));
        }
        assertThat(log.read().records()).containsExactly(line(1), line(2), line(3));
        assertThat(log.read().complaints()).isEmpty();
    }

    @Test
    void aFileThatDoesNotExistIsEmpty() throws IOException {
        assertThat(log.read().records()).isEmpty();
        log.check();
        assertThat(log.file()).isEmptyFile();
    }

    @Test
    void everyCutOfTheLastLineCostsThatLineOnly() throws IOException {
        String whole = line(2).toLine();
        for (int cut = 1; cut < whole.length(); cut += 7) {
            Files.writeString(log.file(), line(1).toLine() + "\n" + whole.substring(0, cut));
            log.append(line(3));
            RunLog.Content content = log.read();
            assertThat(content.records()).as("cut at %d", cut).containsExactly(line(1), line(3));
            assertThat(content.complaints()).singleElement().asString().contains("log.jsonl:2: ");
        }
    }

    @Test
    void aLastLineWithoutItsBreakCounts() throws IOException {
        Files.writeString(log.file(), line(1).toLine());
        log.append(line(2));
        assertThat(log.read().records()).containsExactly(line(1), line(2));
        assertThat(log.read().complaints()).isEmpty();
    }

    @Test
    void aCutWithinACharacterIsSkipped() throws IOException {
        Files.write(log.file(), new byte[] {'{', '"', (byte) 0xc3});
        log.append(line(1));
        assertThat(log.read().records()).containsExactly(line(1));
        assertThat(log.read().complaints()).hasSize(1);
    }

    @Test
    void neverTouchesWhatIsThere() throws IOException {
        Files.writeString(log.file(), "torn");
        byte[] before = Files.readAllBytes(log.file());
        log.append(line(1));
        assertThat(Files.readAllBytes(log.file())).startsWith(before);
    }

    @Test
    void skipsForeignLinesWithAComplaintEach() throws IOException {
        String good = line(1).toLine();
        List<String> bad =
                List.of(
                        "[]",
                        "{}",
                        "{\"schema\":2}",
                        good + "}",
                        good.replace("\"round\":1", "\"round\":99999999999"),
                        good.replace("\"outcome\":\"ok\"", "\"outcome\":\"fine\""),
                        good.replace("\"speed\":1.5", "\"speed\":\"fast\""));
        Files.write(log.file(), bad);
        Files.writeString(log.file(), good + "\n", StandardOpenOption.APPEND);
        assertThat(log.read().records()).containsExactly(line(1));
        assertThat(log.read().complaints()).hasSize(bad.size());
    }

    @Test
    void saysWhyItCannotBeWritten() {
        assertThatThrownBy(() -> new RunLog(folder.resolve("none/log.jsonl")).check())
                .hasMessageContaining("its folder does not exist");
        assertThatThrownBy(() -> new RunLog(folder).append(line(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString());
    }

    private static RunRecord line(int round) {
        return new RunRecord(
                "2026-01-01T00:00:00Z",
                "lab",
                "bed",
                "settings",
                Case.of("kind", "ünder"),
                "engine",
                "1.0",
                "00",
                round,
                RunRecord.Outcome.OK,
                "",
                Map.of("speed", 1.5),
                Map.of(),
                Map.of(),
                "",
                Map.of(),
                Map.of());
    }
}
