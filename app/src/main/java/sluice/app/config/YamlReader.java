package sluice.app.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Place;
import sluice.base.config.Shown;

/// Reads YAML 1.2 with the core schema (§10.3) into the same tree that JSON becomes. An alias
/// stands for a copy of its anchor's value, with the anchor's places.
final class YamlReader {

    /// Values that aliases may add: a file of one page can otherwise stand for more values than
    /// memory holds.
    private static final int MOST_ALIASED = 100_000;

    private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+");
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

    private final SourceText source;
    private final Iterator<Event> events;
    private final Map<String, ConfigNode> anchors = new HashMap<>();
    private int aliased;
    private int levels;

    private YamlReader(SourceText source) {
        this.source = source;
        LoadSettings settings =
                LoadSettings.builder()
                        .setLabel(source.name())
                        .setCodePointLimit(SourceText.MOST_BYTES)
                        .build();
        events = new Parse(settings).parseString(source.text()).iterator();
    }

    /// Reads a whole file, which holds one document.
    ///
    /// @throws SyntaxFault where it is not YAML
    static ConfigNode read(SourceText source) {
        try {
            return new YamlReader(source).document();
        } catch (MarkedYamlEngineException fault) {
            throw marked(source, fault);
        } catch (ReaderException fault) {
            throw new SyntaxFault(
                    source.placeOf(
                            source.text()
                                    .offsetByCodePoints(
                                            0,
                                            Math.min(
                                                    fault.getPosition(),
                                                    source.text()
                                                            .codePointCount(
                                                                    0, source.text().length())))),
                    "\""
                            + Shown.plain(Character.toString(fault.getCodePoint()))
                            + "\" may not stand in YAML",
                    "remove it");
        } catch (YamlEngineException fault) {
            String message = fault.getMessage();
            throw new SyntaxFault(
                    new Place(source.name(), 1, 1),
                    "is not YAML: " + Shown.plain(message == null ? "" : message),
                    null);
        }
    }

    private ConfigNode document() {
        ConfigNode root = null;
        while (events.hasNext()) {
            Event event = events.next();
            switch (event.getEventId()) {
                case StreamStart, StreamEnd, DocumentStart, DocumentEnd, Comment -> {}
                default -> {
                    if (root != null) {
                        throw fault(event, "a second document", "a file holds one; remove the ---");
                    }
                    root = value(event);
                }
            }
        }
        if (root == null || root instanceof Scalar scalar && scalar.type() == Scalar.Type.NULL) {
            throw new SyntaxFault(
                    new Place(source.name(), 1, 1),
                    "is empty",
                    "write {} for the least configuration");
        }
        return root;
    }

    private ConfigNode value(Event event) {
        return switch (event) {
            case ScalarEvent scalar -> anchored(scalar, scalar(scalar));
            case SequenceStartEvent list -> anchored(list, list(list));
            case MappingStartEvent object -> anchored(object, object(object));
            case AliasEvent alias -> aliased(alias);
            default -> throw fault(event, "no value where one is expected", null);
        };
    }

    private ConfigNode anchored(NodeEvent event, ConfigNode node) {
        event.getAnchor().ifPresent(anchor -> anchors.put(anchor.getValue(), node));
        return node;
    }

    private ConfigNode aliased(AliasEvent alias) {
        ConfigNode node = anchors.get(alias.getAlias().getValue());
        if (node == null) {
            throw fault(
                    alias,
                    "*" + Shown.plain(alias.getAlias().getValue()) + " has no anchor above it",
                    null);
        }
        aliased += weight(node, MOST_ALIASED);
        if (aliased > MOST_ALIASED) {
            throw fault(alias, "the aliases stand for more than " + MOST_ALIASED + " values", null);
        }
        return node;
    }

    /// Values in the node, counted up to `most`.
    private static int weight(ConfigNode node, int most) {
        int weight = 1;
        switch (node) {
            case Scalar _ -> {}
            case Items items -> {
                for (ConfigNode value : items.values()) {
                    weight += weight > most ? 0 : weight(value, most - weight);
                }
            }
            case Mapping mapping -> {
                for (Mapping.Entry entry : mapping.entries()) {
                    weight += weight > most ? 0 : weight(entry.value(), most - weight);
                }
            }
        }
        return weight;
    }

    private ConfigNode list(SequenceStartEvent start) {
        enter(start);
        List<ConfigNode> values = new ArrayList<>();
        Event event = next();
        while (event.getEventId() != Event.ID.SequenceEnd) {
            values.add(value(event));
            event = next();
        }
        levels--;
        return new Items(place(start), values);
    }

    private ConfigNode object(MappingStartEvent start) {
        enter(start);
        List<Mapping.Entry> entries = new ArrayList<>();
        Event event = next();
        while (event.getEventId() != Event.ID.MappingEnd) {
            if (!(event instanceof ScalarEvent key)) {
                throw fault(event, "a list or an object where a key is expected", null);
            }
            entries.add(new Mapping.Entry(key.getValue(), place(key), value(next())));
            event = next();
        }
        levels--;
        return new Mapping(place(start), entries);
    }

    private Event next() {
        Event event = events.next();
        return event.getEventId() == Event.ID.Comment ? next() : event;
    }

    private Scalar scalar(ScalarEvent event) {
        Place place = place(event);
        String text = event.getValue();
        Optional<String> tag = event.getTag();
        if (tag.isEmpty() || tag.get().equals("!")) {
            boolean plain = tag.isEmpty() && event.getScalarStyle() == ScalarStyle.PLAIN;
            Scalar.Type type = plain ? typeOf(text) : Scalar.Type.TEXT;
            return new Scalar(place, type, canonical(type, text));
        }
        Scalar.Type asked =
                switch (tag.get()) {
                    case "tag:yaml.org,2002:str" -> Scalar.Type.TEXT;
                    case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float" -> Scalar.Type.NUMBER;
                    case "tag:yaml.org,2002:bool" -> Scalar.Type.FLAG;
                    case "tag:yaml.org,2002:null" -> Scalar.Type.NULL;
                    default ->
                            throw fault(
                                    event,
                                    "the tag " + Shown.plain(tag.get()) + " means nothing here",
                                    "remove it");
                };
        if (asked != Scalar.Type.TEXT && typeOf(text) != asked) {
            throw fault(event, Shown.quoted(text) + " is not what its tag says", "remove the tag");
        }
        return new Scalar(place, asked, canonical(asked, text));
    }

    /// YAML 1.2.2 §10.3.2.
    private static Scalar.Type typeOf(String text) {
        return switch (text) {
            case "", "~", "null", "Null", "NULL" -> Scalar.Type.NULL;
            case "true", "True", "TRUE", "false", "False", "FALSE" -> Scalar.Type.FLAG;
            default ->
                    text.length() <= 64
                                    && (INTEGER.matcher(text).matches()
                                            || DECIMAL.matcher(text).matches())
                            ? Scalar.Type.NUMBER
                            : Scalar.Type.TEXT;
        };
    }

    private static String canonical(Scalar.Type type, String text) {
        return switch (type) {
            case TEXT, NUMBER -> text;
            case FLAG -> Character.toLowerCase(text.charAt(0)) == 't' ? "true" : "false";
            case NULL -> "";
        };
    }

    private void enter(Event event) {
        if (++levels > JsonReader.MOST_LEVELS) {
            throw fault(event, "more than " + JsonReader.MOST_LEVELS + " levels", null);
        }
    }

    private Place place(Event event) {
        return event.getStartMark()
                .map(mark -> place(source, mark))
                .orElse(new Place(source.name(), 1, 1));
    }

    private static Place place(SourceText source, Mark mark) {
        return new Place(source.name(), mark.getLine() + 1, mark.getColumn() + 1);
    }

    private SyntaxFault fault(
            Event event, String reason, @org.jspecify.annotations.Nullable String mend) {
        return new SyntaxFault(place(event), reason, mend);
    }

    private static SyntaxFault marked(SourceText source, MarkedYamlEngineException fault) {
        Mark mark = fault.getProblemMark().or(fault::getContextMark).orElse(null);
        Place place = mark == null ? new Place(source.name(), 1, 1) : place(source, mark);
        if (mark != null
                && mark.getPointer() < mark.getBuffer().length
                && mark.getBuffer()[mark.getPointer()] == '\t') {
            return new SyntaxFault(place, "a tab where YAML wants blanks", "indent with blanks");
        }
        String problem = String.valueOf(fault.getProblem());
        if (problem.startsWith("expected <block end>")) {
            return new SyntaxFault(
                    place,
                    "this line is indented unlike those above it",
                    "indent it like its neighbours");
        }
        Mark begin = fault.getContextMark().orElse(null);
        if ("while scanning a quoted scalar".equals(fault.getContext()) && begin != null) {
            return new SyntaxFault(
                    place(source, begin), "the text that begins here does not end", "add a quote");
        }
        String context = fault.getContext() == null ? "" : fault.getContext() + ": ";
        return new SyntaxFault(place, "is not YAML: " + Shown.whole(context + problem), null);
    }
}
