package sluice.app.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Paths;

/// Puts several files together: objects by key, lists one behind the other. Two scalars that differ
/// are an error, since an order of files that decides is a trap.
final class Merge {

    /// Lists of objects, where one object stands for a list of one: two of them are two elements,
    /// not one object.
    private static final Set<String> LISTS =
            Set.of(
                    "inbounds",
                    "outbounds",
                    "endpoints",
                    "services",
                    "route.rules",
                    "route.rule_set");

    /// Names a schema relative to its own file; the first one is as good as any.
    private static final String FOR_EDITORS = "$schema";

    private final Findings findings;

    Merge(Findings findings) {
        this.findings = findings;
    }

    /// Both trees in one.
    ConfigNode merge(ConfigNode first, ConfigNode second, String path) {
        if (first instanceof Items || second instanceof Items || LISTS.contains(path)) {
            List<ConfigNode> values = new ArrayList<>(elements(first));
            values.addAll(elements(second));
            return new Items(first.place(), values);
        }
        if (first instanceof Mapping left && second instanceof Mapping right) {
            return mergeMappings(left, right, path);
        }
        if (isNull(first)) {
            return second;
        }
        if (!isNull(second) && !first.sameAs(second)) {
            findings.error(
                    second.place(),
                    path,
                    "differs from what " + first.place() + " says",
                    "keep one of the two");
        }
        return first;
    }

    private Mapping mergeMappings(Mapping left, Mapping right, String path) {
        Map<String, Mapping.Entry> merged = new LinkedHashMap<>();
        for (Mapping.Entry entry : left.entries()) {
            merged.put(entry.key(), entry);
        }
        for (Mapping.Entry entry : right.entries()) {
            Mapping.Entry before = merged.get(entry.key());
            if (before != null && path.isEmpty() && entry.key().equals(FOR_EDITORS)) {
                continue;
            }
            merged.put(
                    entry.key(),
                    before == null
                            ? entry
                            : new Mapping.Entry(
                                    entry.key(),
                                    before.keyPlace(),
                                    merge(
                                            before.value(),
                                            entry.value(),
                                            Paths.join(path, entry.key()))));
        }
        return new Mapping(left.place(), List.copyOf(merged.values()));
    }

    private static List<ConfigNode> elements(ConfigNode node) {
        return node instanceof Items items
                ? items.values()
                : isNull(node) ? List.of() : List.of(node);
    }

    private static boolean isNull(ConfigNode node) {
        return node instanceof Scalar scalar && scalar.type() == Scalar.Type.NULL;
    }
}
