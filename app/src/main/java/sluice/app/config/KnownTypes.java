package sluice.app.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Findings;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Nearest;
import sluice.base.config.Paths;
import sluice.base.config.Schema;
import sluice.base.config.Shape;
import sluice.base.config.Shown;

/// The types of one list of a configuration, and the two keys that every element has.
final class KnownTypes {

    /// Types of sing-box that are not here yet.
    private static final Set<String> INBOUNDS_NOT_YET =
            Set.of(
                    "vmess",
                    "trojan",
                    "naive",
                    "hysteria",
                    "shadowtls",
                    "tuic",
                    "hysteria2",
                    "vless",
                    "anytls",
                    "tun",
                    "redirect",
                    "tproxy");

    private static final Set<String> OUTBOUNDS_NOT_YET =
            Set.of(
                    "vmess",
                    "trojan",
                    "wireguard",
                    "hysteria",
                    "vless",
                    "shadowtls",
                    "tuic",
                    "hysteria2",
                    "anytls",
                    "tor",
                    "ssh",
                    "selector",
                    "urltest",
                    "naive");

    static final Key<String> TAG =
            Key.of("tag", Kind.NAME).says("Its name, for rules, other objects and the log.");
    static final Key<String> TYPE =
            Key.of("type", Kind.NAME).required().says("Which protocol it speaks.");

    /// `tag` and `type`.
    static final Set<String> NAMES = Set.of(TAG.name(), TYPE.name());

    private final String what;
    private final Set<String> notYet;
    private final List<String> here;

    private KnownTypes(String what, Set<String> notYet, List<String> here) {
        this.what = what;
        this.notYet = notYet;
        this.here = here;
    }

    static KnownTypes ofInbounds(List<String> here) {
        return new KnownTypes("inbound", INBOUNDS_NOT_YET, here);
    }

    static KnownTypes ofOutbounds(List<String> here) {
        return new KnownTypes("outbound", OUTBOUNDS_NOT_YET, here);
    }

    /// The type of an element, which is here; else null, and reported.
    @Nullable String typeOf(Mapping node, String path, Findings findings) {
        ConfigNode value = node.value(TYPE.name());
        if (value == null) {
            findings.error(
                    node.place(), path, "needs \"type\"", "add one of " + String.join(", ", here));
            return null;
        }
        String typePath = Paths.join(path, TYPE.name());
        String type = Kind.NAME.read(value, typePath, findings);
        if (type == null || here.contains(type)) {
            return type;
        }
        if (notYet.contains(type)) {
            findings.error(
                    value.place(),
                    typePath,
                    "the " + what + " type " + Shown.quoted(type) + " is not supported yet",
                    "write one of " + String.join(", ", here));
            return null;
        }
        String near = Nearest.to(type, here);
        findings.error(
                value.place(),
                typePath,
                "there is no " + what + " type " + Shown.quoted(type),
                near != null
                        ? "write " + Shown.quoted(near)
                        : "write one of " + String.join(", ", here));
        return null;
    }

    /// The tag of an element, or its index where it has none.
    static String tagOf(Mapping node, int index, String path, Findings findings) {
        ConfigNode value = node.value(TAG.name());
        if (value == null || "".equals(node.text(TAG.name()))) {
            return Integer.toString(index);
        }
        String tag = Kind.NAME.read(value, Paths.join(path, TAG.name()), findings);
        return tag == null ? Integer.toString(index) : tag;
    }

    /// The objects of a list; what is none is reported.
    static List<ConfigNode> elements(ConfigNode node) {
        return node instanceof ConfigNode.Items items ? items.values() : List.of(node);
    }

    /// The keys that every element has, for a list of those there are.
    static List<String> listed(Shape<?> common) {
        List<String> names = new ArrayList<>(List.of(TYPE.name(), TAG.name()));
        common.keys().stream().filter(Key::isSupported).map(Key::name).forEach(names::add);
        return names;
    }

    /// The schema of one type: `type`, `tag` and all keys of the shapes.
    static Map<String, Object> schema(
            Schema schema, String title, String type, Shape<?>... shapes) {
        List<Key<?>> keys = new ArrayList<>(List.of(TYPE, TAG));
        for (Shape<?> shape : shapes) {
            keys.addAll(shape.keys());
        }
        Map<String, Object> object = schema.object(keys);
        @SuppressWarnings("unchecked")
        Map<String, Object> properties = (Map<String, Object>) object.get("properties");
        if (properties != null) {
            properties.put(TYPE.name(), Schema.map("const", type));
        }
        object.put("title", title);
        return object;
    }
}
