package sluice.app.config;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import sluice.base.config.ConfigNode;

/// Lays YAML out anew, with its comments: the same events, written with two blanks a level.
final class YamlFormatter {

    private YamlFormatter() {}

    /// The text in its new layout; as it was where a new layout would mean something else.
    ///
    /// @throws SyntaxFault where it is not YAML
    static String format(SourceText source) {
        ConfigNode before = YamlReader.read(source);
        String laidOut = stripLines(layOut(source));
        SourceText after = new SourceText(source.name(), laidOut);
        try {
            boolean isStable = stripLines(layOut(after)).equals(laidOut);
            return isStable && YamlReader.read(after).sameAs(before) ? laidOut : source.text();
        } catch (SyntaxFault | YamlEngineException _) {
            return source.text();
        }
    }

    private static String layOut(SourceText source) {
        LoadSettings parsing =
                LoadSettings.builder()
                        .setLabel(source.name())
                        .setParseComments(true)
                        .setCodePointLimit(SourceText.MOST_BYTES)
                        .build();
        DumpSettings writing =
                DumpSettings.builder()
                        .setDumpComments(true)
                        .setIndent(2)
                        .setIndicatorIndent(2)
                        .setIndentWithIndicator(true)
                        // Lines are never broken where the operator did not.
                        .setWidth(Integer.MAX_VALUE)
                        .build();
        List<Event> events = new ArrayList<>();
        new Parse(parsing).parseString(source.text()).forEach(events::add);
        return new Present(writing).emitToString(events.iterator());
    }

    /// Blanks at line ends, which the writer leaves in empty lines.
    private static String stripLines(String text) {
        StringBuilder stripped = new StringBuilder(text.length());
        text.lines().forEach(line -> stripped.append(line.stripTrailing()).append('\n'));
        int end = stripped.length();
        while (end > 1 && stripped.charAt(end - 2) == '\n') {
            end--;
        }
        return stripped.substring(0, end);
    }
}
