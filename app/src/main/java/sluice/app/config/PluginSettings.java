package sluice.app.config;

import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Fields;
import sluice.base.config.Findings;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Shape;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.PluginOutbound;

/// Which plugin (SIP003) an operator wants.
///
/// @param program an absolute path, or a name that is looked up on PATH
/// @param options its option string, handed on as it is; may be empty
public record PluginSettings(String program, String options) {

    private static final Key<String> PLUGIN =
            Key.of("plugin", Kind.TEXT)
                    .otherwise("")
                    .says("Program between clients and this inbound: a name on PATH, or a path.");
    private static final Key<String> PLUGIN_OPTS =
            Key.of("plugin_opts", Kind.TEXT)
                    .otherwise("")
                    .says("Its options, such as \"obfs=http\".");

    /// `plugin` and `plugin_opts` of an inbound; outbounds have them in their own shape.
    static final Shape<PluginSettings> INBOUND =
            Shape.of("plugin", PluginSettings::read, PLUGIN, PLUGIN_OPTS);

    /// The type of inbound that a plugin may stand before.
    private static final String TYPE = "shadowsocks";

    /// Whether inbounds of a type may name a plugin.
    static boolean belongsTo(String type) {
        return type.equals(TYPE);
    }

    /// The plugin that an inbound names, or null where it names none.
    static @Nullable PluginSettings ofInbound(Mapping node, String path, Findings findings) {
        PluginSettings read = INBOUND.read(node.only(INBOUND.names()::contains), path, findings);
        return read == null || read.program().isEmpty() ? null : read;
    }

    /// The plugin that an outbound names, or null where it names none.
    static @Nullable PluginSettings ofOutbound(Outbound outbound) {
        if (!(outbound instanceof PluginOutbound through)) {
            return null;
        }
        String program = through.plugin();
        return program == null || program.isEmpty()
                ? null
                : new PluginSettings(program, through.pluginOptions());
    }

    private static PluginSettings read(Fields fields) {
        String program = fields.get(PLUGIN);
        String options = fields.get(PLUGIN_OPTS);
        if (program.isEmpty() && !options.isEmpty()) {
            fields.refuse(PLUGIN_OPTS, "are options of no plugin", "add \"plugin\"");
        }
        return new PluginSettings(program, options);
    }
}
