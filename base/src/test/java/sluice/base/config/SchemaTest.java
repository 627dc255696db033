package sluice.base.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SchemaTest {

    private static final Key<String> NAME =
            Key.of("name", Kind.NAME).required().says("What it is called.");
    private static final Key<Boolean> FAST =
            Key.of("fast", Kind.FLAG).otherwise(true).alias("quick", "write \"fast\"");
    private static final Shape<String> USER = Shape.of("a user", f -> f.get(NAME), NAME);
    private static final Key<List<String>> USERS = Key.objects("users", USER);
    private static final Key<String> OWNER = Key.object("owner", USER);
    private static final Shape<String> ROOT = Shape.of("root", _ -> "", NAME, FAST, USERS, OWNER);

    @Test
    @SuppressWarnings("unchecked")
    void describesEveryKey() {
        Map<String, Object> schema = Schema.of(ROOT);
        assertThat(schema)
                .containsEntry("title", "root")
                .containsEntry("required", List.of("name"));
        Map<String, Map<String, Object>> properties =
                (Map<String, Map<String, Object>>) schema.get("properties");
        assertThat(properties.keySet()).containsExactly("name", "fast", "quick", "users", "owner");
        assertThat(properties.get("name")).containsEntry("description", "What it is called.");
        assertThat(properties.get("fast")).containsEntry("default", true);
        assertThat(properties.get("quick")).containsEntry("deprecated", true);
        assertThat(schema).containsEntry("additionalProperties", false);
    }

    @Test
    @SuppressWarnings("unchecked")
    void aShapeThatIsUsedTwiceIsDefinedOnce() {
        Map<String, Object> schema = Schema.of(ROOT);
        assertThat((Map<String, Object>) schema.get("$defs")).containsOnlyKeys("a-user");
        Map<String, Object> properties = (Map<String, Object>) schema.get("properties");
        assertThat(properties.get("owner")).isEqualTo(Map.of("$ref", "#/$defs/a-user"));
    }

    @Test
    void shapesOfOneTitleGetNamesOfTheirOwn() {
        Key<String> one = Key.object("one", Shape.of("x", _ -> "", NAME));
        Key<String> two = Key.object("two", Shape.of("x", _ -> "", FAST));
        Map<String, Object> schema = Schema.of(Shape.of("root", _ -> "", one, two));
        assertThat(schema.get("$defs").toString()).contains("x=", "x-2=");
    }

    @Test
    void writesJson() {
        assertThat(
                        Schema.toJson(
                                Schema.map(
                                        "a", List.of(1, true, "q\"\\\n\u0001\ud800"),
                                        "b", Map.of(),
                                        "c", List.of())))
                .isEqualTo(
                        """
                        {
                          "a": [
                            1,
                            true,
                            "q\\"\\\\\\n\\u0001\\ud800"
                          ],
                          "b": {},
                          "c": []
                        }\
                        """);
    }
}
