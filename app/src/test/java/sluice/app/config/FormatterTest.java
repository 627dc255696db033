package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.base.config.Findings;
import sluice.base.fault.ConfigFault;
import sluice.testkit.Seeds;

final class FormatterTest {

    private static final String UNTIDY_JSON =
            """

            // the head
            { // behind the bracket
              "a" : /* between */ 1 , // behind a


              // above b
              "b": [1,2 ,3,], /* x */ "c": {"d": [ {"e":1}, // behind the object
               ],
               // the last line of c
               },
               "none": {}, "nothing": [ /* inside */ ],
               "long": ["aaaaaaaaaaaaaaaaaaaaaaaa","aaaaaaaaaaaaaaaaaaaaaaaaaaaaa","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","b"]
               # the last line
            } // behind the end

            // the tail

            """;

    private static final String TIDY_JSON =
            """
            // the head
            {
              // behind the bracket
              /* between */
              "a": 1, // behind a

              // above b
              "b": [1, 2, 3], /* x */
              "c": {
                "d": [
                  {
                    "e": 1
                  } // behind the object
                ]
                // the last line of c
              },
              "none": {},
              "nothing": [
                /* inside */
              ],
              "long": [
                "aaaaaaaaaaaaaaaaaaaaaaaa",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "b"
              ]
              # the last line
            } // behind the end

            // the tail
            """;

    @Test
    void laysJsonOutAnewAndKeepsItsComments() {
        assertThat(format("a.json", UNTIDY_JSON)).isEqualTo(TIDY_JSON);
    }

    @Test
    void whatIsLaidOutStaysAsItIs() {
        assertThat(format("a.json", TIDY_JSON)).isEqualTo(TIDY_JSON);
    }

    @Test
    void laysYamlOutAnewAndKeepsItsComments() {
        String untidy =
                """
                # the head
                log:   {level: info}   # behind

                inbounds:
                - type: mixed     # its type
                  tag:  "in"
                  users:
                     - {username: a,   password: 'b'}
                """;
        String tidy =
                """
                # the head
                log: {level: info} # behind

                inbounds:
                  - type: mixed # its type
                    tag: "in"
                    users:
                      - {username: a, password: 'b'}
                """;
        assertThat(format("a.yaml", untidy)).isEqualTo(tidy);
        assertThat(format("a.yaml", tidy)).isEqualTo(tidy);
    }

    @Test
    void textThatSpansLinesKeepsItsBlanks() {
        String yaml = "a: |\n  one  \n\n  two\nb: x\n";
        assertThat(read("a.yaml", format("a.yaml", yaml)).sameAs(read("a.yaml", yaml))).isTrue();
    }

    @Test
    void whatDoesNotParseIsRefused() {
        assertThatThrownBy(() -> format("a.json", "{"))
                .isInstanceOf(ConfigFault.class)
                .hasMessageStartingWith("a.json:1:2");
    }

    static Stream<String> samples() {
        return Samples.in("good");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void meansTheSameAndIsStable(String name) {
        SourceText source =
                new ConfigFiles(
                                Samples.surroundings(
                                        sluice.app.Golden.resources().resolve("good"), ""),
                                new Findings())
                        .text(name);
        String once = format(name, source.text());
        assertThat(format(name, once)).isEqualTo(once);
        assertThat(read(name, once).sameAs(read(name, source.text()))).isTrue();
    }

    @ParameterizedTest
    @Seeds(300)
    void anyJsonKeepsItsMeaningAndItsComments(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        write(text, random, 0);
        String once = format("a.json", text.toString());
        assertThat(read("a.json", once).sameAs(read("a.json", text.toString()))).isTrue();
        assertThat(format("a.json", once)).describedAs(text.toString()).isEqualTo(once);
        assertThat(comments(once)).isEqualTo(comments(text.toString()));
    }

    private int next;

    private void write(StringBuilder text, SplittableRandom random, int depth) {
        comment(text, random);
        if (depth > 3 || random.nextInt(3) == 0) {
            text.append(random.nextInt(100));
        } else {
            boolean list = random.nextBoolean();
            text.append(list ? '[' : '{');
            int count = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                comment(text, random);
                if (!list) {
                    text.append("\"k").append(i).append('"');
                    comment(text, random);
                    text.append(':');
                }
                write(text, random, depth + 1);
                text.append(i < count - 1 || random.nextBoolean() ? "," : "");
            }
            comment(text, random);
            text.append(list ? ']' : '}');
        }
        comment(text, random);
    }

    private void comment(StringBuilder text, SplittableRandom random) {
        switch (random.nextInt(8)) {
            case 0 -> text.append(" // c").append(next++).append('\n');
            case 1 -> text.append("\n\n# c").append(next++).append('\n');
            case 2 -> text.append("/* c").append(next++).append(" */");
            case 3 -> text.append("\n/* c").append(next++).append("\n  more */\n");
            case 4 -> text.append("\n\n\n");
            default -> text.append(' ');
        }
    }

    /// The numbers of the comments, sorted: none may be lost or doubled.
    private static List<Integer> comments(String text) {
        return Pattern.compile("(//|#|/\\*) c([0-9]+)")
                .matcher(text)
                .results()
                .map(found -> Integer.valueOf(found.group(2)))
                .sorted()
                .toList();
    }

    private static String format(String name, String text) {
        return Configurations.formatted(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static sluice.base.config.ConfigNode read(String name, String text) {
        SourceText source = new SourceText(name, text);
        return ConfigFiles.isYaml(source) ? YamlReader.read(source) : JsonReader.read(source);
    }
}
