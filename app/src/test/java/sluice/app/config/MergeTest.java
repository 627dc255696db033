package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.base.config.ConfigNode;
import sluice.base.config.Findings;
import sluice.base.fault.ConfigFault;

/// Finding files and putting them together.
final class MergeTest {

    @TempDir private Path directory;
    private final Findings findings = new Findings();
    private Surroundings surroundings;

    @BeforeEach
    void surround() {
        surroundings =
                new Surroundings(
                        name -> name.equals("XDG_CONFIG_HOME") ? directory + "/xdg" : null,
                        directory,
                        () -> "{\"log\": {}}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void mergesObjectsByKeyAndAppendsLists() {
        assertThat(
                        merged(
                                "{\"log\": {\"level\": \"info\"}, \"a\": [1], \"b\": 1}",
                                "{\"log\": {\"output\": \"x\"}, \"a\": [2, 3], \"c\": null}"))
                .isEqualTo(
                        "{\"log\": {\"level\": \"info\", \"output\": \"x\"}, \"a\": [1, 2, 3],"
                                + " \"b\": 1, \"c\": null}");
    }

    @Test
    void oneValueInOneFileAndAListInAnotherAreAppended() {
        assertThat(merged("{\"a\": 1}", "{\"a\": [2]}")).isEqualTo("{\"a\": [1, 2]}");
        assertThat(merged("{\"a\": [1]}", "{\"a\": {\"b\": 2}}"))
                .isEqualTo("{\"a\": [1, {\"b\": 2}]}");
    }

    @Test
    void twoInboundsWithoutBracketsAreTwoInbounds() {
        assertThat(merged("{\"inbounds\": {\"tag\": \"a\"}}", "{\"inbounds\": {\"tag\": \"b\"}}"))
                .isEqualTo("{\"inbounds\": [{\"tag\": \"a\"}, {\"tag\": \"b\"}]}");
    }

    @Test
    void whatBothSayAlikeIsNoConflict() {
        assertThat(merged("{\"a\": 5, \"b\": null}", "{\"a\": 5, \"b\": 6}"))
                .isEqualTo("{\"a\": 5, \"b\": 6}");
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void eachFileMayNameItsSchema() {
        assertThat(merged("{\"$schema\": \"a.json\"}", "{\"$schema\": \"../a.json\"}"))
                .isEqualTo("{\"$schema\": \"a.json\"}");
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void aSchemaInTheDirectoryIsNoConfiguration() throws IOException {
        Files.createDirectories(directory.resolve("d"));
        Files.writeString(directory.resolve("d/a.json"), "{}");
        Files.writeString(directory.resolve("d/sluice.schema.json"), "{\"type\": \"object\"}");
        LoadRequest request = new LoadRequest(List.of(), List.of("d"), List.of(), directory);
        assertThat(new ConfigFiles(surroundings, findings).names(request))
                .containsExactly("d/a.json");
    }

    @Test
    void whatDiffersIsAnErrorThatNamesBothPlaces() {
        merged("{\"log\": {\"level\": \"info\"}}", "{\"log\":\n {\"level\": \"warn\"}}");
        assertThat(findings.report())
                .isEqualTo(
                        "1.json:2:12  log.level: differs from what 0.json:1:19 says\n"
                                + "    mend: keep one of the two");
    }

    @Test
    void aDirectoryIsReadByNameAndOtherFilesAreLeftAlone() throws IOException {
        write("conf/20-b.yaml");
        write("conf/10-a.json");
        write("conf/30-c.jsonc");
        write("conf/notes.txt");
        write("conf/.hidden.json");
        assertThat(names(List.of("x.json"), List.of("conf")))
                .containsExactly("x.json", "conf/10-a.json", "conf/20-b.yaml", "conf/30-c.jsonc");
    }

    @Test
    void withoutANameTheFirstPlaceThatHasAFileCounts() throws IOException {
        assertThat(names(List.of(), List.of())).allMatch(name -> name.startsWith("/etc/sluice/"));
        write("xdg/sluice/config.yaml");
        assertThat(names(List.of(), List.of()))
                .containsExactly(directory + "/xdg/sluice/config.yaml");
        write("config.yml");
        assertThat(names(List.of(), List.of())).containsExactly("config.yml");
        write("config.json");
        assertThat(names(List.of(), List.of())).containsExactly("config.json");
    }

    @Test
    void aDashIsStandardInput() {
        ConfigNode node = new ConfigFiles(surroundings, findings).read("-");
        assertThat(node).isInstanceOf(ConfigNode.Mapping.class);
        assertThat(node.place()).hasToString("-:1:1");
    }

    @Test
    void saysWhyAFileCannotBeRead() throws IOException {
        Files.createDirectories(directory.resolve("conf"));
        ConfigFiles files = new ConfigFiles(surroundings, findings);
        assertThat(files.read("none.json")).isNull();
        assertThat(files.read("conf")).isNull();
        assertThat(files.read("a\0b")).isNull();
        assertThat(findings.report())
                .isEqualTo(
                        """
                        none.json  cannot be read: there is none
                        conf  is a directory
                            mend: write -C conf
                        a\0b  "a\\u0000b" is not a path\
                        """);
    }

    @Test
    void writesTheMergedFilesWithTheirReferences() throws IOException {
        write("a.json", "{\"log\": {\"output\": \"${env:LOG}\"}, \"n\": [0x10]}");
        Files.writeString(
                directory.resolve("a.yaml"), "log: {output: '${env:LOG}'}\nn: [0x10, +5, .5]\n");
        String merged =
                Configurations.merged(
                        new LoadRequest(List.of("a.yaml"), List.of(), List.of(), directory));
        assertThat(merged)
                .isEqualTo(
                        """
                        {
                          "log": {
                            "output": "${env:LOG}"
                          },
                          "n": [
                            16,
                            5,
                            0.5
                          ]
                        }
                        """);
        assertThatThrownBy(() ->
                        Configurations.merged(
                                new LoadRequest(
                                        List.of("a.json"), List.of(), List.of(), directory)))
                .isInstanceOf(ConfigFault.class);
    }

    private List<String> names(List<String> files, List<String> directories) {
        return new ConfigFiles(surroundings, findings)
                .names(new LoadRequest(files, directories, List.of(), directory));
    }

    private void write(String name) throws IOException {
        write(name, "{}");
    }

    private void write(String name, String text) throws IOException {
        Path path = directory.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /// Merges texts that stand in files named by their index.
    private String merged(String... texts) {
        ConfigNode root = null;
        for (int i = 0; i < texts.length; i++) {
            ConfigNode node = JsonReader.read(new SourceText(i + ".json", texts[i]));
            root = root == null ? node : new Merge(findings).merge(root, node, "");
        }
        return NodeWriter.toJson(root)
                .replaceAll("\\n *", " ")
                .replaceAll("([\\[{]) ", "$1")
                .replaceAll(" ([\\]}])", "$1")
                .strip();
    }
}
