package sluice.base.config;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;

/// The values of one object as its [Shape] read them, for the code that makes something of them. It
/// also takes what only that code can find wrong.
public final class Fields {

    /// Thrown by [#get] for a value that was refused already; ends the maker.
    static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreadable() {
            super(null, null, false, false);
        }
    }

    private final Mapping node;
    private final String path;
    private final Findings findings;
    private final Map<String, @Nullable Object> values = new HashMap<>();
    private final Map<String, Mapping.Entry> entries = new HashMap<>();

    Fields(Mapping node, String path, Findings findings) {
        this.node = node;
        this.path = path;
        this.findings = findings;
    }

    /// The value of the key or its default. When the value was refused, or the key is required and
    /// absent, this ends the maker; the report says why already.
    ///
    /// @throws IllegalStateException for an absent key without a default, which [#orNull] is for
    public <T> T get(Key<T> key) {
        T value = orNull(key);
        if (value == null) {
            if (key.isRequired()) {
                throw new Unreadable();
            }
            throw new IllegalStateException(key + " may be absent and has no default");
        }
        return value;
    }

    /// The value of the key or its default, or null. A refused value ends the maker, as with
    /// [#get].
    @SuppressWarnings("unchecked")
    public <T> @Nullable T orNull(Key<T> key) {
        if (!has(key)) {
            return key.otherwiseOrNull();
        }
        T value = (T) values.get(key.name());
        if (value == null) {
            throw new Unreadable();
        }
        return value;
    }

    /// The value of the key or its default, or `instead` where it was refused: for objects whose
    /// parts are checked on their own, so that one bad part does not hide what is wrong with the
    /// others.
    public <T> T getOr(Key<T> key, T instead) {
        return has(key) && values.get(key.name()) == null ? instead : get(key);
    }

    /// Whether the operator wrote the key.
    public boolean has(Key<?> key) {
        return entries.containsKey(key.name());
    }

    /// Reports an error at the key's value, or at the object where the key is absent.
    public void refuse(Key<?> key, String reason, @Nullable String mend) {
        findings.error(placeOf(key), Paths.join(path, nameOf(key)), reason, mend);
    }

    /// Reports an error at one element of a list, counted from 0.
    public void refuseAt(Key<?> key, int index, String reason, @Nullable String mend) {
        Mapping.Entry entry = entries.get(key.name());
        String keyPath = Paths.join(path, nameOf(key));
        if (entry != null
                && entry.value() instanceof Items items
                && index < items.values().size()) {
            findings.error(
                    items.values().get(index).place(), Paths.at(keyPath, index), reason, mend);
        } else {
            findings.error(placeOf(key), keyPath, reason, mend);
        }
    }

    /// Reports an error about the object as a whole.
    public void refuse(String reason, @Nullable String mend) {
        findings.error(node.place(), path, reason, mend);
    }

    /// Reports a warning at the key's value.
    public void warn(Key<?> key, String reason, @Nullable String mend) {
        findings.warn(placeOf(key), Paths.join(path, nameOf(key)), reason, mend);
    }

    /// Reports a warning about the object as a whole.
    public void warn(String reason, @Nullable String mend) {
        findings.warn(node.place(), path, reason, mend);
    }

    /// Where the key's value stands, or the object where it is absent.
    public Place placeOf(Key<?> key) {
        Mapping.Entry entry = entries.get(key.name());
        return entry == null ? node.place() : entry.value().place();
    }

    /// The object.
    public Mapping node() {
        return node;
    }

    /// The object's path.
    public String path() {
        return path;
    }

    /// Where findings go.
    public Findings findings() {
        return findings;
    }

    void put(Key<?> key, Mapping.Entry entry, @Nullable Object value) {
        entries.put(key.name(), entry);
        values.put(key.name(), value);
    }

    private String nameOf(Key<?> key) {
        Mapping.Entry entry = entries.get(key.name());
        return entry == null ? key.name() : entry.key();
    }
}
