package sluice.app.config;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.config.Shown;

/// Finds the files of a configuration and reads each into a tree.
final class ConfigFiles {

    private static final List<String> ENDINGS = List.of(".json", ".jsonc", ".yaml", ".yml");

    /// What `sluice schema` is kept in, by the manual.
    private static final String SCHEMA_ENDING = ".schema.json";

    private final Surroundings surroundings;
    private final Findings findings;

    ConfigFiles(Surroundings surroundings, Findings findings) {
        this.surroundings = surroundings;
        this.findings = findings;
    }

    /// The names of the files that a request means, in the order of merging; empty where it names
    /// none and none is found.
    List<String> names(LoadRequest request) {
        List<String> names = new ArrayList<>(request.files());
        for (String directory : request.directories()) {
            names.addAll(namesIn(directory));
        }
        if (request.files().isEmpty() && request.directories().isEmpty()) {
            String found = search();
            if (found != null) {
                names.add(found);
            }
        }
        return names;
    }

    /// Reads a file; `-` is standard input. What is wrong is reported, and the result is null.
    @Nullable ConfigNode read(String name) {
        SourceText source = text(name);
        return source == null ? null : parse(source);
    }

    /// A file as text.
    @Nullable SourceText text(String name) {
        if (name.equals("-")) {
            return SourceText.decode(name, surroundings.standardInput().get(), findings);
        }
        try {
            Path path = surroundings.path(name);
            if (Files.isDirectory(path)) {
                findings.error(Place.of(name), "", "is a directory", "write -C " + name);
                return null;
            }
            return SourceText.decode(
                    name, Surroundings.readAtMost(path, SourceText.MOST_BYTES + 1), findings);
        } catch (IOException fault) {
            findings.error(Place.of(name), "", "cannot be read: " + Surroundings.why(fault), null);
        } catch (IllegalArgumentException fault) {
            findings.error(Place.of(name), "", String.valueOf(fault.getMessage()), null);
        }
        return null;
    }

    /// Parses by the ending of the name; standard input is JSON where it begins with a bracket.
    @Nullable ConfigNode parse(SourceText source) {
        try {
            ConfigNode root = isYaml(source) ? YamlReader.read(source) : JsonReader.read(source);
            root.reportRepeatedKeys("", findings);
            if (root instanceof ConfigNode.Mapping) {
                return root;
            }
            findings.error(
                    root.place(), "", root.describe() + " where an object is expected", null);
        } catch (SyntaxFault fault) {
            findings.error(fault.place(), "", fault.reason(), fault.mend());
        }
        return null;
    }

    /// Whether the text is read as YAML.
    static boolean isYaml(SourceText source) {
        String name = source.name().toLowerCase(Locale.ROOT);
        if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            return true;
        }
        if (name.endsWith(".json") || name.endsWith(".jsonc")) {
            return false;
        }
        String text = source.text().stripLeading();
        return !text.isEmpty() && "{[/".indexOf(text.charAt(0)) < 0;
    }

    /// Whether a file of a directory is read: not hidden, and no schema for editors.
    private static boolean isConfiguration(String name) {
        return ENDINGS.stream().anyMatch(name::endsWith)
                && !name.startsWith(".")
                && !name.endsWith(SCHEMA_ENDING);
    }

    private List<String> namesIn(String directory) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(surroundings.path(directory))) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (isConfiguration(name)) {
                    names.add(Path.of(directory).resolve(name).toString());
                }
            }
        } catch (IOException fault) {
            findings.error(
                    Place.of(directory), "", "cannot be read: " + Surroundings.why(fault), null);
            return List.of();
        } catch (DirectoryIteratorException fault) {
            findings.error(Place.of(directory), "", "cannot be read to its end", null);
            return List.of();
        }
        if (names.isEmpty()) {
            findings.error(
                    Place.of(directory),
                    "",
                    "holds no configuration",
                    "files end in " + String.join(", ", ENDINGS));
        }
        names.sort(null);
        return names;
    }

    /// Where a configuration is looked for when none is named.
    List<String> searchPlaces() {
        List<String> places = new ArrayList<>();
        String home = surroundings.environment().apply("HOME");
        String own = surroundings.environment().apply("XDG_CONFIG_HOME");
        if ((own == null || own.isEmpty()) && home != null && !home.isEmpty()) {
            own = home + "/.config";
        }
        for (String folder :
                new String[] {
                    "", own == null || own.isEmpty() ? "" : own + "/sluice/", "/etc/sluice/"
                }) {
            for (String ending : ENDINGS) {
                String place = folder + "config" + ending;
                if (!places.contains(place)) {
                    places.add(place);
                }
            }
        }
        return places;
    }

    private @Nullable String search() {
        for (String place : searchPlaces()) {
            try {
                if (Files.exists(surroundings.path(place))) {
                    return place;
                }
            } catch (IllegalArgumentException _) {
                // A home directory that is no path holds no configuration.
                findings.warn(Place.of(Shown.plain(place)), "", "is not a path", null);
            }
        }
        return null;
    }
}
