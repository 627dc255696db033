package sluice.app.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Paths;
import sluice.base.config.Place;
import sluice.base.config.Shown;

/// Puts in what `${env:NAME}`, `${env:NAME:-otherwise}` and `${file:PATH}` stand for, in every text
/// of a tree. `$${` stands for `${` itself. What is put in is not looked at again.
final class References {

    private final Surroundings surroundings;
    private final Findings findings;
    private final List<Place> unresolved = new ArrayList<>();

    References(Surroundings surroundings, Findings findings) {
        this.surroundings = surroundings;
        this.findings = findings;
    }

    /// The tree with everything put in; what cannot be found is reported and left as it is written.
    /// What such a value would be taken for is not reported then.
    ConfigNode resolve(ConfigNode root, String path) {
        ConfigNode resolved = walk(root, path);
        unresolved.forEach(findings::settle);
        return resolved;
    }

    private ConfigNode walk(ConfigNode node, String path) {
        return switch (node) {
            case Scalar scalar -> resolveScalar(scalar, path);
            case Items items -> {
                List<ConfigNode> values = new ArrayList<>(items.values().size());
                for (int i = 0; i < items.values().size(); i++) {
                    values.add(walk(items.values().get(i), Paths.at(path, i)));
                }
                yield new Items(items.place(), values);
            }
            case Mapping mapping -> {
                List<Mapping.Entry> entries = new ArrayList<>();
                for (Mapping.Entry entry : mapping.entries()) {
                    entries.add(
                            new Mapping.Entry(
                                    entry.key(),
                                    entry.keyPlace(),
                                    walk(entry.value(), Paths.join(path, entry.key()))));
                }
                yield new Mapping(mapping.place(), entries);
            }
        };
    }

    private Scalar resolveScalar(Scalar scalar, String path) {
        String text = scalar.text();
        if (scalar.type() != Scalar.Type.TEXT || !text.contains("${")) {
            return scalar;
        }
        StringBuilder result = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int begin = text.indexOf("${", at);
            if (begin < 0) {
                result.append(text, at, text.length());
                break;
            }
            if (begin > 0 && text.charAt(begin - 1) == '$') {
                result.append(text, at, begin - 1).append("${");
                at = begin + 2;
                continue;
            }
            int end = text.indexOf('}', begin);
            String value = end < 0 ? null : lookUp(scalar, path, text.substring(begin + 2, end));
            if (value == null) {
                if (end < 0) {
                    report(scalar, path, "${ without }", "write $${ for ${ itself");
                }
                return scalar;
            }
            result.append(text, at, begin).append(value);
            at = end + 1;
        }
        return new Scalar(scalar.place(), scalar.type(), result.toString(), text);
    }

    private @Nullable String lookUp(Scalar scalar, String path, String reference) {
        if (reference.startsWith("env:")) {
            return environment(scalar, path, reference.substring(4));
        }
        if (reference.startsWith("file:")) {
            try {
                return surroundings.readReference(reference.substring(5));
            } catch (IllegalArgumentException fault) {
                report(scalar, path, String.valueOf(fault.getMessage()), null);
                return null;
            }
        }
        report(
                scalar,
                path,
                "\"${" + Shown.plain(reference) + "}\" is neither ${env:NAME} nor ${file:PATH}",
                "write $${ for ${ itself");
        return null;
    }

    private @Nullable String environment(Scalar scalar, String path, String reference) {
        int dash = reference.indexOf(":-");
        String name = dash < 0 ? reference : reference.substring(0, dash);
        String value = surroundings.environment().apply(name);
        if (value != null && !(value.isEmpty() && dash >= 0)) {
            return value;
        }
        if (dash >= 0) {
            return reference.substring(dash + 2);
        }
        report(
                scalar,
                path,
                "the environment has no variable " + Shown.plain(name),
                "set it, or write ${env:" + Shown.plain(name) + ":-otherwise}");
        return null;
    }

    private void report(Scalar scalar, String path, String reason, @Nullable String mend) {
        findings.error(scalar.place(), path, reason, mend);
        unresolved.add(scalar.place());
    }
}
