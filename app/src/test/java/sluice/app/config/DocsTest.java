package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.app.Golden;
import sluice.base.config.Findings;
import sluice.base.config.Key;
import sluice.base.config.Shape;
import sluice.protocol.ProtocolCatalog;
import sluice.protocol.spi.Protocol;

/// The manual says what is true: its examples are configurations, its links lead somewhere, and it
/// has every key.
final class DocsTest {

    /// A fenced block: how it is marked, and its text.
    record Block(String page, String mark, String text) {
        @Override
        public String toString() {
            return page + ": " + text.lines().limit(3).toList();
        }
    }

    private static final Pattern FENCE = Pattern.compile("(?ms)^```([a-z ]*)\\n(.*?)^```$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");

    static Stream<Block> complete() {
        return blocks().filter(block -> block.mark().endsWith(" sluice"));
    }

    static Stream<Block> others() {
        return blocks().filter(block -> List.of("json", "jsonc", "yaml").contains(block.mark()));
    }

    @ParameterizedTest
    @MethodSource("complete")
    void completeExamplesAreAccepted(Block block) {
        Configurations.Reading reading = Samples.readText(block.text());
        assertThat(reading.configuration()).describedAs(reading.findings().report()).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherExamplesParse(Block block) {
        Findings findings = new Findings();
        String name = block.mark().equals("yaml") ? "block.yaml" : "block.json";
        new ConfigFiles(Samples.surroundings(Path.of(""), ""), findings)
                .parse(new SourceText(name, block.text()));
        assertThat(findings.report()).isEmpty();
    }

    static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(Golden.root().resolve("examples"))) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void theExamplesAreAccepted(Path file) {
        Configurations.Reading reading =
                Configurations.inspect(LoadRequest.ofFiles(file.toString()));
        assertThat(reading.findings().report()).isEmpty();
    }

    @Test
    void theManualHasExamples() {
        assertThat(complete().count()).isGreaterThan(15);
    }

    @Test
    void linksLeadToFiles() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
                String target = link.group(1);
                if (!target.contains("://")
                        && !Files.exists(page.resolveSibling(target))
                        && !isWrittenElsewhere(target)) {
                    broken.add(page.getFileName() + " -> " + target);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyKeyIsInTheManual() throws IOException {
        StringBuilder manual = new StringBuilder();
        for (Path page : pages()) {
            manual.append(Files.readString(page));
        }
        List<String> missing = new ArrayList<>();
        List<Shape<?>> shapes =
                new ArrayList<>(
                        List.of(
                                ListenFields.SHAPE,
                                ListenFields.ProxyProtocol.SHAPE,
                                DialFields.SHAPE,
                                LogSettings.SHAPE,
                                ProcessSettings.SHAPE,
                                PluginSettings.INBOUND,
                                sluice.policy.route.RouteOptions.SHAPE,
                                sluice.policy.route.RuleOptions.SHAPE));
        for (Protocol protocol : ProtocolCatalog.all()) {
            if (protocol.inbound() != null) {
                shapes.add(protocol.inbound());
            }
            if (protocol.outbound() != null) {
                shapes.add(protocol.outbound());
            }
        }
        for (Shape<?> shape : shapes) {
            for (Key<?> key : shape.keys()) {
                boolean isHere = !key.sentence().equals("Not supported yet.");
                boolean isTold =
                        manual.indexOf("`" + key.name()) >= 0
                                || manual.indexOf("." + key.name() + "`") >= 0;
                if (isHere && !isTold) {
                    missing.add(shape.title() + ": " + key.name());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /// Pages that measurements and interop runs write.
    private static boolean isWrittenElsewhere(String target) {
        return target.endsWith("performance.md") || target.endsWith("interop.md");
    }

    private static Stream<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (Path page : pages()) {
            try {
                String name = page.getFileName().toString();
                FENCE.matcher(Files.readString(page))
                        .results()
                        .forEach(found ->
                                blocks.add(
                                        new Block(name, found.group(1).strip(), found.group(2))));
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        }
        return blocks.stream();
    }

    private static List<Path> pages() {
        try (Stream<Path> docs = Files.walk(Golden.root().resolve("docs"))) {
            return Stream.concat(
                            Stream.of(Golden.root().resolve("README.md")),
                            docs.filter(path -> path.toString().endsWith(".md")).sorted())
                    .toList();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
