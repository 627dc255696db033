package sluice.app.plugin;

import org.jspecify.annotations.Nullable;

import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Findings;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;

import java.util.List;

/// Which plugin an operator wants.
///
/// @param program an absolute path, or a name that is looked up on PATH
/// @param options its option string (SIP003), handed on as it is; may be empty
public record PluginSettings(String program, String options) {

    private static final Key<String> PLUGIN =
            Key.of("plugin", Kind.TEXT)
                    .otherwise("")
                    .says("Program to run: a name on PATH, or an absolute path.");
    private static final Key<String> PLUGIN_OPTS =
            Key.of("plugin_opts", Kind.TEXT)
                    .otherwise("")
                    .says("Its options, such as \"obfs=http;obfs-host=example.com\".");

    /// `plugin` and `plugin_opts`.
    public static final Shape<PluginSettings> SHAPE =
            Shape.of(
                    "plugin",
                    fields -> {
                        String program = fields.get(PLUGIN);
                        if (program.isEmpty()
                                && fields.has(PLUGIN_OPTS)
                                && !fields.get(PLUGIN_OPTS).isEmpty()) {
                            fields.refuse(
                                    PLUGIN_OPTS, "are options of no plugin", "add \"plugin\"");
                        }
                        if (program.contains("/") && !program.startsWith("/")) {
                            fields.refuse(
                                    PLUGIN,
                                    "is neither a name nor an absolute path",
                                    "write the whole path");
                        }
                        return new PluginSettings(program, fields.get(PLUGIN_OPTS));
                    },
                    PLUGIN,
                    PLUGIN_OPTS);

    /// The types whose objects may name a plugin.
    private static final List<String> TYPES = List.of("shadowsocks");

    /// Whether objects of a type may name a plugin.
    public static boolean belongsTo(String type) {
        return TYPES.contains(type);
    }

    /// The plugin that an inbound or outbound names, or null where it names none.
    public static @Nullable PluginSettings readOrNull(
            Mapping node, String path, Findings findings) {
        PluginSettings read = SHAPE.read(node.only(SHAPE.names()::contains), path, findings);
        return read == null || read.program().isEmpty() ? null : read;
    }
}
