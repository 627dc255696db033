package sluice.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sluice.lab.bed.Case;
import sluice.lab.engine.Protocol;

/// The order of a bed's cases when all that is known are the runs: label by label, protocols as
/// they are declared, numbers by size, everything else as it first appeared.
final class CaseOrder implements Comparator<Case> {
    private final List<List<String>> shapes;
    private final Map<String, List<String>> appeared;

    private CaseOrder(List<List<String>> shapes, Map<String, List<String>> appeared) {
        this.shapes = shapes;
        this.appeared = appeared;
    }

    /// The different ones among some cases, in order.
    static List<Case> sorted(List<Case> cases) {
        Set<List<String>> shapes = new LinkedHashSet<>();
        Map<String, List<String>> appeared = new LinkedHashMap<>();
        for (Case each : cases) {
            shapes.add(shape(each));
            each.labels()
                    .forEach((name, value) -> {
                        List<String> values =
                                appeared.computeIfAbsent(name, _ -> new ArrayList<>());
                        if (!values.contains(value)) {
                            values.add(value);
                        }
                    });
        }
        return cases.stream()
                .distinct()
                .sorted(new CaseOrder(List.copyOf(shapes), appeared))
                .toList();
    }

    /// The names of a case's labels.
    static List<String> shape(Case each) {
        return List.copyOf(each.labels().keySet());
    }

    @Override
    public int compare(Case one, Case other) {
        int order = Integer.compare(shapes.indexOf(shape(one)), shapes.indexOf(shape(other)));
        for (String name : one.labels().keySet()) {
            if (order != 0) {
                break;
            }
            order = compare(name, one.label(name), other.label(name));
        }
        return order;
    }

    private int compare(String name, String one, String other) {
        List<String> values = appeared.getOrDefault(name, List.of());
        if (name.equals("protocol") && values.stream().allMatch(CaseOrder::known)) {
            return Integer.compare(rank(one), rank(other));
        }
        if (values.stream().allMatch(value -> value.matches("\\d{1,18}"))) {
            return Long.compare(Long.parseLong(one), Long.parseLong(other));
        }
        return Integer.compare(values.indexOf(one), values.indexOf(other));
    }

    private static boolean known(String protocol) {
        return Protocol.of(protocol).isPresent();
    }

    private static int rank(String protocol) {
        return Protocol.of(protocol).map(Enum::ordinal).orElse(Integer.MAX_VALUE);
    }
}
