package sluice.app.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Nearest;
import sluice.base.config.Paths;
import sluice.base.config.Place;
import sluice.base.config.Shown;

/// Checks that every tag stands for one thing, and that every mention of a tag means something.
/// Works on what is written rather than on what was read, so that an object that is wrong otherwise
/// still counts.
final class Tags {

    /// One inbound or outbound.
    ///
    /// @param untaggedType its type where it has no tag
    private record Owner(
            Place place, String path, @Nullable Scalar detour, @Nullable String untaggedType) {}

    private final Findings findings;
    private final Set<String> dnsTags;
    private final Map<String, Owner> inbounds;
    private final Map<String, Owner> outbounds;

    /// @param dnsTags tags of outbounds of the old type `dns`
    Tags(Mapping root, Set<String> dnsTags, Findings findings) {
        this.findings = findings;
        this.dnsTags = dnsTags;
        inbounds = owners(root, "inbounds");
        outbounds = owners(root, "outbounds");
        if (outbounds.isEmpty()) {
            outbounds.put(Checks.IMPLICIT_TAG, new Owner(root.place(), "", null, null));
        }
    }

    /// Checks everything that mentions a tag.
    void check(Mapping root) {
        outbounds.forEach((tag, owner) -> {
            if (owner.detour() != null) {
                checkMention(
                        owner.detour(), Paths.join(owner.path(), "detour"), outbounds, "outbound");
            }
        });
        checkCircles();
        if (root.value("route") instanceof Mapping route) {
            if (route.value("final") instanceof Scalar last) {
                checkMention(last, "route.final", outbounds, "outbound");
            }
            ConfigNode rules = route.value("rules");
            if (rules != null) {
                checkRules(rules, "route.rules");
            }
        }
    }

    private Map<String, Owner> owners(Mapping root, String list) {
        Map<String, Owner> owners = new LinkedHashMap<>();
        ConfigNode node = root.value(list);
        List<ConfigNode> elements = node == null ? List.of() : KnownTypes.elements(node);
        for (int i = 0; i < elements.size(); i++) {
            if (!(elements.get(i) instanceof Mapping element)) {
                continue;
            }
            String path = Paths.at(list, i);
            String written = element.text("tag");
            String tag = written == null || written.isEmpty() ? Integer.toString(i) : written;
            ConfigNode tagNode = element.value("tag");
            Place place = tagNode == null ? element.place() : tagNode.place();
            Scalar detour =
                    list.equals("outbounds") && element.value("detour") instanceof Scalar scalar
                            ? scalar
                            : null;
            Owner owner =
                    new Owner(
                            place, path, detour, tag.equals(written) ? null : element.text("type"));
            Owner before = owners.putIfAbsent(tag, owner);
            if (before != null) {
                findings.error(
                        place,
                        path + ".tag",
                        Shown.quoted(tag)
                                + " is the tag of "
                                + before.path()
                                + " at "
                                + before.place()
                                + " too",
                        "give one of them another tag");
            }
        }
        return owners;
    }

    private void checkRules(ConfigNode rules, String path) {
        List<ConfigNode> elements = KnownTypes.elements(rules);
        for (int i = 0; i < elements.size(); i++) {
            if (!(elements.get(i) instanceof Mapping rule)) {
                continue;
            }
            String at = Paths.at(path, i);
            if (rule.value("outbound") instanceof Scalar outbound) {
                checkMention(outbound, Paths.join(at, "outbound"), outbounds, "outbound");
            }
            ConfigNode inbound = rule.value("inbound");
            if (inbound instanceof Items items) {
                for (int j = 0; j < items.values().size(); j++) {
                    if (items.values().get(j) instanceof Scalar tag) {
                        checkMention(
                                tag, Paths.at(Paths.join(at, "inbound"), j), inbounds, "inbound");
                    }
                }
            } else if (inbound instanceof Scalar tag) {
                checkMention(tag, Paths.join(at, "inbound"), inbounds, "inbound");
            }
            ConfigNode nested = rule.value("rules");
            if (nested != null) {
                checkRules(nested, Paths.join(at, "rules"));
            }
        }
    }

    private void checkMention(Scalar mention, String path, Map<String, Owner> owners, String what) {
        String tag = mention.text();
        if (mention.type() != Scalar.Type.TEXT
                || tag.isEmpty()
                || owners.containsKey(tag) && !dnsTags.contains(tag)) {
            return;
        }
        if (dnsTags.contains(tag)) {
            findings.error(
                    mention.place(),
                    path,
                    Shown.quoted(tag)
                            + " is an outbound of the old type \"dns\", which is not supported yet",
                    "remove the rule");
            return;
        }
        String untagged = untaggedOfType(tag, owners);
        String near = untagged == null ? Nearest.to(tag, owners.keySet()) : null;
        findings.error(
                mention.place(),
                path,
                "there is no "
                        + what
                        + " "
                        + Shown.quoted(tag)
                        + (near == null ? "" : "; did you mean " + Shown.quoted(near) + "?"),
                untagged != null
                        ? "give " + untagged + " the tag " + Shown.quoted(tag)
                        : near == null ? listed(owners.keySet()) : null);
    }

    /// The path of the first object without a tag whose type is what was named instead.
    private static @Nullable String untaggedOfType(String type, Map<String, Owner> owners) {
        for (Owner owner : owners.values()) {
            if (type.equals(owner.untaggedType())) {
                return owner.path();
            }
        }
        return null;
    }

    private static @Nullable String listed(Set<String> tags) {
        return switch (tags.size()) {
            case 0 -> null;
            case 1 -> "the only one is " + Shown.quoted(tags.iterator().next());
            default ->
                    "there are "
                            + String.join(", ", tags.stream().limit(8).map(Shown::quoted).toList());
        };
    }

    /// Each circle is reported once, at its member that is written first.
    private void checkCircles() {
        Map<String, Integer> order = new LinkedHashMap<>();
        outbounds.keySet().forEach(tag -> order.put(tag, order.size()));
        for (String start : outbounds.keySet()) {
            StringBuilder way = new StringBuilder(Shown.plain(start));
            String at = start;
            boolean isFirst = true;
            for (int steps = 0; steps <= outbounds.size(); steps++) {
                Owner owner = outbounds.get(at);
                if (owner == null || owner.detour() == null) {
                    break;
                }
                at = owner.detour().text();
                way.append(" → ").append(Shown.plain(at));
                isFirst &= order.getOrDefault(at, -1) >= order.getOrDefault(start, 0);
                if (at.equals(start)) {
                    if (isFirst) {
                        reportCircle(start, way.toString());
                    }
                    break;
                }
            }
        }
    }

    private void reportCircle(String start, String way) {
        Owner owner = outbounds.get(start);
        if (owner != null && owner.detour() != null) {
            findings.error(
                    owner.detour().place(),
                    Paths.join(owner.path(), "detour"),
                    "the detours go in a circle: " + way,
                    "let one of them dial by itself");
        }
    }
}
