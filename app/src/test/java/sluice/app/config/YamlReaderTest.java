package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Place;
import sluice.base.config.Schema;
import sluice.testkit.Seeds;

final class YamlReaderTest {

    @ParameterizedTest
    @CsvSource({
        "no, TEXT",
        "yes, TEXT",
        "on, TEXT",
        "y, TEXT",
        "true, FLAG",
        "False, FLAG",
        "~, NULL",
        "null, NULL",
        "0123, NUMBER",
        "0o17, NUMBER",
        "0x1F, NUMBER",
        "-5, NUMBER",
        "+5, NUMBER",
        "1.5, NUMBER",
        "1e3, NUMBER",
        ".5, NUMBER",
        "1_000, TEXT",
        "12:30, TEXT",
        "0b11, TEXT",
        "1.2.3.4, TEXT",
        "127.0.0.1, TEXT",
        "'\"5\"', TEXT",
        "'''5''', TEXT",
        "5m, TEXT",
        "2026-01-01, TEXT",
        ".inf, TEXT",
        "0x, TEXT"
    })
    void followsTheCoreSchemaOfYaml12(String written, Scalar.Type type) {
        Mapping root = (Mapping) read("key: " + written + "\n");
        assertThat(((Scalar) root.value("key")).type()).isEqualTo(type);
    }

    @Test
    void knowsThePlaceOfEveryKeyAndValue() {
        Mapping root =
                (Mapping)
                        read(
                                """
                                # comment
                                log: {level: info}
                                inbounds:
                                  - type: mixed
                                    users:
                                      - "a"
                                """);
        assertThat(root.place()).isEqualTo(at(2, 1));
        Mapping log = (Mapping) root.value("log");
        assertThat(log.place()).isEqualTo(at(2, 6));
        assertThat(log.entry("level").keyPlace()).isEqualTo(at(2, 7));
        assertThat(log.value("level").place()).isEqualTo(at(2, 14));
        Mapping inbound = (Mapping) ((Items) root.value("inbounds")).values().getFirst();
        assertThat(inbound.place()).isEqualTo(at(4, 5));
        Items users = (Items) inbound.value("users");
        assertThat(users.values().getFirst().place()).isEqualTo(at(6, 9));
    }

    @Test
    void anAliasStandsForItsAnchor() {
        Mapping root = (Mapping) read("a: &x {b: 1}\nc: *x\n");
        assertThat(root.value("c").sameAs(root.value("a"))).isTrue();
        assertThat(root.value("c").place()).isEqualTo(at(1, 4));
    }

    @Test
    void aTagDecidesWhatAScalarIs() {
        Mapping root = (Mapping) read("a: !!str 5\nb: !!int \"5\"\n");
        assertThat(((Scalar) root.value("a")).type()).isEqualTo(Scalar.Type.TEXT);
        assertThat(((Scalar) root.value("b")).type()).isEqualTo(Scalar.Type.NUMBER);
    }

    @Test
    void jsonIsYaml() {
        String json = Configurations.BUILT_IN;
        assertThat(read(json).sameAs(JsonReader.read(new SourceText("t.json", json)))).isTrue();
    }

    @ParameterizedTest
    @Seeds(200)
    void yamlAndJsonBecomeTheSameTree(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Object value = Map.of("root", random(random, 0));
        DumpSettings settings =
                DumpSettings.builder()
                        .setSchema(new CoreSchema())
                        .setDefaultFlowStyle(
                                random.nextBoolean() ? FlowStyle.BLOCK : FlowStyle.FLOW)
                        .build();
        String yaml = new Dump(settings).dumpToString(value);
        String json = Schema.toJson(value);
        assertThat(read(yaml).sameAs(JsonReader.read(new SourceText("t.json", json))))
                .describedAs("%s%n%s", yaml, json)
                .isTrue();
    }

    @ParameterizedTest
    @Seeds(500)
    void endsInASyntaxFaultAndNothingElse(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        String[] pieces = {
            "a", ": ", "- ", "\n", "  ", "\t", "{", "}", "[", "]", ",", "&x ", "*x ", "!t ", "|",
            ">", "'", "\"", "#", "? ", "---\n", "...\n", "%", "@", "`", "\u200b", "\ufeff", "\\",
            "0", "<<: ", "\u0001", "😀"
        };
        for (int i = 1 + random.nextInt(40); i > 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        try {
            read(text.toString());
        } catch (SyntaxFault fault) {
            assertThat(fault.place().line()).isPositive();
        } catch (RuntimeException other) {
            fail("%s on %s", other, text);
        }
    }

    private static Object random(SplittableRandom random, int depth) {
        switch (random.nextInt(depth > 3 ? 5 : 7)) {
            case 0 -> {
                return random.nextBoolean();
            }
            case 1 -> {
                return random.nextInt(-100, 100_000);
            }
            case 2, 3, 4 -> {
                String[] texts = {
                    "",
                    "no",
                    "true",
                    "null",
                    "~",
                    "5",
                    "1e3",
                    "0x1f",
                    "a: b",
                    "- a",
                    "#c",
                    "é😀",
                    "two\nlines\n",
                    " blank ",
                    "${env:X}",
                    "'",
                    "\"",
                    "a\\b",
                    "%",
                    "@",
                    "*x",
                    "&x",
                    "!t",
                    "?",
                    "|",
                    ">",
                    "1.2.3.4"
                };
                return texts[random.nextInt(texts.length)];
            }
            case 5 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(random(random, depth + 1));
                }
                return list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put("key " + i, random(random, depth + 1));
                }
                return map;
            }
        }
    }

    private static ConfigNode read(String text) {
        return YamlReader.read(new SourceText("t.yaml", text));
    }

    private static Place at(int line, int column) {
        return new Place("t.yaml", line, column);
    }
}
