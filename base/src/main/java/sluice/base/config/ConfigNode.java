package sluice.base.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One value of a configuration, with the place where it was written. Immutable. JSON and YAML
/// become the same tree.
public sealed interface ConfigNode {

    /// Where it begins.
    Place place();

    /// What it is, for messages: `text`, `a number`, `a list` …
    String describe();

    /// Whether both say the same; places and the order of keys do not matter.
    boolean sameAs(ConfigNode other);

    /// Reports every key that stands twice in one object of this tree, naming both places.
    default void reportRepeatedKeys(String path, Findings findings) {
        switch (this) {
            case Scalar _ -> {}
            case Items items -> {
                for (int i = 0; i < items.values().size(); i++) {
                    items.values().get(i).reportRepeatedKeys(Paths.at(path, i), findings);
                }
            }
            case Mapping mapping -> {
                for (Mapping.Entry entry : mapping.repeated()) {
                    Mapping.Entry first = mapping.entry(entry.key());
                    findings.error(
                            entry.keyPlace(),
                            Paths.join(path, entry.key()),
                            "stands twice in one object"
                                    + (first == null
                                            ? ""
                                            : "; the first is at " + first.keyPlace()),
                            "keep one of the two");
                }
                for (Mapping.Entry entry : mapping.entries()) {
                    entry.value().reportRepeatedKeys(Paths.join(path, entry.key()), findings);
                }
            }
        }
    }

    /// Text, a number, true, false or null.
    ///
    /// @param place where it stands
    /// @param type what it is
    /// @param text its value as text; a number as it was written
    /// @param source what stands in the file where `text` came from elsewhere (`${env:NAME}`), or
    ///   null
    record Scalar(Place place, Type type, String text, @Nullable String source)
            implements ConfigNode {

        /// The types of scalars.
        public enum Type {
            /// In quotes, or a plain YAML word.
            TEXT,
            /// An integer or a decimal number.
            NUMBER,
            /// true or false.
            FLAG,
            /// null: the same as leaving the key out.
            NULL
        }

        /// A scalar that stands in the file itself.
        public Scalar(Place place, Type type, String text) {
            this(place, type, text, null);
        }

        @Override
        public String describe() {
            return switch (type) {
                case TEXT -> "text";
                case NUMBER -> "a number";
                case FLAG -> text;
                case NULL -> "null";
            };
        }

        /// The value for a message: as written, shortened, invisible characters escaped. What came
        /// from the environment or a file is not shown, only where it came from.
        public String shown() {
            if (source != null) {
                return Shown.plain(source);
            }
            return type == Type.TEXT ? Shown.quoted(text) : Shown.plain(text);
        }

        /// Numbers compare by value, `8` and `0x8` alike.
        @Override
        public boolean sameAs(ConfigNode other) {
            return other instanceof Scalar scalar
                    && scalar.type == type
                    && (scalar.text.equals(text)
                            || type == Type.NUMBER && Numbers.areEqual(scalar.text, text));
        }

        /// Without the text, which may be a secret.
        @Override
        public String toString() {
            return describe() + " at " + place;
        }
    }

    /// A list.
    ///
    /// @param place where it begins
    /// @param values in order
    record Items(Place place, List<ConfigNode> values) implements ConfigNode {

        /// Copies the list.
        public Items {
            values = List.copyOf(values);
        }

        @Override
        public String describe() {
            return "a list";
        }

        @Override
        public boolean sameAs(ConfigNode other) {
            if (!(other instanceof Items items) || items.values.size() != values.size()) {
                return false;
            }
            for (int i = 0; i < values.size(); i++) {
                if (!values.get(i).sameAs(items.values.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /// An object: keys and values in the order written. A key that stands twice keeps its first
    /// value; the others are [#repeated].
    final class Mapping implements ConfigNode {

        /// One key with its value.
        ///
        /// @param key its name
        /// @param keyPlace where the name stands
        /// @param value what stands behind it
        public record Entry(String key, Place keyPlace, ConfigNode value) {}

        private final Place place;
        private final Map<String, Entry> entries = new LinkedHashMap<>();
        private final List<Entry> repeated = new ArrayList<>();

        /// Copies the entries.
        public Mapping(Place place, List<Entry> entries) {
            this.place = place;
            for (Entry entry : entries) {
                if (this.entries.putIfAbsent(entry.key(), entry) != null) {
                    repeated.add(entry);
                }
            }
        }

        @Override
        public Place place() {
            return place;
        }

        /// The entries in order, each key once.
        public List<Entry> entries() {
            return List.copyOf(entries.values());
        }

        /// Second and later entries of a key.
        public List<Entry> repeated() {
            return List.copyOf(repeated);
        }

        /// The entry of a key, or null.
        public @Nullable Entry entry(String key) {
            return entries.get(key);
        }

        /// The value of a key, or null where it is absent.
        public @Nullable ConfigNode value(String key) {
            Entry entry = entries.get(key);
            return entry == null ? null : entry.value();
        }

        /// The text of a key whose value is text, or null.
        public @Nullable String text(String key) {
            return value(key) instanceof Scalar scalar && scalar.type() == Scalar.Type.TEXT
                    ? scalar.text()
                    : null;
        }

        /// This object with the keys alone that `keep` says; same place.
        public Mapping only(Predicate<String> keep) {
            return new Mapping(
                    place,
                    entries.values().stream().filter(entry -> keep.test(entry.key())).toList());
        }

        @Override
        public String describe() {
            return "an object";
        }

        @Override
        public boolean sameAs(ConfigNode other) {
            if (!(other instanceof Mapping mapping)
                    || !mapping.entries.keySet().equals(entries.keySet())) {
                return false;
            }
            for (Entry entry : entries.values()) {
                Entry theirs = mapping.entries.get(entry.key());
                if (theirs == null || !entry.value().sameAs(theirs.value())) {
                    return false;
                }
            }
            return true;
        }

        /// Without the values, which may be secrets.
        @Override
        public String toString() {
            return "an object with " + entries.keySet() + " at " + place;
        }
    }
}
