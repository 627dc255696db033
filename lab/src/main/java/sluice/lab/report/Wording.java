package sluice.lab.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import sluice.lab.bed.Case;
import sluice.lab.engine.Protocol;

/// Names as readers see them, and their order.
final class Wording {
    /// Engines in the order of their columns; others follow by name.
    private static final List<String> ENGINES =
            List.of(
                    "sluice",
                    "sing-box",
                    "xray",
                    "v2ray",
                    "mihomo",
                    "shadowsocks-rust",
                    "shadowsocks-libev",
                    "hysteria",
                    "shoes",
                    "haproxy",
                    "redsocks");

    /// What stands between the labels of a case.
    static final String BETWEEN = " · ";

    private Wording() {}

    /// Whether an engine is the one that is judged.
    static boolean isSubject(String engine) {
        return engine.equalsIgnoreCase(ENGINES.getFirst());
    }

    /// The order of columns.
    static int compareEngines(String one, String other) {
        int byRank = Integer.compare(engineRank(one), engineRank(other));
        return byRank != 0 ? byRank : one.compareTo(other);
    }

    private static int engineRank(String engine) {
        int rank = ENGINES.indexOf(engine.toLowerCase(Locale.ROOT));
        return rank < 0 ? ENGINES.size() : rank;
    }

    /// The value of a label.
    static String value(String label, String value) {
        return switch (label) {
            case "protocol" -> Protocol.of(value).map(Protocol::title).orElse(value);
            case "streams" -> value + (value.equals("1") ? " stream" : " streams");
            default -> value;
        };
    }

    /// A case.
    static String of(Case each) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, String> label : each.labels().entrySet()) {
            text.append(text.isEmpty() ? "" : BETWEEN)
                    .append(value(label.getKey(), label.getValue()));
        }
        return text.isEmpty() ? "the only case" : text.toString();
    }

    /// Something and how often, in the right number.
    static String count(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
