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
import sluice.policy.route.RuleOptions;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.Protocol;

/// The list of inbounds: `type` chooses the protocol, whose keys stand beside those that all
/// inbounds have.
final class InboundsForm implements Form<InboundsForm.Read> {

    /// What was read.
    ///
    /// @param inbounds in the order written
    /// @param oldRules rules that old spellings at inbounds stand for
    record Read(List<InboundSettings> inbounds, List<RuleOptions> oldRules) {}

    /// What other programs call the keys of an inbound.
    private static final Map<String, String> MEANT =
            Map.of(
                    "address", "listen",
                    "host", "listen",
                    "server", "listen",
                    "port", "listen_port",
                    "server_port", "listen_port",
                    "ports", "listen_ports",
                    "interface", "bind_interface",
                    "mark", "routing_mark",
                    "cipher", "method");

    private static final List<String> LISTED = KnownTypes.listed(ListenFields.SHAPE);

    private final Map<String, Shape<? extends Inbound>> shapes = new LinkedHashMap<>();
    private final KnownTypes types;

    InboundsForm(List<Protocol> protocols) {
        for (Protocol protocol : protocols) {
            Shape<? extends Inbound> shape = protocol.inbound();
            if (shape != null) {
                shapes.put(protocol.type(), shape);
            }
        }
        types = KnownTypes.ofInbounds(List.copyOf(shapes.keySet()));
    }

    @Override
    public @Nullable Read read(ConfigNode node, String path, Findings findings) {
        List<InboundSettings> inbounds = new ArrayList<>();
        List<RuleOptions> oldRules = new ArrayList<>();
        List<ConfigNode> elements = KnownTypes.elements(node);
        for (int i = 0; i < elements.size(); i++) {
            String at = Paths.at(path, i);
            if (elements.get(i) instanceof Mapping element) {
                String tag = KnownTypes.tagOf(element, i, at, findings);
                oldRules.addAll(LegacyInbound.rules(element, tag, at, findings));
                InboundSettings inbound = readOne(element, tag, at, findings);
                if (inbound != null) {
                    inbounds.add(inbound);
                }
            } else {
                findings.error(
                        elements.get(i).place(),
                        at,
                        elements.get(i).describe() + " where an object is expected",
                        null);
            }
        }
        return new Read(inbounds, oldRules);
    }

    private @Nullable InboundSettings readOne(
            Mapping node, String tag, String path, Findings findings) {
        String type = types.typeOf(node, path, findings);
        Shape<? extends Inbound> shape = type == null ? null : shapes.get(type);
        if (type == null || shape == null) {
            return null;
        }
        Set<String> listenNames = ListenFields.SHAPE.names();
        Set<String> others = new HashSet<>(listenNames);
        others.addAll(KnownTypes.NAMES);
        others.addAll(LegacyInbound.SHAPE.names());
        PluginSettings plugin = null;
        if (PluginSettings.belongsTo(type)) {
            others.addAll(PluginSettings.INBOUND.names());
            plugin = PluginSettings.ofInbound(node, path, findings);
        }
        Mapping listenNode = node.only(listenNames::contains);
        Mapping protocolNode =
                node.only(name -> !others.contains(name) || shape.names().contains(name));
        ListenFields listen = ListenFields.SHAPE.read(listenNode, path, findings);
        Inbound inbound =
                shape.read(protocolNode, path, findings, new Beside(others, LISTED, MEANT));
        return listen == null || inbound == null
                ? null
                : new InboundSettings(
                        tag,
                        type,
                        listen,
                        inbound,
                        plugin,
                        node.value("plugin"),
                        listenNode,
                        protocolNode,
                        path);
    }

    @Override
    public Map<String, Object> schema(Schema schema) {
        List<Object> variants = new ArrayList<>();
        shapes.forEach((type, shape) ->
                variants.add(
                        schema.reference(
                                shape, type + " inbound", () -> variant(schema, type, shape))));
        Map<String, Object> one = Schema.map("anyOf", variants);
        return Schema.anyOf(Schema.map("type", "array", "items", one), one);
    }

    private static Map<String, Object> variant(Schema schema, String type, Shape<?> shape) {
        String title = type + " inbound";
        return PluginSettings.belongsTo(type)
                ? KnownTypes.schema(
                        schema,
                        title,
                        type,
                        ListenFields.SHAPE,
                        shape,
                        PluginSettings.INBOUND,
                        LegacyInbound.SHAPE)
                : KnownTypes.schema(
                        schema, title, type, ListenFields.SHAPE, shape, LegacyInbound.SHAPE);
    }
}
