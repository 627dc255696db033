package sluice.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.app.Golden;
import sluice.app.config.Configuration;
import sluice.app.config.ConfigurationSource;
import sluice.app.log.Log;
import sluice.base.fault.ConfigFault;
import sluice.base.fault.SystemFault;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;
import sluice.engine.Engine;
import sluice.engine.plan.Plan;

/// Command lines, what they print, and the codes they end with.
final class CommandsTest {

    @TempDir private Path directory;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Configuration served;
    private ConfigurationSource source;

    static Stream<String> commands() {
        return Stream.concat(Commands.NAMES.stream(), Stream.of("warmup"));
    }

    @AfterEach
    void reset() {
        Log.configure(System.Logger.Level.INFO, null, true);
    }

    @Test
    void withoutACommandItSaysWhatThereIs() {
        assertThat(run()).isZero();
        Golden.check("help/overview.txt", out());
        for (String name : Commands.NAMES) {
            assertThat(out()).contains("sluice " + name + " ");
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpFitsAScreenAndHasAnExample(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out()).contains("Example").contains("  sluice " + command);
        assertThat(out().lines().count()).isLessThanOrEqualTo(24);
        assertThat(out().lines()).allMatch(line -> line.length() <= 100);
        Golden.check("help/" + command + ".txt", out());
    }

    @Test
    void helpIsFoundInEveryWay() {
        run("help", "check");
        String first = out();
        out.reset();
        run("check", "-h");
        assertThat(out()).isEqualTo(first);
        out.reset();
        run("check", "-c", "none.json", "--help");
        assertThat(out()).isEqualTo(first);
    }

    @Test
    void aCommandThatIsNotThereEndsWith2() {
        assertThat(run("chekc")).isEqualTo(2);
        assertThat(err()).contains("there is no command \"chekc\"; did you mean check?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check --fast",
                "check --format",
                "check --format xml",
                "run -x",
                "run a.json",
                "run ss://a ss://b",
                "run -c a.json ss://YWVzLTEyOC1nY206dGVzdA@192.0.2.1:8388",
                "merge",
                "merge a b",
                "schema x",
                "version x",
                "generate",
                "generate rand",
                "generate rand x",
                "generate rand 99999999",
                "generate uid",
                "generate ss-key",
                "generate ss-key 2022-blake3-aes-129-gcm",
                "tools",
                "tools conect a:1",
                "tools fetch ftp://a",
                "tools connect a",
                "tools connect a:0",
                "tools fetch -t soon a",
                "check --help=x",
                "tools dns",
                "tools dns a b",
                "tools dns 192.0.2.1",
                "tools fetch -i nobody a",
                "tools fetch -t 0s a",
                "tools fetch -t 5h a",
                "check -D /no/such/folder",
                "check -D /dev/null",
                "format"
            })
    void aWrongCommandLineEndsWith2AndOneLine(String line) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err()).startsWith("sluice ").contains("--help says how it is called.");
        assertThat(err().lines().count()).isEqualTo(2);
    }

    @Test
    void anOptionThatIsMisspeltIsNamed() {
        run("check", "--formt", "json");
        assertThat(err()).contains("there is no option --formt; did you mean --format?");
    }

    @Test
    void checkEndsWith0Or23() throws IOException {
        assertThat(run("check", "-c", good())).isZero();
        assertThat(out()).isEqualTo("configuration " + good() + ": good\n");
        assertThat(err()).isEmpty();
        out.reset();
        assertThat(run("check", bad())).isEqualTo(23);
        assertThat(err())
                .isEqualTo(bad() + ":1:2  unknown key \"outbound\"; did you mean \"outbounds\"?\n");
        assertThat(out()).isEqualTo("configuration " + bad() + ": cannot be used, 1 error\n");
    }

    @Test
    void checkSaysWhichConfigurationItWas() throws IOException {
        assertThat(run("check", "-D", directory.toString())).isZero();
        assertThat(out())
                .isEqualTo(
                        "no configuration found; the built-in one: mixed on 127.0.0.1:7890: good\n");
        out.reset();
        good();
        assertThat(run("check", "-D", directory.toString())).isZero();
        assertThat(out()).isEqualTo("configuration config.json: good\n");
    }

    @Test
    void checkWarnsAndEndsWith0() throws IOException {
        assertThat(run("check", "-c", write("w.json", "{}"))).isZero();
        assertThat(err()).contains("warning: there are no inbounds");
        assertThat(out()).endsWith("w.json: can be used, 1 warning\n");
    }

    @Test
    void checkPrintsFindingsForPrograms() throws IOException {
        assertThat(run("check", "--format=json", "-c", bad())).isEqualTo(23);
        assertThat(out())
                .isEqualTo(
                        """
                        [
                          {
                            "severity": "error",
                            "file": "%s",
                            "line": 1,
                            "column": 2,
                            "path": "",
                            "reason": "unknown key \\"outbound\\"; did you mean \\"outbounds\\"?"
                          }
                        ]
                        """
                                .formatted(bad()));
        out.reset();
        assertThat(run("check", "--format=json", "-c", good())).isZero();
        assertThat(out()).isEqualTo("[]\n");
    }

    @Test
    void relativePathsBeginInTheWorkingDirectory() throws IOException {
        good();
        assertThat(run("check", "-D", directory.toString(), "-c", "good.json")).isZero();
        assertThat(run("check", "-D", directory.toString())).isZero();
    }

    @Test
    void formatPrintsOrChangesFiles() throws IOException {
        String file = write("f.json", "{ \"log\" :{} , // why\n}");
        Files.setPosixFilePermissions(Path.of(file), PosixFilePermissions.fromString("rw-------"));
        assertThat(run("format", "-c", file)).isZero();
        assertThat(out()).isEqualTo("{\n  \"log\": {} // why\n}\n");
        assertThat(Files.readString(Path.of(file))).startsWith("{ \"log\" ");
        out.reset();
        assertThat(run("format", "-w", file)).isZero();
        assertThat(out()).isEqualTo(file + "\n");
        assertThat(Files.readString(Path.of(file))).isEqualTo("{\n  \"log\": {} // why\n}\n");
        assertThat(Files.getPosixFilePermissions(Path.of(file)))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        out.reset();
        assertThat(run("format", "-w", file)).isZero();
        assertThat(out()).isEmpty();
        assertThat(run("format", write("broken.json", "{"))).isEqualTo(23);
        assertThat(run("format", directory + "/none.json")).isEqualTo(1);
    }

    @Test
    void mergeWritesOneFile() throws IOException {
        String a = write("a.json", "{\"log\": {\"level\": \"info\"}}");
        String b = write("b.yaml", "log: {output: x.log}\n");
        Path target = directory.resolve("out.json");
        assertThat(run("merge", target.toString(), "-c", a, "-c", b)).isZero();
        assertThat(target)
                .hasContent(
                        "{\n"
                                + "  \"log\": {\n"
                                + "    \"level\": \"info\",\n"
                                + "    \"output\": \"x.log\"\n"
                                + "  }\n"
                                + "}\n");
        assertThat(run("merge", "-", "-c", a)).isZero();
        assertThat(out()).contains("\"level\": \"info\"");
        assertThat(run("merge", directory + "/none/out.json", "-c", a)).isEqualTo(1);
        assertThat(err()).isEqualTo("sluice merge: there is no folder " + directory + "/none\n");
        err.reset();
        assertThat(run("merge", directory.toString(), "-c", a)).isEqualTo(1);
        assertThat(err()).isEqualTo("sluice merge: " + directory + " is a folder\n");
        assertThat(
                        run(
                                "merge",
                                "-",
                                "-c",
                                a,
                                "-c",
                                write("c.json", "{\"log\": {\"level\": \"warn\"}}")))
                .isEqualTo(23);
    }

    @Test
    void mergeReplacesNoPipeAndNoDevice() throws Exception {
        String a = write("a.json", "{\"log\": {\"level\": \"info\"}}");
        Path pipe = directory.resolve("a-pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        assertThat(run("merge", pipe.toString(), "-c", a)).isEqualTo(1);
        assertThat(err()).isEqualTo("sluice merge: " + pipe + " is not a regular file\n");
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther()).isTrue();
    }

    @Test
    void schemaIsJson() {
        assertThat(run("schema")).isZero();
        assertThat(out())
                .startsWith("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\"");
    }

    @Test
    void generatesWhatAConfigurationNeeds() {
        assertThat(run("generate", "uuid")).isZero();
        assertThat(out()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n");
        out.reset();
        run("generate", "rand", "--hex", "5");
        assertThat(out()).matches("[0-9a-f]{10}\n");
        out.reset();
        run("generate", "rand", "--base64", "16");
        assertThat(Base64.getDecoder().decode(out().strip())).hasSize(16);
        out.reset();
        run("generate", "rand", "7");
        assertThat(out.size()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2022-blake3-aes-128-gcm 16",
                "2022-blake3-aes-256-gcm 32",
                "2022-blake3-chacha20-poly1305 32",
                "aes-128-gcm 24"
            })
    void aKeyHasTheLengthOfItsMethod(String line) {
        String[] words = line.split(" ");
        assertThat(run("generate", "ss-key", words[0])).isZero();
        assertThat(Base64.getDecoder().decode(out().strip())).hasSize(Integer.parseInt(words[1]));
    }

    @Test
    void generatesALinkForEveryShadowsocksObject() throws IOException {
        String file =
                write(
                        "l.json",
                        """
                        {
                          "inbounds": [
                            {"type": "shadowsocks", "tag": "one", "listen": "::", "listen_port": 8388, "method": "aes-128-gcm", "password": "test"},
                            {"type": "shadowsocks", "tag": "many", "listen": "::", "listen_port": 8389, "method": "2022-blake3-aes-128-gcm",
                             "password": "8JCsPssfgS8tiRwiMlhARg==", "users": [{"name": "sekai", "password": "PCD2Z4o12bKUoFa3cC97Hw=="}]},
                            {"type": "shadowsocks", "tag": "old", "listen_port": 8390, "method": "aes-128-gcm", "users": {"name": "a", "password": "own"}}
                          ],
                          "outbounds": [{"type": "shadowsocks", "tag": "up", "server": "192.0.2.1", "server_port": 1, "method": "none"}]
                        }
                        """);
        assertThat(run("generate", "link", "-c", file)).isEqualTo(2);
        assertThat(err()).contains("say with --server");
        assertThat(run("generate", "link", "-c", file, "--server", "a.example")).isZero();
        assertThat(out())
                .isEqualTo(
                        """
                        ss://YWVzLTEyOC1nY206dGVzdA@a.example:8388#one
                        ss://2022-blake3-aes-128-gcm:8JCsPssfgS8tiRwiMlhARg%3D%3D:PCD2Z4o12bKUoFa3cC97Hw%3D%3D@a.example:8389#sekai
                        ss://YWVzLTEyOC1nY206b3du@a.example:8390#a
                        ss://none:@192.0.2.1:1#up
                        """);
    }

    @Test
    void versionSaysWhatTheSystemHas() {
        assertThat(run("version")).isZero();
        assertThat(out()).startsWith("sluice ").contains("java ", "driver ", "test", "splice");
    }

    @Test
    void runServesWhatItRead() throws IOException {
        assertThat(run("run", "-c", good())).isEqualTo(7);
        assertThat(served.inbounds().getFirst().tag()).isEqualTo("in");
        write(
                "good.json",
                "{\"inbounds\": [{\"type\": \"socks\", \"tag\": \"other\", \"listen_port\": 1}]}");
        assertThat(source.next().inbounds().getFirst().tag()).isEqualTo("other");
        source.refused();
        write("good.json", "{");
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> source.next()))
                .isInstanceOf(ConfigFault.class);
    }

    @Test
    void runRefusesWhatIsWrongBeforeItServes() throws IOException {
        assertThat(run("run", "-c", bad())).isEqualTo(23);
        assertThat(served).isNull();
    }

    @Test
    void runDoesNotServeWithoutTheLogThatWasAskedFor() throws IOException {
        String file =
                write(
                        "log.json",
                        "{\"log\": {\"output\": \"/no/such/dir/x.log\"}, \"inbounds\": []}");
        assertThat(run("run", "-c", file)).isEqualTo(1);
        assertThat(served).isNull();
        assertThat(err())
                .isEqualTo(
                        "sluice run: "
                                + file
                                + ":1:20  log.output: cannot write the log to /no/such/dir/x.log:"
                                + " there is no folder /no/such/dir\n");
        good();
        assertThat(run("run", "-c", good())).isEqualTo(7);
        write("good.json", Files.readString(Path.of(file)));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> source.next()))
                .isInstanceOf(SystemFault.class)
                .hasMessageContaining("there is no folder /no/such/dir");
    }

    @Test
    void runTakesALinkInsteadOfFiles() {
        assertThat(run("run", "ss://YWVzLTEyOC1nY206dGVzdA@192.0.2.1:8388#tokyo")).isEqualTo(7);
        assertThat(served.inbounds().getFirst().listen().at().getFirst())
                .hasToString("127.0.0.1:7890");
        assertThat(served.outbounds().getFirst().tag()).isEqualTo("tokyo");
        assertThat(served.outbounds().getFirst().outbound().server()).hasToString("192.0.2.1:8388");
        assertThat(run("run", "ss://cmM0LW1kNTpwYXNzd2Q@192.168.100.1:8888")).isEqualTo(23);
        assertThat(err()).contains("rc4-md5");
    }

    private int run(String... line) {
        return new Commands(new TestDoors()).run(List.of(line), console());
    }

    private Console console() {
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String good() throws IOException {
        return write(
                "good.json",
                "{\"inbounds\": [{\"type\": \"mixed\", \"tag\": \"in\", \"listen_port\": 1080}]}");
    }

    private String bad() throws IOException {
        return write("bad.json", "{\"outbound\": []}");
    }

    private String write(String name, String text) throws IOException {
        Path path = directory.resolve(name);
        Files.writeString(path, text);
        if (name.equals("good.json")) {
            Files.writeString(directory.resolve("config.json"), text);
        }
        return path.toString();
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /// Serves nothing and remembers what it should have served.
    private final class TestDoors implements Doors {

        @Override
        public int serve(Configuration configuration, ConfigurationSource again) {
            served = configuration;
            source = again;
            return 7;
        }

        @Override
        public OperatingSystem system() {
            return new OperatingSystem() {
                @Override
                public String name() {
                    return "test";
                }

                @Override
                public LoopDriver openLoop() {
                    throw new AssertionError("no loop is needed");
                }

                @Override
                public Map<String, String> features() {
                    return Map.of("splice", "no");
                }

                @Override
                public long raiseFileLimit() {
                    return -1;
                }
            };
        }

        @Override
        public Engine engine(Configuration configuration) {
            throw new AssertionError("no engine is needed");
        }

        @Override
        public Engine engine(Configuration configuration, Plan plan) {
            throw new AssertionError("no engine is needed");
        }
    }
}
