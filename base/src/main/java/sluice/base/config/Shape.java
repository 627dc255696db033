package sluice.base.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;

/// What may stand in an object: its keys, and how its values become a `T`.
///
///     static final Key<String> SERVER = Key.of("server", Kind.NAME).required().says("Where to connect.");
///     static final Shape<Options> SHAPE = Shape.of("options", f -> new Options(f.get(SERVER)), SERVER);
///
/// @param <T> what the object is read into
public final class Shape<T> implements Form<T> {

    /// Chosen: a line's worth, beside those that all objects of the list have.
    private static final int MOST_NAMED_KEYS = 12;

    private final String title;
    private final Function<Fields, @Nullable T> maker;
    private final List<Key<?>> keys;

    private Shape(String title, Function<Fields, @Nullable T> maker, List<Key<?>> keys) {
        this.title = title;
        this.maker = maker;
        this.keys = keys;
    }

    /// A shape.
    ///
    /// @param title what the object is, for the schema: `SOCKS inbound`
    /// @param maker makes the result; it may report errors through [Fields] and return null
    /// @param keys in the order of the manual
    public static <T> Shape<T> of(
            String title, Function<Fields, @Nullable T> maker, Key<?>... keys) {
        Set<String> names = new HashSet<>();
        for (Key<?> key : keys) {
            for (String name : key.names()) {
                if (!names.add(name)) {
                    throw new IllegalArgumentException(title + " has two keys " + name);
                }
            }
        }
        return new Shape<>(title, maker, List.of(keys));
    }

    /// What the object is.
    public String title() {
        return title;
    }

    /// Its keys, in the order of the manual.
    public List<Key<?>> keys() {
        return keys;
    }

    /// All names it reads, older ones too.
    public Set<String> names() {
        Set<String> names = new HashSet<>();
        keys.forEach(key -> names.addAll(key.names()));
        return names;
    }

    @Override
    public @Nullable T read(ConfigNode node, String path, Findings findings) {
        return read(node, path, findings, Beside.NOTHING);
    }

    /// Reads an object whose other keys somebody else reads.
    ///
    /// @param beside the keys that are read elsewhere
    public @Nullable T read(ConfigNode node, String path, Findings findings, Beside beside) {
        if (!(node instanceof Mapping mapping)) {
            findings.error(
                    node.place(), path, node.describe() + " where an object is expected", null);
            return null;
        }
        Fields fields = new Fields(mapping, path, findings);
        for (Key<?> key : keys) {
            readKey(key, fields);
        }
        reportUnknownKeys(mapping, path, findings, beside);
        try {
            return maker.apply(fields);
        } catch (Fields.Unreadable _) {
            return null;
        }
    }

    @Override
    public Map<String, Object> schema(Schema schema) {
        return schema.reference(this, title, () -> schema.object(keys));
    }

    private static <K> void readKey(Key<K> key, Fields fields) {
        Mapping.Entry entry = findEntry(key, fields);
        if (entry == null) {
            if (key.isRequired()) {
                fields.refuse("needs " + Shown.quoted(key.name()), mendOfMissing(key));
            }
            return;
        }
        String path = Paths.join(fields.path(), entry.key());
        switch (key.standing()) {
            case OPTIONAL, REQUIRED ->
                    fields.put(key, entry, key.form().read(entry.value(), path, fields.findings()));
            case WITHOUT_EFFECT -> {
                if (!isOff(entry.value())) {
                    fields.findings()
                            .warn(
                                    entry.keyPlace(),
                                    path,
                                    "is not supported yet; passed over",
                                    null);
                }
            }
            case NOT_SUPPORTED, CONDITION_NOT_SUPPORTED -> {
                if (!isOff(entry.value())) {
                    fields.findings()
                            .error(
                                    entry.keyPlace(),
                                    path,
                                    "is not supported yet, and traffic would go another way without"
                                            + " it",
                                    key.standing() == Key.Standing.NOT_SUPPORTED
                                            ? "remove it"
                                            : "remove the rule, or write it with other fields;"
                                                    + " without any it takes everything");
                }
            }
        }
    }

    /// `add "server": … (address or name of the server)`.
    private static String mendOfMissing(Key<?> key) {
        String sentence = key.sentence();
        String add = "add " + Shown.quoted(key.name()) + ": …";
        if (sentence.isEmpty()) {
            return add;
        }
        int end = sentence.endsWith(".") ? sentence.length() - 1 : sentence.length();
        // A name such as "HTTP" keeps its capitals.
        boolean isWord = sentence.length() < 2 || !Character.isUpperCase(sentence.charAt(1));
        String first = sentence.substring(0, 1);
        return add
                + " ("
                + (isWord ? first.toLowerCase(Locale.ROOT) : first)
                + sentence.substring(1, end)
                + ")";
    }

    private static Mapping.@Nullable Entry findEntry(Key<?> key, Fields fields) {
        Mapping.Entry found = present(fields.node(), key.name(), key.form());
        for (Key.Alias alias : key.aliases()) {
            Mapping.Entry old = present(fields.node(), alias.name(), key.form());
            if (old == null) {
                continue;
            }
            String path = Paths.join(fields.path(), old.key());
            if (found != null) {
                fields.findings()
                        .error(
                                old.keyPlace(),
                                path,
                                "says the same as "
                                        + Shown.quoted(found.key())
                                        + " at "
                                        + found.keyPlace(),
                                "remove " + Shown.quoted(old.key()));
                continue;
            }
            fields.findings().warn(old.keyPlace(), path, "is an old spelling", alias.mend());
            found = old;
        }
        return found;
    }

    /// null is the same as absent, as in every program that reads this language. So is empty text
    /// where one value is expected, which generated configurations are full of; not for secrets,
    /// where it is a mistake.
    private static Mapping.@Nullable Entry present(Mapping node, String name, Form<?> form) {
        Mapping.Entry entry = node.entry(name);
        if (entry == null || !(entry.value() instanceof Scalar scalar)) {
            return entry;
        }
        boolean isEmpty =
                scalar.type() == Scalar.Type.TEXT
                        && scalar.text().isEmpty()
                        && scalar.source() == null
                        && form instanceof Kind<?>
                        && form != Kind.SECRET;
        return isEmpty || scalar.type() == Scalar.Type.NULL ? null : entry;
    }

    /// Whether a value says "no": false, empty, or an object with `enabled: false` or nothing in
    /// it.
    private static boolean isOff(ConfigNode value) {
        return switch (value) {
            case Scalar scalar ->
                    scalar.text().isEmpty()
                            || scalar.type() == Scalar.Type.FLAG && scalar.text().equals("false");
            case ConfigNode.Items items -> items.values().isEmpty();
            case Mapping mapping ->
                    mapping.entries().isEmpty()
                            || mapping.value("enabled") instanceof Scalar enabled
                                    && enabled.type() == Scalar.Type.FLAG
                                    && enabled.text().equals("false");
        };
    }

    private void reportUnknownKeys(Mapping mapping, String path, Findings findings, Beside beside) {
        Set<String> known = names();
        known.addAll(beside.names());
        for (Mapping.Entry entry : mapping.entries()) {
            if (known.contains(entry.key())) {
                continue;
            }
            String near = meantBy(entry.key(), known, beside);
            findings.error(
                    entry.keyPlace(),
                    path,
                    "unknown key "
                            + Shown.quoted(entry.key())
                            + (near == null ? "" : "; did you mean " + Shown.quoted(near) + "?"),
                    near == null ? mendOfUnknown(beside) : null);
        }
    }

    private @Nullable String meantBy(String key, Set<String> known, Beside beside) {
        String meant = beside.meant().get(key);
        if (meant != null && known.contains(meant)) {
            return meant;
        }
        List<String> candidates = new ArrayList<>();
        keys.forEach(each -> candidates.add(each.name()));
        candidates.addAll(beside.names());
        return Nearest.to(key, candidates);
    }

    /// The keys there are, where they are few enough to be read.
    private @Nullable String mendOfUnknown(Beside beside) {
        List<String> own = keys.stream().filter(Key::isSupported).map(Key::name).toList();
        if (own.size() > MOST_NAMED_KEYS) {
            return null;
        }
        List<String> all = new ArrayList<>(beside.listed());
        all.addAll(own);
        return all.isEmpty() ? null : "there are " + String.join(", ", all);
    }
}
