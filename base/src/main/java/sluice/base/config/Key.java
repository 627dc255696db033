package sluice.base.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One key of an object: its name, what may stand behind it, and what follows when it is left out.
/// Immutable; the methods that refine it return a copy, so declare it as one expression.
///
/// @param <T> what its value is read into
public final class Key<T> {

    /// What a key means to the reader.
    enum Standing {
        OPTIONAL,
        REQUIRED,
        /// Known to the language, without effect here: a warning.
        WITHOUT_EFFECT,
        /// Known to the language; to pass over it would change where traffic goes: an error.
        NOT_SUPPORTED,
        /// A condition that is not supported: without it, the rule would take in more.
        CONDITION_NOT_SUPPORTED
    }

    /// An older name.
    ///
    /// @param name the name
    /// @param mend what to write instead
    record Alias(String name, String mend) {}

    private final String name;
    private final Form<T> form;
    private final Standing standing;
    private final @Nullable T otherwise;
    private final String says;
    private final List<Alias> aliases;

    private Key(
            String name,
            Form<T> form,
            Standing standing,
            @Nullable T otherwise,
            String says,
            List<Alias> aliases) {
        this.name = name;
        this.form = form;
        this.standing = standing;
        this.otherwise = otherwise;
        this.says = says;
        this.aliases = aliases;
    }

    /// A key with one value.
    public static <T> Key<T> of(String name, Form<T> form) {
        return new Key<>(name, form, Standing.OPTIONAL, null, "", List.of());
    }

    /// A list of scalars; one value stands for a list of one, and absent means empty.
    public static <T> Key<List<T>> list(String name, Kind<T> kind) {
        return of(name, Form.list(kind)).otherwise(List.of());
    }

    /// An object.
    public static <T> Key<T> object(String name, Shape<T> shape) {
        return of(name, shape);
    }

    /// A list of objects; one object stands for a list of one, and absent means empty.
    public static <T> Key<List<T>> objects(String name, Form<T> shape) {
        return of(name, Form.list(shape)).otherwise(List.of());
    }

    /// A flag or an object.
    ///
    /// @param on what `true` stands for
    /// @param off what `false` stands for, and absence
    public static <T> Key<T> flagOrObject(String name, Shape<T> shape, T on, T off) {
        return of(name, Form.flagOrObject(shape, on, off)).otherwise(off);
    }

    /// An object with free keys whose values are texts or lists of texts, such as HTTP headers.
    /// Absent means empty.
    public static Key<Map<String, List<String>>> map(String name) {
        return of(name, Form.map(Form.list(Kind.TEXT))).otherwise(Map.of());
    }

    /// A value that its user reads by itself.
    public static Key<ConfigNode> raw(String name) {
        return of(name, Form.raw());
    }

    /// A key that the language knows and this program does not act on. Left out or switched off,
    /// nothing is said.
    ///
    /// @param matters whether to pass over it would change where traffic goes or who can read it:
    ///   an error, else a warning
    public static Key<ConfigNode> notYet(String name, boolean matters) {
        return new Key<>(
                name,
                Form.raw(),
                matters ? Standing.NOT_SUPPORTED : Standing.WITHOUT_EFFECT,
                null,
                "Not supported yet.",
                List.of());
    }

    /// A condition of a rule that the language knows and this program does not: an error.
    public static Key<ConfigNode> conditionNotYet(String name) {
        return new Key<>(
                name,
                Form.raw(),
                Standing.CONDITION_NOT_SUPPORTED,
                null,
                "Not supported yet.",
                List.of());
    }

    /// Must be there.
    public Key<T> required() {
        return new Key<>(name, form, Standing.REQUIRED, null, says, aliases);
    }

    /// The value when it is left out.
    public Key<T> otherwise(T value) {
        return new Key<>(name, form, standing, value, says, aliases);
    }

    /// One sentence for the schema and the manual.
    public Key<T> says(String sentence) {
        return new Key<>(name, form, standing, otherwise, sentence, aliases);
    }

    /// An older name that is read too, with a warning.
    ///
    /// @param mend what to write instead
    public Key<T> alias(String oldName, String mend) {
        List<Alias> longer = new ArrayList<>(aliases);
        longer.add(new Alias(oldName, mend));
        return new Key<>(name, form, standing, otherwise, says, List.copyOf(longer));
    }

    /// Its name in the file.
    public String name() {
        return name;
    }

    /// Its name and the older ones.
    public List<String> names() {
        List<String> all = new ArrayList<>();
        all.add(name);
        aliases.forEach(alias -> all.add(alias.name()));
        return all;
    }

    /// The sentence about it; may be empty.
    public String sentence() {
        return says;
    }

    /// What may stand behind it.
    public Form<T> form() {
        return form;
    }

    /// The value when it is left out, or null.
    public @Nullable T otherwiseOrNull() {
        return otherwise;
    }

    /// Whether it must be there.
    public boolean isRequired() {
        return standing == Standing.REQUIRED;
    }

    /// Whether it has an effect here.
    public boolean isSupported() {
        return standing == Standing.OPTIONAL || standing == Standing.REQUIRED;
    }

    Standing standing() {
        return standing;
    }

    List<Alias> aliases() {
        return aliases;
    }

    @Override
    public String toString() {
        return name;
    }
}
