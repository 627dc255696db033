package sluice.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.lab.Main;
import sluice.lab.log.RunLog;
import sluice.lab.log.RunRecord;
import sluice.testkit.Peers;

/// The lab as a user starts it, on a tiny bed: Sluice, Debian's engines, one protocol, one second.
final class QuickRunTest {

    @TempDir private static Path folder;

    @BeforeAll
    static void needs() {
        for (String program : List.of("iperf3", "v2ray")) {
            Peers.require(program);
        }
    }

    @Test
    void measuresAndMakesAPage() throws Exception {
        Path log = folder.resolve("quick.jsonl");
        String beds = "engine latency ladder";
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(beds.split(" ")));
        words.addAll(
                List.of(
                        "--quick",
                        "--protocols",
                        "ss-aes128",
                        "--engines",
                        "sluice,v2ray",
                        "--log",
                        log.toString()));
        assertThat(lab(words)).as(said()).isZero();

        RunLog.Content content = new RunLog(log).read();
        assertThat(content.complaints()).isEmpty();
        assertThat(content.records())
                .allSatisfy(each ->
                        assertThat(each.outcome())
                                .as(each.bed() + " " + each.each() + " " + each.reason())
                                .isEqualTo(RunRecord.Outcome.OK));
        assertThat(content.records())
                .extracting(RunRecord::bed)
                .contains("engine", "latency", "ladder");
        assertThat(content.records())
                .filteredOn(each -> each.bed().equals("engine"))
                .allSatisfy(each -> {
                    assertThat(each.values().get("throughput")).isBetween(50.0, 200_000.0);
                    assertThat(each.values().get("cpu")).isBetween(0.05, 100.0);
                    assertThat(each.values().get("memory")).isBetween(2.0, 500.0);
                    assertThat(each.sha256()).hasSize(64);
                });

        Path page = folder.resolve("report.html");
        Path text = folder.resolve("report.md");
        assertThat(
                        lab(
                                List.of(
                                        "report",
                                        log.toString(),
                                        "--html",
                                        page.toString(),
                                        "--markdown",
                                        text.toString())))
                .as(said())
                .isZero();
        assertThat(Files.readString(page)).contains("<svg", "Where Sluice is behind", "v2ray");
        assertThat(Files.readString(text)).contains("Shadowsocks aes-128-gcm", "sluice", "v2ray");
    }

    private static int lab(List<String> words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path")
                                        .replace(File.pathSeparator + File.pathSeparator, ":"),
                                Main.class.getName()));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SLUICE_HOME_BIN", Launcher.in(folder).toString());
        Process process =
                builder.redirectErrorStream(true)
                        .redirectOutput(folder.resolve("said").toFile())
                        .start();
        if (!process.waitFor(150, TimeUnit.SECONDS)) {
            process.destroy();
            process.waitFor(20, TimeUnit.SECONDS);
            return -1;
        }
        return process.exitValue();
    }

    private static String said() throws IOException {
        Path said = folder.resolve("said");
        return Files.exists(said) ? Files.readString(said) : "";
    }
}
