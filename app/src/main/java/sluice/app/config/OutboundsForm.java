package sluice.app.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Beside;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Findings;
import sluice.base.config.Form;
import sluice.base.config.Paths;
import sluice.base.config.Schema;
import sluice.base.config.Shape;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Protocol;

/// The list of outbounds: `type` chooses the protocol, whose keys stand beside those that all
/// outbounds have.
final class OutboundsForm implements Form<OutboundsForm.Read> {

    /// What was read.
    ///
    /// @param outbounds in the order written
    /// @param dnsTags tags of outbounds of the old type `dns`, which are no outbounds here
    record Read(List<OutboundSettings> outbounds, Set<String> dnsTags) {}

    /// What other programs call the keys of an outbound.
    private static final Map<String, String> MEANT =
            Map.of(
                    "address", "server",
                    "host", "server",
                    "port", "server_port",
                    "interface", "bind_interface",
                    "mark", "routing_mark",
                    "cipher", "method",
                    "user", "username");

    private static final List<String> LISTED = KnownTypes.listed(DialFields.SHAPE);

    private final Map<String, Shape<? extends Outbound>> shapes = new LinkedHashMap<>();
    private final KnownTypes types;

    OutboundsForm(List<Protocol> protocols) {
        for (Protocol protocol : protocols) {
            Shape<? extends Outbound> shape = protocol.outbound();
            if (shape != null) {
                shapes.put(protocol.type(), shape);
            }
        }
        types = KnownTypes.ofOutbounds(List.copyOf(shapes.keySet()));
    }

    @Override
    public @Nullable Read read(ConfigNode node, String path, Findings findings) {
        List<OutboundSettings> outbounds = new ArrayList<>();
        Set<String> dnsTags = new HashSet<>();
        List<ConfigNode> elements = KnownTypes.elements(node);
        for (int i = 0; i < elements.size(); i++) {
            String at = Paths.at(path, i);
            if (elements.get(i) instanceof Mapping element) {
                String tag = KnownTypes.tagOf(element, i, at, findings);
                if ("dns".equals(element.text("type"))) {
                    dnsTags.add(tag);
                    warnOfType(
                            element,
                            at,
                            "is not supported yet; passed over",
                            "remove this outbound, and the rules that name it",
                            findings);
                    continue;
                }
                OutboundSettings outbound = readOne(element, tag, at, findings);
                if (outbound != null) {
                    outbounds.add(outbound);
                }
            } else {
                findings.error(
                        elements.get(i).place(),
                        at,
                        elements.get(i).describe() + " where an object is expected",
                        null);
            }
        }
        return new Read(outbounds, dnsTags);
    }

    private @Nullable OutboundSettings readOne(
            Mapping node, String tag, String path, Findings findings) {
        String type = types.typeOf(node, path, findings);
        Shape<? extends Outbound> shape = type == null ? null : shapes.get(type);
        if (type == null || shape == null) {
            return null;
        }
        if (type.equals("block")) {
            warnOfType(
                    node,
                    path,
                    "is an old spelling of a rule's action",
                    "write {\"action\": \"reject\"} in route.rules instead of naming this outbound",
                    findings);
        }
        Set<String> dialNames = DialFields.SHAPE.names();
        Set<String> others = new HashSet<>(dialNames);
        others.addAll(KnownTypes.NAMES);
        DialFields dial = DialFields.SHAPE.read(node.only(dialNames::contains), path, findings);
        Outbound outbound =
                shape.read(
                        node.only(name -> !others.contains(name) || shape.names().contains(name)),
                        path,
                        findings,
                        new Beside(others, LISTED, MEANT));
        return dial == null || outbound == null
                ? null
                : new OutboundSettings(
                        tag, type, dial, outbound, PluginSettings.ofOutbound(outbound), node, path);
    }

    private static void warnOfType(
            Mapping node, String path, String reason, String mend, Findings findings) {
        ConfigNode type = node.value("type");
        findings.warn(
                type == null ? node.place() : type.place(), Paths.join(path, "type"), reason, mend);
    }

    @Override
    public Map<String, Object> schema(Schema schema) {
        List<Object> variants = new ArrayList<>();
        shapes.forEach((type, shape) ->
                variants.add(
                        schema.reference(
                                shape, type + " outbound", () -> variant(schema, type, shape))));
        variants.add(
                Schema.map(
                        "type",
                        "object",
                        "properties",
                        Schema.map(
                                "type",
                                Schema.map("const", "dns"),
                                "tag",
                                Map.of("type", "string")),
                        "required",
                        List.of("type"),
                        "deprecated",
                        true));
        Map<String, Object> one = Schema.map("anyOf", variants);
        return Schema.anyOf(Schema.map("type", "array", "items", one), one);
    }

    private static Map<String, Object> variant(Schema schema, String type, Shape<?> shape) {
        return KnownTypes.schema(schema, type + " outbound", type, DialFields.SHAPE, shape);
    }
}
