package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Key;
import sluice.base.config.Schema;
import sluice.base.config.Shape;
import sluice.protocol.ProtocolCatalog;
import sluice.protocol.spi.Protocol;

/// What the schema allows is what the reader takes.
@SuppressWarnings("unchecked")
final class SchemaMatchesReaderTest {

    private static final Map<String, Object> SCHEMA =
            Schema.of(RootShape.of(ProtocolCatalog.all()));

    static Stream<String> good() {
        return Samples.in("good");
    }

    static Stream<String> protocols() {
        return ProtocolCatalog.all().stream().map(Protocol::type);
    }

    @ParameterizedTest
    @MethodSource("good")
    void allowsWhatTheReaderTakes(String name) {
        ConfigNode node =
                new ConfigFiles(
                                Samples.surroundings(
                                        sluice.app.Golden.resources().resolve("good"), ""),
                                new Findings())
                        .read(name);
        assertThat(complaints(SCHEMA, node, "")).isEmpty();
    }

    @Test
    void forbidsWhatTheReaderDoesNotKnow() {
        assertThat(complaintsOf("{\"outbound\": []}")).isNotEmpty();
        assertThat(complaintsOf("{\"log\": {\"levl\": \"info\"}}")).isNotEmpty();
        assertThat(complaintsOf("{\"inbounds\": [{\"type\": \"mixd\", \"listen_port\": 1}]}"))
                .isNotEmpty();
        assertThat(complaintsOf("{\"inbounds\": [{\"type\": \"mixed\", \"listen_prt\": 1}]}"))
                .isNotEmpty();
        assertThat(complaintsOf("{\"route\": {\"rules\": [{\"port\": \"x\"}]}}")).isNotEmpty();
        assertThat(complaintsOf("{\"sluice\": {\"drain\": \"soon\"}}")).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void hasEveryKeyOfEveryProtocol(String type) {
        Protocol protocol =
                ProtocolCatalog.all().stream()
                        .filter(each -> each.type().equals(type))
                        .findFirst()
                        .orElseThrow();
        if (protocol.inbound() != null) {
            assertThat(propertiesOf(type + "-inbound"))
                    .containsAll(namesOf(protocol.inbound()))
                    .containsAll(ListenFields.SHAPE.names())
                    .contains("type", "tag", "sniff");
        }
        if (protocol.outbound() != null) {
            assertThat(propertiesOf(type + "-outbound"))
                    .containsAll(namesOf(protocol.outbound()))
                    .containsAll(DialFields.SHAPE.names())
                    .contains("type", "tag");
        }
    }

    @Test
    void everyKeySaysWhatItIsFor() {
        List<String> silent = new ArrayList<>();
        RootShape.of(ProtocolCatalog.all()).keys().forEach(key -> addIfSilent("", key, silent));
        Stream.of(ListenFields.SHAPE, DialFields.SHAPE, LogSettings.SHAPE, ProcessSettings.SHAPE)
                .forEach(shape ->
                        shape.keys().forEach(key -> addIfSilent(shape.title(), key, silent)));
        for (Protocol protocol : ProtocolCatalog.all()) {
            for (Shape<?> shape :
                    Stream.of(protocol.inbound(), protocol.outbound())
                            .filter(each -> each != null)
                            .toList()) {
                shape.keys().forEach(key -> addIfSilent(shape.title(), key, silent));
            }
        }
        assertThat(silent).isEmpty();
    }

    private static void addIfSilent(String where, Key<?> key, List<String> silent) {
        if (key.sentence().isEmpty()) {
            silent.add(where + "." + key.name());
        }
    }

    private static List<String> namesOf(Shape<?> shape) {
        return List.copyOf(shape.names());
    }

    private static Iterable<String> propertiesOf(String definition) {
        Map<String, Object> all = (Map<String, Object>) SCHEMA.get("$defs");
        Map<String, Object> body = (Map<String, Object>) all.get(definition);
        assertThat(body).describedAs("%s of %s", definition, all.keySet()).isNotNull();
        return ((Map<String, Object>) body.get("properties")).keySet();
    }

    private static List<String> complaintsOf(String json) {
        return complaints(SCHEMA, JsonReader.read(new SourceText("t.json", json)), "");
    }

    /// A small validator for the keywords that the schema uses; an unknown one fails.
    private static List<String> complaints(
            Map<String, Object> schema, ConfigNode node, String path) {
        List<String> found = new ArrayList<>();
        schema.forEach((keyword, value) -> check(schema, keyword, value, node, path, found));
        return found;
    }

    private static void check(
            Map<String, Object> schema,
            String keyword,
            Object value,
            ConfigNode node,
            String path,
            List<String> found) {
        boolean holds =
                switch (keyword) {
                    case "$schema", "$defs", "title", "description", "default", "deprecated" ->
                            true;
                    case "$ref" -> {
                        found.addAll(complaints(definition((String) value), node, path));
                        yield true;
                    }
                    case "anyOf" ->
                            ((List<Map<String, Object>>) value)
                                    .stream()
                                            .anyMatch(
                                                    each -> complaints(each, node, path).isEmpty());
                    case "type" -> hasType(node, (String) value);
                    case "const" -> node instanceof Scalar scalar && scalar.text().equals(value);
                    case "enum" ->
                            node instanceof Scalar scalar
                                    && ((List<Object>) value)
                                            .stream()
                                                    .anyMatch(each ->
                                                            each.toString().equals(scalar.text()));
                    case "pattern" ->
                            !(node instanceof Scalar scalar)
                                    || Pattern.compile((String) value)
                                            .matcher(scalar.text())
                                            .find();
                    case "minimum" -> compare(node, value) >= 0;
                    case "maximum" -> compare(node, value) <= 0;
                    case "required" ->
                            !(node instanceof Mapping mapping)
                                    || ((List<String>) value)
                                            .stream().allMatch(key -> mapping.value(key) != null);
                    case "properties" ->
                            checkProperties(
                                    (Map<String, Map<String, Object>>) value, node, path, found);
                    case "additionalProperties" -> checkOthers(schema, value, node, path, found);
                    case "items" -> checkItems((Map<String, Object>) value, node, path, found);
                    default -> throw new AssertionError("keyword " + keyword);
                };
        if (!holds) {
            found.add(path + ": " + keyword + " " + value);
        }
    }

    private static boolean checkProperties(
            Map<String, Map<String, Object>> properties,
            ConfigNode node,
            String path,
            List<String> found) {
        if (node instanceof Mapping mapping) {
            properties.forEach((key, each) -> {
                ConfigNode value = mapping.value(key);
                if (value != null && !isEmptyText(value)) {
                    found.addAll(complaints(each, value, path + "." + key));
                }
            });
        }
        return true;
    }

    private static boolean checkItems(
            Map<String, Object> schema, ConfigNode node, String path, List<String> found) {
        if (node instanceof Items items) {
            items.values().forEach(each -> found.addAll(complaints(schema, each, path + "[]")));
        }
        return true;
    }

    /// The node's number against a bound; whatever is no number is not bound.
    private static int compare(ConfigNode node, Object bound) {
        return node instanceof Scalar scalar && scalar.type() == Scalar.Type.NUMBER
                ? new BigDecimal(scalar.text()).compareTo(new BigDecimal(bound.toString()))
                : 0;
    }

    /// The reader takes empty text as absent.
    private static boolean isEmptyText(ConfigNode node) {
        return node instanceof Scalar scalar && scalar.text().isEmpty();
    }

    private static boolean checkOthers(
            Map<String, Object> schema,
            Object value,
            ConfigNode node,
            String path,
            List<String> found) {
        if (!(node instanceof Mapping mapping)) {
            return true;
        }
        Map<String, Object> known =
                (Map<String, Object>) schema.getOrDefault("properties", Map.of());
        for (Mapping.Entry entry : mapping.entries()) {
            if (known.containsKey(entry.key())) {
                continue;
            }
            if (Boolean.FALSE.equals(value)) {
                found.add(path + ": unknown " + entry.key());
            } else {
                found.addAll(
                        complaints(
                                (Map<String, Object>) value,
                                entry.value(),
                                path + "." + entry.key()));
            }
        }
        return true;
    }

    private static boolean hasType(ConfigNode node, String type) {
        return switch (type) {
            case "object" -> node instanceof Mapping;
            case "array" -> node instanceof Items;
            case "string" -> node instanceof Scalar scalar && scalar.type() == Scalar.Type.TEXT;
            case "boolean" -> node instanceof Scalar scalar && scalar.type() == Scalar.Type.FLAG;
            case "integer" ->
                    node instanceof Scalar scalar
                            && scalar.type() == Scalar.Type.NUMBER
                            && scalar.text().matches("-?[0-9]+");
            default -> throw new AssertionError("type " + type);
        };
    }

    private static Map<String, Object> definition(String reference) {
        Map<String, Object> all = (Map<String, Object>) SCHEMA.get("$defs");
        return (Map<String, Object>) all.get(reference.substring("#/$defs/".length()));
    }
}
