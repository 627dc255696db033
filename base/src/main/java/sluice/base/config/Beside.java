package sluice.base.config;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Keys that stand in an object beside those of its [Shape], and that somebody else reads.
///
/// @param names all of them: not unknown, and candidates for what was meant
/// @param listed those that a list of the keys there are begins with, in the order of the manual
/// @param meant what other programs call a key, and its name here
public record Beside(Set<String> names, List<String> listed, Map<String, String> meant) {

    /// Nothing else.
    public static final Beside NOTHING = of(Set.of());

    /// Copies them.
    public Beside {
        names = Set.copyOf(names);
        listed = List.copyOf(listed);
        meant = Map.copyOf(meant);
    }

    /// Keys that no list names.
    public static Beside of(Set<String> names) {
        return new Beside(names, List.of(), Map.of());
    }
}
