package sluice.lab.run;

import java.util.ArrayList;
import java.util.List;

/// A configuration in sing-box's names, written short: members come in single quotes. Every inbound
/// listens on 127.0.0.1 and its tag is given, so that rules can name it.
public final class Config {
    private final List<String> inbounds = new ArrayList<>();
    private final List<String> outbounds = new ArrayList<>();
    private final List<String> rules = new ArrayList<>();
    private final List<Integer> tcp = new ArrayList<>();
    private final List<Integer> udp = new ArrayList<>();
    private String logLevel = "info";
    private String more = "";
    private String address = "127.0.0.1";

    /// A way in; with `'network': 'udp'` among the members it is waited for as UDP.
    ///
    /// @param members more members of the object, e.g. `'method': 'aes-128-gcm'`, or empty
    public Config inbound(String type, String tag, int port, String members) {
        inbounds.add(
                object(
                        "'type': '%s', 'tag': '%s', 'listen': '%s', 'listen_port': %d"
                                .formatted(type, tag, address, port),
                        members));
        (members.matches(".*'network' *: *'udp'.*") ? udp : tcp).add(port);
        return this;
    }

    /// A way in without more members.
    public Config inbound(String type, String tag, int port) {
        return inbound(type, tag, port, "");
    }

    /// A port that sends everything to one target.
    public Config forward(String tag, int port, int targetPort) {
        return inbound(
                "direct",
                tag,
                port,
                "'override_address': '127.0.0.1', 'override_port': " + targetPort);
    }

    /// A way out.
    public Config outbound(String type, String tag, String members) {
        outbounds.add(object("'type': '%s', 'tag': '%s'".formatted(type, tag), members));
        return this;
    }

    /// A way out over a server on loopback.
    public Config outbound(String type, String tag, int serverPort, String members) {
        return outbound(
                type,
                tag,
                "'server': '127.0.0.1', 'server_port': "
                        + serverPort
                        + (members.isEmpty() ? "" : ", " + members));
    }

    /// What comes in there goes out there.
    public Config route(String inboundTag, String outboundTag) {
        return rule("'inbound': '%s', 'outbound': '%s'".formatted(inboundTag, outboundTag));
    }

    /// A rule.
    public Config rule(String members) {
        rules.add(object(members, ""));
        return this;
    }

    /// The address of inbounds that follow; the default is 127.0.0.1.
    public Config listenOn(String address) {
        this.address = address;
        return this;
    }

    /// The level of the log; the default is `info`.
    public Config logLevel(String level) {
        logLevel = level;
        return this;
    }

    /// More members of the root.
    public Config more(String members) {
        more = ", " + members;
        return this;
    }

    /// The TCP ports that will listen.
    List<Integer> tcpPorts() {
        return tcp;
    }

    /// The UDP ports that will be bound by a listener, where TCP does not tell.
    List<Integer> udpPorts() {
        return udp;
    }

    /// The file's text.
    public String text() {
        List<String> out =
                outbounds.isEmpty() ? List.of("{'type': 'direct', 'tag': 'direct'}") : outbounds;
        return ("{'log': {'level': '%s'},\n'inbounds': [\n%s],\n'outbounds': [\n%s],\n"
                        + "'route': {'rules': [\n%s]}%s}")
                .formatted(
                        logLevel,
                        String.join(",\n", inbounds),
                        String.join(",\n", out),
                        String.join(",\n", rules),
                        more)
                .replace('\'', '"');
    }

    private static String object(String members, String more) {
        return "{" + members + (more.isEmpty() ? "" : ", " + more) + "}";
    }
}
