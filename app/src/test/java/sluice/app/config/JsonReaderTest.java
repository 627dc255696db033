package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Place;
import sluice.testkit.Seeds;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/// The reader of JSON, and an independent one that judges it.
final class JsonReaderTest {

    private static final JsonFactory JUDGE =
            JsonFactory.builder()
                    .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
                    .enable(JsonReadFeature.ALLOW_YAML_COMMENTS)
                    .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
                    .build();

    @Test
    void knowsThePlaceOfEveryKeyAndValue() {
        Mapping root =
                (Mapping)
                        read(
                                """
                                // a comment, then a key behind a character of two units
                                {"😀": 1, "b": [
                                    true, /* and
                                  lines */ {"c": null,},
                                  ],
                                }
                                """);
        assertThat(root.place()).isEqualTo(at(2, 1));
        Mapping.Entry first = root.entry("😀");
        assertThat(first.keyPlace()).isEqualTo(at(2, 2));
        assertThat(first.value().place()).isEqualTo(at(2, 7));
        Mapping.Entry second = root.entry("b");
        assertThat(second.keyPlace()).isEqualTo(at(2, 10));
        Items list = (Items) second.value();
        assertThat(list.place()).isEqualTo(at(2, 15));
        assertThat(list.values())
                .extracting(ConfigNode::place)
                .containsExactly(at(3, 5), at(4, 12));
        assertThat(((Mapping) list.values().get(1)).entry("c").keyPlace()).isEqualTo(at(4, 13));
    }

    @Test
    void readsEscapes() {
        assertThat(text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\""))
                .isEqualTo("\"\\/\b\f\n\r\té😀");
    }

    @Test
    void keepsNumbersAsTheyAreWritten() {
        Items items = (Items) read("[0, -0, 12, -1.50, 1e3, 1.5E-7]");
        assertThat(items.values())
                .extracting(value -> ((Scalar) value).text())
                .containsExactly("0", "-0", "12", "-1.50", "1e3", "1.5E-7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[",
                "[1",
                "[1 2]",
                "[,]",
                "{,}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1 \"b\":2}",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "+1",
                "1x",
                "tru",
                "nulll",
                "\"",
                "\"a\nb\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "{} {}",
                "[1]]",
                "/* ",
                "/",
                "'a'",
                "{a: 1}",
                "\u00a0{}",
                "NaN",
                "[1,,2]",
                "\"\u0001\""
            })
    void refusesWhatTheJudgeRefuses(String text) {
        assertThat(judgeAccepts(text)).isFalse();
        assertThatThrownBy(() -> read(text)).isInstanceOf(SyntaxFault.class);
    }

    @ParameterizedTest
    @Seeds(300)
    void agreesWithTheJudgeOnTreesAndPlaces(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        // The judge wants a blank behind a scalar that stands alone.
        StringBuilder text = new StringBuilder("[");
        writeRandom(text, random, 0);
        text.append(']');
        List<String> ours = new ArrayList<>();
        collect(read(text.toString()), ours);
        assertThat(ours).isEqualTo(judged(text.toString()));
    }

    @ParameterizedTest
    @Seeds(500)
    void endsInASyntaxFaultAndNothingElse(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        writeRandom(text, random, 0);
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(3)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, (char) random.nextInt(0x100));
                default -> text.setCharAt(at, "{}[],:\"\\/*#'0-e".charAt(random.nextInt(15)));
            }
            if (text.isEmpty()) {
                text.append(' ');
            }
        }
        try {
            read(text.toString());
        } catch (SyntaxFault fault) {
            assertThat(fault.place().line()).isPositive();
            assertThat(fault.place().column()).isPositive();
        } catch (RuntimeException other) {
            fail("%s on %s", other, text);
        }
    }

    /// Each value with its place, and each key with its own, in the order of the text.
    private static void collect(ConfigNode node, List<String> into) {
        switch (node) {
            case Scalar scalar ->
                    into.add(
                            scalar.place().line()
                                    + ":"
                                    + scalar.place().column()
                                    + " "
                                    + (scalar.type() == Scalar.Type.NULL ? "null" : scalar.text()));
            case Items items -> {
                into.add(items.place().line() + ":" + items.place().column() + " [");
                items.values().forEach(value -> collect(value, into));
                into.add("]");
            }
            case Mapping mapping -> {
                into.add(mapping.place().line() + ":" + mapping.place().column() + " {");
                for (Mapping.Entry entry : mapping.entries()) {
                    into.add(
                            entry.keyPlace().line()
                                    + ":"
                                    + entry.keyPlace().column()
                                    + " key "
                                    + entry.key());
                    collect(entry.value(), into);
                }
                into.add("}");
            }
        }
    }

    private static List<String> judged(String text) {
        List<String> all = new ArrayList<>();
        try (JsonParser parser = JUDGE.createParser(ObjectReadContext.empty(), text)) {
            while (parser.nextToken() != null) {
                String place =
                        parser.currentTokenLocation().getLineNr()
                                + ":"
                                + parser.currentTokenLocation().getColumnNr()
                                + " ";
                switch (parser.currentToken()) {
                    case START_OBJECT -> all.add(place + "{");
                    case START_ARRAY -> all.add(place + "[");
                    case END_OBJECT -> all.add("}");
                    case END_ARRAY -> all.add("]");
                    case PROPERTY_NAME -> all.add(place + "key " + parser.getString());
                    default -> all.add(place + parser.getString());
                }
            }
        }
        return all;
    }

    private static boolean judgeAccepts(String text) {
        try (JsonParser parser = JUDGE.createParser(ObjectReadContext.empty(), text)) {
            int depth = 0;
            int roots = 0;
            while (parser.nextToken() != null) {
                roots += depth == 0 && !parser.currentToken().isStructEnd() ? 1 : 0;
                depth +=
                        parser.currentToken().isStructStart()
                                ? 1
                                : parser.currentToken().isStructEnd() ? -1 : 0;
            }
            return roots == 1;
        } catch (JacksonException _) {
            return false;
        }
    }

    private static void writeRandom(StringBuilder text, SplittableRandom random, int depth) {
        blank(text, random);
        switch (random.nextInt(depth > 4 ? 5 : 7)) {
            case 0 -> text.append("true");
            case 1 -> text.append("null");
            case 2 -> text.append(random.nextInt(-1000, 100_000));
            case 3 -> text.append(random.nextDouble());
            case 4 -> writeText(text, random);
            case 5 -> {
                text.append('[');
                int count = random.nextInt(4);
                for (int i = 0; i < count; i++) {
                    writeRandom(text, random, depth + 1);
                    text.append(i < count - 1 || random.nextInt(3) == 0 ? "," : "");
                }
                blank(text, random);
                text.append(']');
            }
            default -> {
                text.append('{');
                int count = random.nextInt(4);
                for (int i = 0; i < count; i++) {
                    blank(text, random);
                    text.append("\"k").append(i).append('"');
                    blank(text, random);
                    text.append(':');
                    writeRandom(text, random, depth + 1);
                    text.append(i < count - 1 || random.nextInt(3) == 0 ? "," : "");
                }
                blank(text, random);
                text.append('}');
            }
        }
        blank(text, random);
    }

    private static void writeText(StringBuilder text, SplittableRandom random) {
        text.append('"');
        for (int i = random.nextInt(12); i > 0; i--) {
            String[] pieces = {"a", "\\n", "\\\"", "é", "\\u0041", " ", "//", "{", ",", "\\\\"};
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        text.append('"');
    }

    private static void blank(StringBuilder text, SplittableRandom random) {
        String[] blanks = {
            "", "", " ", "\n", "\n  ", "/* x */", "// y\n", "# z\n", "/*\n*/ ", "\t"
        };
        text.append(blanks[random.nextInt(blanks.length)]);
    }

    private static ConfigNode read(String text) {
        return JsonReader.read(new SourceText("t.json", text));
    }

    private static String text(String json) {
        return ((Scalar) read(json)).text();
    }

    private static Place at(int line, int column) {
        return new Place("t.json", line, column);
    }
}
