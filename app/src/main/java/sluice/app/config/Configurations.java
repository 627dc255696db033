package sluice.app.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.app.link.ShadowsocksLink;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.config.Schema;
import sluice.base.config.Shape;
import sluice.base.fault.ConfigFault;
import sluice.policy.route.RouteOptions;
import sluice.policy.route.RuleOptions;
import sluice.protocol.ProtocolCatalog;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Protocol;

/// Reads configurations. Every method reads the files anew.
public final class Configurations {

    /// What came of reading.
    ///
    /// @param configuration null where there are errors
    /// @param findings errors and warnings
    public record Reading(@Nullable Configuration configuration, Findings findings) {}

    /// What runs when there is no configuration at all.
    static final String BUILT_IN =
            """
            {
              "inbounds": [{"type": "mixed", "tag": "mixed", "listen": "127.0.0.1", "listen_port": 7890}],
              "outbounds": [{"type": "direct", "tag": "direct"}]
            }
            """;

    /// The name of [#BUILT_IN] in places.
    private static final String BUILT_IN_NAME = "(built in)";

    private final Surroundings surroundings;
    private final List<Protocol> protocols;
    private final Findings findings = new Findings();

    private Configurations(Surroundings surroundings, List<Protocol> protocols) {
        this.surroundings = surroundings;
        this.protocols = protocols;
    }

    /// Reads what the operator asked for.
    ///
    /// @throws ConfigFault with the complete report, when it cannot be used
    public static Configuration load(LoadRequest request) {
        Reading reading = inspect(request);
        if (reading.configuration() == null) {
            throw new ConfigFault(reading.findings().report());
        }
        return reading.configuration();
    }

    /// What runs when there is no configuration at all.
    public static Configuration builtIn() {
        Surroundings nowhere =
                new Surroundings(_ -> null, Path.of("/nonexistent"), () -> new byte[0]);
        Configuration configuration = inspect(LoadRequest.none(), nowhere).configuration();
        if (configuration == null) {
            throw new AssertionError("the built-in configuration is wrong");
        }
        return configuration;
    }

    /// Reads what the operator asked for and says everything that is wrong with it.
    public static Reading inspect(LoadRequest request) {
        return inspect(request, Surroundings.of(request));
    }

    static Reading inspect(LoadRequest request, Surroundings surroundings) {
        Configurations reader = new Configurations(surroundings, ProtocolCatalog.all());
        return new Reading(reader.read(request), reader.findings);
    }

    /// An inbound for SOCKS and HTTP on a port of loopback, which no file holds.
    public static InboundSettings localInbound(String tag, int port) {
        String text = "{\"type\": \"mixed\", \"listen_port\": " + port + "}";
        Findings findings = new Findings();
        InboundsForm.Read read =
                new InboundsForm(ProtocolCatalog.all())
                        .read(
                                JsonReader.read(new SourceText(BUILT_IN_NAME, text)),
                                "inbounds",
                                findings);
        if (read == null || read.inbounds().isEmpty()) {
            throw new AssertionError(findings.report());
        }
        return read.inbounds().getFirst().withTag(tag);
    }

    /// All files of a request as one JSON text; references stay as they are written.
    ///
    /// @throws ConfigFault with the complete report, when they cannot be read or merged
    public static String merged(LoadRequest request) {
        Configurations reader = new Configurations(Surroundings.of(request), ProtocolCatalog.all());
        Mapping root = reader.tree(request);
        if (root == null || reader.findings.hasErrors()) {
            throw new ConfigFault(reader.findings.report());
        }
        return NodeWriter.toJson(root);
    }

    /// One file in its best layout.
    ///
    /// @param text as it stands in the file `name`
    /// @throws ConfigFault where it does not parse
    public static String formatted(String name, byte[] text) {
        Findings findings = new Findings();
        SourceText source = SourceText.decode(name, text, findings);
        if (source != null) {
            try {
                return ConfigFiles.isYaml(source)
                        ? YamlFormatter.format(source)
                        : JsonFormatter.format(source);
            } catch (SyntaxFault fault) {
                findings.error(fault.place(), "", fault.reason(), fault.mend());
            }
        }
        throw new ConfigFault(findings.report());
    }

    /// The JSON Schema of a configuration.
    public static String schema() {
        Map<String, Object> schema = Schema.of(RootShape.of(ProtocolCatalog.all()));
        return Schema.toJson(schema) + "\n";
    }

    /// The files that a request means, in the order of merging; empty for the built-in
    /// configuration.
    public static List<String> files(LoadRequest request) {
        return new ConfigFiles(Surroundings.of(request), new Findings()).names(request);
    }

    private @Nullable Configuration read(LoadRequest request) {
        Mapping written = tree(request);
        if (written == null) {
            return null;
        }
        Mapping root = (Mapping) new References(surroundings, findings).resolve(written, "");
        Shape<RootShape.Draft> shape = RootShape.of(protocols);
        RootShape.Draft draft = shape.read(root, "", findings);
        if (draft == null) {
            return null;
        }
        new Checks(root, draft, surroundings, findings).run();
        return findings.hasErrors() ? null : configuration(draft);
    }

    private Configuration configuration(RootShape.Draft draft) {
        List<OutboundSettings> outbounds = new ArrayList<>(draft.outbounds().outbounds());
        if (outbounds.isEmpty()) {
            outbounds.add(implicitDirect());
        }
        RouteOptions route = draft.route();
        if (!draft.inbounds().oldRules().isEmpty()) {
            List<RuleOptions> rules = new ArrayList<>(draft.inbounds().oldRules());
            rules.addAll(route.rules());
            route = new RouteOptions(rules, route.finalOutbound(), route.uses());
        }
        return new Configuration(
                draft.log(),
                draft.inbounds().inbounds(),
                outbounds,
                route,
                draft.process(),
                findings.warnings());
    }

    /// What stands in for outbounds where none is written.
    private OutboundSettings implicitDirect() {
        Mapping node = new Mapping(Place.of(BUILT_IN_NAME), List.of());
        for (Protocol protocol : protocols) {
            Shape<? extends Outbound> shape = protocol.outbound();
            if (protocol.type().equals("direct") && shape != null) {
                Outbound outbound = shape.read(node, "", new Findings());
                DialFields dial = DialFields.SHAPE.read(node, "", new Findings());
                if (outbound != null && dial != null) {
                    return new OutboundSettings(
                            Checks.IMPLICIT_TAG, "direct", dial, outbound, null, node, "");
                }
            }
        }
        throw new AssertionError("the catalog has no direct outbound");
    }

    /// All files of a request in one tree; null where one of them cannot be read.
    private @Nullable Mapping tree(LoadRequest request) {
        if (!request.links().isEmpty()) {
            return ShadowsocksLink.configuration(request.links(), findings);
        }
        ConfigFiles files = new ConfigFiles(surroundings, findings);
        List<String> names = files.names(request);
        ConfigNode root = null;
        boolean complete = true;
        for (String name : names) {
            ConfigNode node = files.read(name);
            complete &= node != null;
            if (node != null) {
                root = root == null ? node : new Merge(findings).merge(root, node, "");
            }
        }
        if (names.isEmpty() && !findings.hasErrors()) {
            root = files.parse(new SourceText(BUILT_IN_NAME, BUILT_IN));
        }
        return complete && root instanceof Mapping mapping ? mapping : null;
    }
}
